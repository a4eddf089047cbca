"""A TCP proxy between cdc and a server that can cut, stall and refuse connections."""
import select
import socket
import threading


class Proxy:
    def __init__(self, port, host="127.0.0.1"):
        self.target = (host, port)
        self.later_targets = []      # ports of the connections after the first, the last one for all others
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.pairs = []
        self.flowing = threading.Event()
        self.flowing.set()
        self.refusing = False
        self.bytes_to_client = 0
        self.cut_after = None        # bytes to the client after which the connection is cut, once
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(self.target)
                if self.later_targets:
                    self.target = (self.target[0], self.later_targets.pop(0))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.append((client, server))
            threading.Thread(target=self._pump, args=(client, server), daemon=True).start()

    def _pump(self, client, server):
        try:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(65536)
                    self.flowing.wait()
                    if not data:
                        return
                    if source is server:
                        self.bytes_to_client += len(data)
                        if self.cut_after is not None and self.bytes_to_client > self.cut_after:
                            self.cut_after = None
                            client.sendall(data[:len(data) // 2])   # in the middle of a message
                            return
                        client.sendall(data)
                    else:
                        server.sendall(data)
        except (OSError, ValueError):
            pass
        finally:
            self._close(client, server)

    @staticmethod
    def _close(*sockets):
        for s in sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            s.close()

    def cut(self):
        """All connections end now."""
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            self._close(*pair)

    def stall(self):
        """Bytes stop flowing in both directions; connections stay open."""
        self.flowing.clear()

    def resume(self):
        self.flowing.set()

    def close(self):
        self.resume()
        self.listener.close()
        self.cut()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
