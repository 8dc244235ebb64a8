"""Many rows into a table at once, quickly and alike on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any

from django.db import connection, models, transaction

OWNERS = 500  # whose rows are read with one statement
RUN = 20_000  # rows put in under one lock
Values = tuple[Any, ...]


def table_of(model: type[models.Model]) -> str:
    """Returns the name of a model's table."""
    return model._meta.db_table  # noqa: SLF001  # Django's documented way to ask


def _fields_of(model: type[models.Model]) -> list[Any]:
    return list(model._meta.concrete_fields)  # noqa: SLF001  # Django's documented way to ask


def columns_of(model: type[models.Model]) -> list[str]:
    """Returns the columns of a model's table, but for a key that the database counts itself."""
    fields = [field for field in _fields_of(model) if not isinstance(field, models.AutoField)]
    return [field.column for field in fields]


def values_of(rows: Sequence[models.Model]) -> list[Values]:
    """Returns the values of rows of one model, each in the order of `columns_of`."""
    return list(map(attrgetter(*columns_of(type(rows[0]))), rows)) if rows else []


def insert(model: type[models.Model], rows: Iterable[Values], table: str = "") -> None:
    """Puts rows into a model's table, or into another of the same columns; values in the order of `columns_of`."""
    with connection.cursor() as cursor:
        _insert_as_kept(cursor, model, _as_kept(model, rows), table or table_of(model))


def put(rows: Sequence[models.Model], key: Sequence[str], columns: Sequence[str] = ()) -> None:
    """Puts rows of one model in; of one that is there already, sets some columns.

    Args:
        rows: the rows.
        key: the columns that tell them apart.
        columns: what is set of one that is there; none: it is left alone.
    """
    if not rows:
        return
    model = type(rows[0])
    given = columns_of(model)
    names, keys = (", ".join(f'"{column}"' for column in some) for some in (given, key))
    set_to = ", ".join(f'"{column}" = excluded."{column}"' for column in columns)
    then = f"UPDATE SET {set_to}" if columns else "NOTHING"
    places = ", ".join(["%s"] * len(given))
    with connection.cursor() as cursor:
        cursor.executemany(
            f'INSERT INTO "{table_of(model)}" ({names}) VALUES ({places}) ON CONFLICT ({keys}) DO {then}',
            _as_kept(model, values_of(rows)),
        )


def put_in_place(
    model: type[models.Model], key: Sequence[str], owner: str, owners: Sequence[str], rows: Sequence[Values]
) -> None:
    """Makes rows all that a table holds of some owners; what stands there already, value for value, is left alone.

    Args:
        model: whose table.
        key: the columns that tell its rows apart.
        owner: the column that says whose a row is.
        owners: whose rows are put.
        rows: the rows, values in the order of `columns_of`.
    """
    columns, table = columns_of(model), table_of(model)
    names = ", ".join(_as_it_stands(model, column) for column in columns)
    told_apart = itemgetter(*(columns.index(column) for column in key))
    there: dict[Any, Values] = {}
    with connection.cursor() as cursor:
        for start in range(0, len(owners), OWNERS):
            some = owners[start : start + OWNERS]
            places = ", ".join(["%s"] * len(some))
            cursor.execute(f'SELECT {names} FROM "{table}" WHERE "{owner}" IN ({places})', some)
            there.update((told_apart(row), row) for row in cursor.fetchall())
        new = []
        for row in _as_kept(model, rows):
            stood = there.get(told_apart(row))
            if stood == row:
                del there[told_apart(row)]
            else:
                new.append(row)
        if there:  # what is gone, and what is put in anew
            where = " AND ".join(f'"{column}" = %s' for column in key)
            gone = [one if len(key) > 1 else (one,) for one in there]
            cursor.executemany(f'DELETE FROM "{table}" WHERE {where}', gone)
        _insert_as_kept(cursor, model, new, table)


def change(model: type[models.Model], columns: Sequence[str], rows: Iterable[Values]) -> None:
    """Sets columns of rows that are there already.

    Args:
        model: whose table.
        columns: what the values stand for; the first one tells which row.
        rows: the values.
    """
    key, *others = columns
    put = ", ".join(f'"{column}" = %s' for column in others)
    given = [(*values[1:], values[0]) for values in _as_kept(model, rows, columns)]
    with connection.cursor() as cursor:
        cursor.executemany(f'UPDATE "{table_of(model)}" SET {put} WHERE "{key}" = %s', given)


