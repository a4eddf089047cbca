"""TLS (PG-CONN-04, PG-LIBPQ-03): every sslmode right and wrong, client certificates, and errors that say which file or setting to
look at. A wrong certificate ends the run with status 3 at once: it does not mend itself."""
import json
import shutil

from harness import certificates, paths
from harness.suite import PgTest

# Superusers as the harness needs them; "cdc" over TLS only, "carl" with a certificate of his name only.
HBA = """host      all          postgres  127.0.0.1/32  trust
host      replication  postgres  127.0.0.1/32  trust
hostssl   all          cdc       127.0.0.1/32  trust
hostssl   all          carl      127.0.0.1/32  cert
"""


class Tls(PgTest):
    @classmethod
    def setUpClass(cls):
        cls.keys = folder = paths.scratch("tls")
        cls.authority, cls.stranger = (certificates.Authority(folder, name) for name in ("authority", "stranger"))
        cls.server_pem, key = cls.authority.sign("server", "server", host="localhost")
        cls.carl = cls.authority.sign("carl", "carl")
        cls.mallory = cls.stranger.sign("mallory", "carl")
        (folder / "hba").write_text(HBA)
        cls.conf = f"""ssl = on
ssl_cert_file = '{cls.server_pem}'
ssl_key_file = '{certificates.for_server(key, folder / "server-own.key")}'
ssl_ca_file = '{cls.authority.pem}'
hba_file = '{folder / "hba"}'"""
        super().setUpClass()
        cls.server.sql("CREATE ROLE cdc LOGIN SUPERUSER; CREATE ROLE carl LOGIN SUPERUSER;")

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.keys, ignore_errors=True)

    def setUp(self):
        super().setUp()
        self.sql("CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a');")

    def source(self, mode="", user="cdc", host="localhost", **files):
        """URL and settings; files: sslrootcert=, sslcert=, sslkey=, sslpassword=."""
        settings = {f"database.{k}": v for k, v in {"sslmode": mode, **files}.items() if v}
        return {"url": f"postgres://{user}@{host}:{self.server.port}/{self.db}"}, [x for k, v in settings.items() for x in ("-s", f"{k}={v}")]

    def accepted(self, *more, name="", **source):
        """The table is read and the stream goes on, all of it encrypted."""
        where, settings = self.source(**source)
        where["state"] = self.folder / f"{name or 'state'}.db"
        cdc = self.stream(*settings, *more, out=self.folder / f"{name or 'out'}.ndjson", **where)
        cdc.wait_streaming()
        user = source.get("user", "cdc")
        mine = f"FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = '{user}' AND application_name LIKE 'cdc %'"
        self.assertEqual(self.value(f"SELECT bool_and(ssl), count(*) FILTER (WHERE application_name = 'cdc streaming') {mine}"), "t|1")
        self.sql("INSERT INTO t VALUES (2, 'b');")
        self.assertEqual([json.loads(x)["after"]["id"] for x in cdc.wait_lines(2)], [1, 2])
        self.assertEqual(cdc.stop(), 0)
        self.value(f"SELECT pg_drop_replication_slot('{self.slot}')")
        self.sql("DELETE FROM t WHERE id = 2;")

    def refused(self, *words, more=(), **source):
        """Status 3, before anything is made or printed; the error and its hint have the words, and there is one try."""
        where, settings = self.source(**source)
        done = self.run_cdc("stream", "--until", "now", *settings, *more, **where)
        self.assert_status(done, 3)
        self.assertEqual(done.out, "")
        self.assertEqual(self.slots(), "0")
        failed = next(e for e in done.events if e["event"] == "failed")
        for word in words:
            self.assertIn(word, f"{failed['message']}\n{failed.get('hint', '')}")
        self.assertFalse([e for e in done.events if e["event"] == "reconnecting"], done.err)
        self.assertNotIn(certificates.KEY_PASSWORD, done.err)

    # --- the server's certificate -----------------------------------------------------------------
    def test_modes_that_are_content(self):
        for name, source in {"prefer": {"mode": "prefer"}, "unset": {}, "require": {"mode": "require"}, "ca": {"mode": "verify-ca", "sslrootcert": self.authority.pem},
                             "ca-other-name": {"mode": "verify-ca", "sslrootcert": self.authority.pem, "host": "127.0.0.1"},
                             "full": {"mode": "verify-full", "sslrootcert": self.authority.pem}}.items():
            with self.subTest(name):
                self.accepted(name=name, **source)

    def test_disable(self):
        """The server wants TLS for this user, and says so."""
        self.refused("pg_hba.conf", "no encryption" if self.server.major >= 14 else "SSL off", mode="disable")

    def test_another_authority(self):
        for mode in ("verify-ca", "verify-full", "require"):       # require with a root certificate checks it too (PG-LIBPQ-03)
            with self.subTest(mode):
                self.refused("certificate", "database.sslrootcert", mode=mode, sslrootcert=self.stranger.pem)

    def test_another_host_name(self):
        self.refused("localhost", "127.0.0.1", "verify-full", mode="verify-full", sslrootcert=self.authority.pem, host="127.0.0.1")

    def test_no_root_certificate(self):
        self.refused("/nowhere/root.pem", "database.sslrootcert", mode="verify-ca", sslrootcert="/nowhere/root.pem")

    def test_root_certificate_is_none(self):
        junk = self.folder / "junk.pem"
        junk.write_text("no certificate")
        self.refused(str(junk), "database.sslrootcert", mode="verify-full", sslrootcert=junk)

    def test_revoked(self):
        """driver.sslcrl: a certificate that was withdrawn."""
        crl = self.authority.revoke(self.server_pem)
        self.refused("certificate", "sslcrl", mode="verify-ca", sslrootcert=self.authority.pem, more=("-s", f"driver.sslcrl={crl}"))

    def test_server_without_tls(self):
        self.server.value("ALTER SYSTEM SET ssl = off")
        self.server.value("SELECT pg_reload_conf()")
        try:
            self.server.wait_sql("SELECT NOT setting::bool FROM pg_settings WHERE name = 'ssl'")
            self.refused("does not offer TLS", "database.sslmode", mode="require", user="postgres")
            self.refused("does not offer TLS", "database.sslmode", mode="verify-full", sslrootcert=self.authority.pem, user="postgres")
        finally:
            self.server.value("ALTER SYSTEM RESET ssl")
            self.server.value("SELECT pg_reload_conf()")
            self.server.wait_sql("SELECT setting::bool FROM pg_settings WHERE name = 'ssl'")

    # --- our own certificate ----------------------------------------------------------------------
    def as_carl(self, pem, key, **more):
        return {"mode": "verify-full", "sslrootcert": self.authority.pem, "user": "carl", "sslcert": pem, "sslkey": key, **more}

    def test_client_certificate(self):
        self.accepted(**self.as_carl(*self.carl))

    def test_client_certificate_with_an_encrypted_key(self):
        key = certificates.encrypted(self.carl[1], self.folder / "locked.key")
        self.accepted(**self.as_carl(self.carl[0], key, sslpassword=certificates.KEY_PASSWORD))

    def test_wrong_password_of_the_key(self):
        """Without one nobody is asked at a terminal: the run ends."""
        key = certificates.encrypted(self.carl[1], self.folder / "locked.key")
        for password in ("wrong", ""):
            with self.subTest(password):
                self.refused(str(key), "database.sslpassword", **self.as_carl(self.carl[0], key, sslpassword=password))

    def test_no_client_certificate(self):
        self.refused("certificate", "database.sslcert", mode="require", user="carl")

    def test_client_certificate_of_another_authority(self):
        self.refused("unknown ca", "database.sslcert", **self.as_carl(*self.mallory))

    def test_client_certificate_of_another_user(self):
        self.server.value("CREATE ROLE dora LOGIN SUPERUSER")
        hba = self.keys / "hba"
        hba.write_text(HBA + "hostssl all dora 127.0.0.1/32 cert\n")
        self.server.value("SELECT pg_reload_conf()")
        self.refused("dora", "certificate", **{**self.as_carl(*self.carl), "user": "dora"})

    def test_key_of_another_certificate(self):
        self.refused("database.sslkey is not the key of database.sslcert", **self.as_carl(self.carl[0], self.mallory[1]))

    def test_key_that_others_can_read(self):
        key = self.folder / "open.key"
        shutil.copy(self.carl[1], key)
        key.chmod(0o644)
        self.refused(str(key), "0600", **self.as_carl(self.carl[0], key))

    def test_key_made_for_java(self):
        """libpq reads DER since 14; where it does not, the hint says how to convert."""
        key = certificates.der(self.carl[1], self.folder / "java.pk8")
        self.accepted(**self.as_carl(self.carl[0], key))

    def test_no_key(self):
        self.refused("/nowhere/carl.key", "database.sslkey", **self.as_carl(self.carl[0], "/nowhere/carl.key"))

    # --- the stream -------------------------------------------------------------------------------
    def test_large_transaction(self):
        """Records of TLS end where they like: rows of every length arrive whole, also those that lie decrypted in OpenSSL already."""
        where, settings = self.source("require")
        self.assert_status(self.run_cdc("stream", "--until", "now", "-s", "snapshot.mode=no_data", *settings, **where), 0)
        self.sql("DELETE FROM t; INSERT INTO t SELECT i, repeat('x', (i * 37) % 20000) FROM generate_series(1, 3000) i;")
        done = self.run_cdc("stream", "--until", "now", *settings, **where)
        self.assert_status(done, 0)
        rows = [(e["after"]["id"], len(e["after"]["v"])) for e in map(json.loads, done.out.splitlines()) if e and e["op"] == "c"]
        self.assertEqual(rows, [(i, (i * 37) % 20000) for i in range(1, 3001)])

    def test_server_restarted(self):
        """The next connection is encrypted as well, and nothing is missing."""
        where, settings = self.source("verify-full", sslrootcert=self.authority.pem)
        cdc = self.stream(*settings, **where)
        cdc.wait_streaming()
        self.server.stop("fast")
        self.server.start()
        self.sql("INSERT INTO t VALUES (2, 'b');")
        cdc.wait_lines(2)
        self.assertEqual(self.value("SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'cdc'"), "t")
        self.assertEqual(cdc.stop(), 0)
