"""Where things are: the tree, the binary under test, scratch folders and free ports."""
import os
import pathlib
import random
import socket
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVERS = ROOT / "tests" / "servers"


def binary():
    """The cdc to test: $CDC, else the release build's."""
    if os.environ.get("CDC"):
        return os.path.abspath(os.environ["CDC"])
    for place in ("build/release/bin/cdc", "build/release/src/cli/cdc"):
        if os.access(ROOT / place, os.X_OK):
            return str(ROOT / place)
    sys.exit("no cdc to test: build it (cmake --preset release && cmake --build --preset release) or set CDC")


def scratch(prefix):
    """A new folder that the servers' user can enter ($CDC_WORK, default /var/tmp)."""
    base = os.environ.get("CDC_WORK", "/var/tmp")
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"cdc-{prefix}-", dir=base))
    folder.chmod(0o755)
    return folder


def free_port():
    """A port nobody listens on, below the range that the kernel hands out to clients."""
    for _ in range(200):
        port = random.SystemRandom().randint(20000, 32000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError("no free port")
