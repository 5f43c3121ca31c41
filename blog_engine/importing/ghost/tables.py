"""The tables of a Ghost export in a temporary database, so that rows can be joined without being kept in memory."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from blog_engine.importing.ghost.rows import Row, read_rows
from blog_engine.importing.source import SourceRefused


class _Table(NamedTuple):
    key: str
    """The column by which rows are found."""
    place: str | None
    """The column that sorts the rows of one key."""
    columns: frozenset[str] | None
    """What is read; ``None``: everything."""


_TABLES: Final = {
    "posts": _Table("id", None, None),
    "posts_meta": _Table("post_id", None, None),
    "posts_tags": _Table("post_id", "sort_order", frozenset({"tag_id"})),
    "posts_authors": _Table("post_id", "sort_order", frozenset({"author_id"})),
    "tags": _Table("id", None, frozenset({"id", "name", "slug", "description", "visibility"})),
    # Never the email addresses and password hashes.
    "users": _Table("id", None, frozenset({"id", "name", "slug", "bio", "website"})),
    "settings": _Table("key", None, frozenset({"value"})),
}
_SETTINGS: Final = frozenset({"amp", "timezone"})
"""Settings that are read; others hold keys and passwords."""
_MOST_RELATED: Final = 1_000
"""Rows of one post in another table that are read."""
_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class GhostTables:
    """The rows of an export; SQLite keeps them in a temporary file once they are large, and deletes that itself."""

    def __init__(self, path: Path) -> None:
        """Read the whole file; raises ``SourceRefused`` when it is no whole export of Ghost."""
        self._database = sqlite3.connect("")
        with ExitStack() as unless_read:
            unless_read.callback(self.close)
            self._read(path)
            unless_read.pop_all()

    def close(self) -> None:
        """Delete the temporary file."""
        self._database.close()

    def posts(self) -> Iterator[Row]:
        """Yield the posts and pages in the order of the file."""
        for (content,) in self._database.execute("SELECT content FROM found WHERE name = 'posts' ORDER BY rowid"):
            yield json.loads(content)

    def rows(self, table: str, key: object) -> list[Row]:
        """Return the rows of a table with this key, in their order."""
        found = self._database.execute(
            "SELECT content FROM found WHERE name = ? AND key = ? ORDER BY place, rowid LIMIT ?",
            (table, str(key), _MOST_RELATED),
        )
        return [json.loads(content) for (content,) in found]

    def row(self, table: str, key: object) -> Row:
        """Return the row with this key; without one, an empty row."""
        return next(iter(self.rows(table, key)), {})

    def _read(self, path: Path) -> None:
        self._database.execute("CREATE TABLE found (name TEXT, key TEXT, place INTEGER, content TEXT)")
        with self._database:
            self._database.executemany("INSERT INTO found VALUES (?, ?, ?, ?)", _records(path))
        self._database.execute("CREATE INDEX found_by_key ON found (name, key, place)")
        self._refuse_twins(path)

    def _refuse_twins(self, path: Path) -> None:
        twin = self._database.execute(
            "SELECT key FROM found WHERE name = 'posts' GROUP BY key HAVING count(*) > 1 LIMIT 1"
        ).fetchone()
        if twin:
            raise SourceRefused(f"{path.name}: two posts have the id {twin[0]}.")


def _records(path: Path) -> Iterator[tuple[str, str, int, str]]:
    for name, row in read_rows(path):
        table = _TABLES.get(name)
        if table is None or row.get(table.key) is None or (name == "settings" and row["key"] not in _SETTINGS):
            continue
        kept = row if table.columns is None else {key: row.get(key) for key in table.columns}
        yield name, _text(row[table.key]), _place(row, table.place), _text(json.dumps(kept, ensure_ascii=False))


def _place(row: Row, column: str | None) -> int:
    place = row.get(column) if column else None
    return place if isinstance(place, int) and abs(place) < 2**63 else 0


def _text(value: object) -> str:
    # Half a pair of surrogates, which JSON can spell, is no character and cannot be stored.
    return _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", str(value))
