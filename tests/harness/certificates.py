"""Certificates for tests of TLS, made with the openssl program: authorities, and what they sign."""
import os
import shutil
import subprocess

KEY_PASSWORD = "key-secret"


def openssl(*args):
    done = subprocess.run(["openssl", *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"openssl {' '.join(map(str, args))}: {done.stdout}")


class Authority:
    """Signs certificates; `pem` is what trusts them. Everything lies in one folder that everybody may read, keys apart."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.pem, self.key = folder / f"{name}.pem", folder / f"{name}.key"
        self._make_key(self.key)
        openssl("req", "-x509", "-new", "-key", self.key, "-days", "2", "-subj", f"/CN={name}", "-out", self.pem)

    @staticmethod
    def _make_key(path):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)
        path.chmod(0o600)

    def sign(self, name, common_name, host=""):
        """A certificate NAME.pem and its key NAME.key; `host` is the name of a server."""
        pem, key, request = (self.folder / f"{name}{end}" for end in (".pem", ".key", ".csr"))
        self._make_key(key)
        openssl("req", "-new", "-key", key, "-subj", f"/CN={common_name}", "-out", request)
        extra = self.folder / f"{name}.ext"
        extra.write_text(f"subjectAltName=DNS:{host}\n" if host else "basicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", request, "-CA", self.pem, "-CAkey", self.key, "-CAcreateserial", "-days", "2", "-extfile", extra, "-out", pem)
        return pem, key

    def revoke(self, certificate):
        """A list of what this authority has withdrawn: that certificate."""
        settings, crl = self.folder / f"{self.name}.cnf", self.folder / f"{self.name}.crl"
        index = self.folder / f"{self.name}.index"
        index.write_text("")
        settings.write_text(f"[ca]\ndefault_ca=it\n[it]\ndatabase={index}\ndefault_md=sha256\ndefault_crl_days=2\n")
        openssl("ca", "-config", settings, "-cert", self.pem, "-keyfile", self.key, "-revoke", certificate)
        openssl("ca", "-config", settings, "-cert", self.pem, "-keyfile", self.key, "-gencrl", "-out", crl)
        return crl


def encrypted(key, to):
    """The key, readable with KEY_PASSWORD only."""
    openssl("ec", "-in", key, "-aes256", "-passout", f"pass:{KEY_PASSWORD}", "-out", to)
    to.chmod(0o600)
    return to


def der(key, to):
    """The key in the form that Java's drivers ask for."""
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", key, "-outform", "DER", "-out", to)
    to.chmod(0o600)
    return to


def for_server(key, to):
    """A copy that the servers' user owns, as the server insists on."""
    shutil.copy(key, to)
    to.chmod(0o600)
    if os.geteuid() == 0:
        shutil.chown(to, "nobody", "nogroup")
    return to