def _insert_as_kept(cursor: Any, model: type[models.Model], rows: Sequence[Values], table: str) -> None:
    columns = columns_of(model)
    names = ", ".join(f'"{column}"' for column in columns)
    if not rows:
        return
    if connection.vendor == "postgresql":
        with cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
        return
    places = ", ".join(["%s"] * len(columns))
    cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({places})', rows)


def _as_kept(model: type[models.Model], rows: Iterable[Values], columns: Sequence[str] | None = None) -> list[Values]:
    """Returns rows as the database gives them back."""
    named = columns_of(model) if columns is None else columns
    fitted = [(place, fit) for place, column in enumerate(named) if (fit := _fit_of(model, column))]
    if not fitted:
        return list(rows)
    kept = []
    for row in rows:
        values = list(row)
        for place, fit in fitted:
            values[place] = fit(values[place])
        kept.append(tuple(values))
    return kept


def _as_it_stands(model: type[models.Model], column: str) -> str:
    """Returns a column as a question names it; what SQLite keeps as text is not made into an instant on the way."""
    return f'CAST("{column}" AS text)' if _fit_of(model, column) is _sqlite_instant else f'"{column}"'


def begin_beside(model: type[models.Model]) -> None:
    """Makes an empty table of the same columns beside a model's, without indexes."""
    table = table_of(model)
    names = ", ".join(f'"{column}"' for column in columns_of(model))
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TABLE IF EXISTS "{table}_new"')
        cursor.execute(f'CREATE TABLE "{table}_new" AS SELECT {names} FROM "{table}" WHERE 1 = 0')


def fill_beside(model: type[models.Model], rows: Sequence[Values]) -> None:
    """Puts rows into the table beside a model's; several processes may do so at once.

    The lock for writing is let go between runs of rows, so that nobody waits long.
    """
    for start in range(0, len(rows), RUN):
        with transaction.atomic():
            insert(model, rows[start : start + RUN], f"{table_of(model)}_new")


def take_over(model: type[models.Model]) -> None:
    """Puts what stands in the table beside into a model's table, in place of what stood there."""
    table = table_of(model)
    names = ", ".join(f'"{column}"' for column in columns_of(model))
    with connection.cursor() as cursor:
        indexes = _indexes(cursor, table)
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        empty = "TRUNCATE" if connection.vendor == "postgresql" else "DELETE FROM"
        cursor.execute(f'{empty} "{table}"')
        cursor.execute(f'INSERT INTO "{table}" ({names}) SELECT {names} FROM "{table}_new"')
        for _, made_by in indexes:
            cursor.execute(made_by)
        cursor.execute(f'DROP TABLE "{table}_new"')


def _indexes(cursor: Any, table: str) -> list[tuple[str, str]]:
    """Returns the indexes of a table that SQLite makes sooner from the whole than row by row, each with what makes it."""
    if connection.vendor == "postgresql":
        return []
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = %s AND sql <> ''", [table])
    return [(str(name), str(made_by)) for name, made_by in cursor.fetchall()]


def differing(model: type[models.Model], leaving_out: Sequence[str] = ()) -> tuple[list[Values], list[Values]]:
    """Returns the rows of a model's table that the table beside lacks, and the other way about; at most ten of each.

    Args:
        model: whose table.
        leaving_out: columns that may differ.
    """
    table = table_of(model)
    names = ", ".join(f'"{column}"' for column in columns_of(model) if column not in leaving_out)
    found = []
    with connection.cursor() as cursor:
        for one, other in ((table, f"{table}_new"), (f"{table}_new", table)):
            cursor.execute(f'SELECT {names} FROM "{one}" EXCEPT SELECT {names} FROM "{other}" LIMIT 10')
            found.append([tuple(row) for row in cursor.fetchall()])
    return found[0], found[1]


def _fit_of(model: type[models.Model], column: str) -> Callable[[Any], Any] | None:
    """Returns what makes of a value of a column what the database keeps of it; None: it keeps the value as it is."""
    if connection.vendor == "postgresql":
        return None
    field = next(field for field in _fields_of(model) if field.column == column)
    if isinstance(field, models.DateTimeField):
        return _sqlite_instant
    return _sqlite_number if isinstance(field, models.DecimalField) else None


def _sqlite_instant(value: datetime | None) -> str | None:
    """Returns an instant as Django keeps it in SQLite: UTC, without saying so."""
    return None if value is None else value.astimezone(UTC).isoformat(" ")[:19]


def _sqlite_number(value: Decimal | None) -> float | None:
    """Returns a number as SQLite keeps it whatever it is given; it is there to be sorted by."""
    return None if value is None else float(value)
