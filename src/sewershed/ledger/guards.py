"""The guards of the log: triggers that refuse every change of what stands in it.

They are made after each migration and looked for at each start, since a table that Django rebuilds loses its triggers
without a word. They keep out mistakes; against somebody who owns the database the chain of hashes is the witness.
"""

from __future__ import annotations

from django.db import connection

_SQLITE = {
    "log_no_update": """CREATE TRIGGER log_no_update BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is never changed: enter a correction'); END""",
    "log_no_delete": """CREATE TRIGGER log_no_delete BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'nothing is taken out of the log: enter a withdrawal'); END""",
    # An INSERT OR REPLACE deletes without asking the trigger above, so the next position is demanded here.
    "log_at_the_end": """CREATE TRIGGER log_at_the_end BEFORE INSERT ON log
WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM log) OR EXISTS (SELECT 1 FROM log WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a row of the log takes the next position and a new id'); END""",
}

_POSTGRESQL_FUNCTIONS = """
CREATE OR REPLACE FUNCTION log_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN RAISE EXCEPTION 'the log is never changed: enter a correction or a withdrawal'; END $body$;
CREATE OR REPLACE FUNCTION log_next() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM log) THEN
    RAISE EXCEPTION 'a row of the log takes the next position';
  END IF;
  RETURN NEW;
END $body$;
"""
_POSTGRESQL = {
    "log_no_change": "CREATE TRIGGER log_no_change BEFORE UPDATE OR DELETE ON log "
    "FOR EACH ROW EXECUTE FUNCTION log_refuse()",
    "log_no_truncate": "CREATE TRIGGER log_no_truncate BEFORE TRUNCATE ON log "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_refuse()",
    "log_at_the_end": "CREATE TRIGGER log_at_the_end BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION log_next()",
}


def make() -> None:
    """Makes the guards, in place of whatever stands under their names."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name, text in _SQLITE.items():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                cursor.execute(text)
        else:
            cursor.execute(_POSTGRESQL_FUNCTIONS)
            for name, text in _POSTGRESQL.items():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON log")
                cursor.execute(text)


def missing() -> list[str]:
    """Returns the names of guards that are not there, are switched off or are not ours."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log'")
            found = dict(cursor.fetchall())
            return [name for name, text in _SQLITE.items() if found.get(name) != text]
        cursor.execute(
            "SELECT t.tgname, p.proname, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid "
            "WHERE t.tgrelid = to_regclass('log') AND t.tgenabled IN ('O', 'A')"
        )
        there = {name: (function, body) for name, function, body in cursor.fetchall()}
    lacking = []
    for name, text in _POSTGRESQL.items():
        function, body = there.get(name, ("", ""))
        if not function or f"FUNCTION {function}()" not in text or body not in _POSTGRESQL_FUNCTIONS:
            lacking.append(name)
    return lacking
