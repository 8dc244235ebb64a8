"""The server that the other tests stand on is one that they can trust."""

from __future__ import annotations

import psycopg


def test_a_database_of_its_own_is_empty_and_keeps_what_is_written(postgres_database: str) -> None:
    with psycopg.connect(postgres_database) as connection:
        assert connection.execute("select count(*) from pg_tables where schemaname = 'public'").fetchone() == (0,)
        connection.execute("create table fact (name text)")
        connection.execute("insert into fact values ('flow_gpd')")
    with psycopg.connect(postgres_database) as connection:
        assert connection.execute("select name from fact").fetchall() == [("flow_gpd",)]


def test_two_tests_never_share_a_database(postgres_database: str, postgres_url: str) -> None:
    with psycopg.connect(postgres_database) as connection:
        assert connection.execute("select to_regclass('fact')").fetchone() == (None,)
    assert postgres_database.rsplit("/", 1)[0] == postgres_url.rsplit("/", 1)[0]
    assert postgres_database != postgres_url
