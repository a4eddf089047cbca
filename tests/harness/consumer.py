"""A consumer of cdc's lines: applies them like a downstream table would, and compares with the real table."""
import json
import pathlib
import subprocess


def canonical(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class Replica:
    """Rows by table and key, built from change events. `record` lines ({"topic","key","value"}) carry the key; a `value`
    line is keyed by the column names given."""

    def __init__(self, key="id", prefix="cdc."):
        self.key, self.prefix = key, prefix
        self.tables = {}
        self.reads = self.changes = 0
        self.seen = {}       # how often each (table, op, position, key) came: more than once is a repetition

    def apply_line(self, line):
        document = json.loads(line)
        if set(document) >= {"topic", "key", "value"}:
            return self.apply(document["topic"][len(self.prefix):] if document["topic"].startswith(self.prefix) else document["topic"],
                              document["value"])
        return self.apply(f'{document["source"]["schema"]}.{document["source"]["table"]}', document)

    def apply(self, table, value):
        if value is None:    # tombstone
            return
        op = value.get("op")
        if op not in ("r", "c", "u", "d", "t"):
            return
        rows = self.tables.setdefault(table, {})
        if op == "t":
            rows.clear()
            return
        row = value["before"] if op == "d" else value["after"]
        key = row[self.key]
        source = value["source"]
        identity = (table, op, source.get("lsn") if op != "r" else None, source.get("txId") if op != "r" else None, canonical(key))
        self.seen[identity] = self.seen.get(identity, 0) + 1
        if op == "r":
            self.reads += 1
        else:
            self.changes += 1
        if op == "d":
            rows.pop(key, None)
        else:
            rows[key] = row

    def repeated(self):
        return {k: n for k, n in self.seen.items() if n > 1}

    def difference(self, table, rows):
        """What is wrong with our copy of `table`, given its real rows; empty when nothing is."""
        ours = self.tables.get(table, {})
        real = {r[self.key]: r for r in rows}
        missing = [k for k in real if k not in ours]
        extra = [k for k in ours if k not in real]
        other = [k for k in real if k in ours and canonical(ours[k]) != canonical(real[k])]
        out = []
        for what, keys in (("missing", missing), ("should not be there", extra), ("differ", other)):
            if keys:
                out.append(f"{len(keys)} rows {what}, e.g. {sorted(keys, key=str)[:5]}")
        return "; ".join(out)


def read_text(path):
    """The text of an output file, decompressed when it is .zst. A cut last frame gives what is whole before it."""
    path = pathlib.Path(path)
    if path.suffix == ".zst":
        p = subprocess.run(["zstd", "-dcq", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return p.stdout.decode()
    return path.read_text(encoding="utf-8")


def lines_of(paths):
    """Complete lines of the files in the given order."""
    out = []
    for path in paths:
        out += read_text(path).split("\n")[:-1]    # not splitlines: JSON text may hold U+2028
    return out
