"""The tables of a Ghost export in a temporary database, so that rows can be joined without being kept in memory."""

import json
import re
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from blog_engine.importing.source import SourceRefused

Row = dict[str, Any]

_CHUNK: Final = 256 * 1024
_LONGEST_VALUE: Final = 32 * 1024 * 1024
"""Characters of one row; a post of Ghost holds its text up to four times."""
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


def _read_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Yield the rows of all tables, each with the name of its table, in the order of the file.

    Raises ``SourceRefused``, perhaps after many rows, when the file is no whole export of Ghost.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            reader = _JsonWindow(file, path.name)
            yield from _rows_of_document(reader)
            reader.expect_end()
    except UnicodeDecodeError as fault:
        raise SourceRefused(f"{path.name}: the file is not encoded in UTF-8: {fault}.") from fault
    except OSError as fault:
        raise SourceRefused(f"{path.name}: {fault.strerror or fault}.") from fault


class _JsonWindow:
    """A window on the text of a file, from which JSON values are taken one after the other."""

    def __init__(self, file: TextIO, name: str) -> None:
        self._file = file
        self._name = name
        self._window = ""
        self._at = 0
        self._before = 0
        self._at_end = False

    def members(self) -> Iterator[str]:
        """Yield the name of each member of an object; the caller takes its value before it goes on."""
        self._expect("{")
        if self._takes("}"):
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self.fault("the name of a member is missing")
            self._expect(":")
            yield name
            if not self._takes(","):
                break
        self._expect("}")

    def elements(self) -> Iterator[int]:
        """Yield the number of each element of a list; the caller takes the element before it goes on."""
        self._expect("[")
        if self._takes("]"):
            return
        number = 0
        while True:
            yield number
            number += 1
            if not self._takes(","):
                break
        self._expect("]")

    def value(self) -> Any:
        """Take the next value, whatever it is."""
        self._next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._window, self._at)
            except RecursionError:
                raise self.fault("the values are nested too deeply") from None
            except ValueError as error:
                # The value may only go on after the window.
                if self._at_end:
                    raise self.fault(f"the file is truncated or no JSON: {error}") from error
            else:
                # A number at the end of the window may go on as well.
                if end < len(self._window) or self._at_end:
                    self._at = end
                    return value
            if len(self._window) - self._at > _LONGEST_VALUE:
                raise self.fault(f"a value has more than {_LONGEST_VALUE} characters, or is no JSON")
            self._fill()

    def expect_end(self) -> None:
        """Refuse the file when something follows."""
        if self._next():
            raise self.fault("something follows the export")

    def fault(self, words: str) -> SourceRefused:
        """Return the refusal of the file at this place."""
        return SourceRefused(f"{self._name}, character {self._before + self._at}: {words}.")

    def is_next(self, sign: str) -> bool:
        """Return whether the next value begins with this sign."""
        return self._next() == sign

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise self.fault(f"{sign!r} was expected: the file is truncated, or no export of Ghost")

    def _takes(self, sign: str) -> bool:
        if self._next() != sign:
            return False
        self._at += 1
        return True

    def _next(self) -> str:
        """Return the next sign that is no space, or nothing at the end of the file."""
        while True:
            found = _SPACE.match(self._window, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._window):
                return self._window[self._at]
            if self._at_end:
                return ""
            self._fill()

    def _fill(self) -> None:
        # As much again, so that a long value is not tried once for each chunk.
        rest = self._window[self._at :]
        more = self._file.read(max(_CHUNK, len(rest)))
        self._before += self._at
        self._window, self._at = rest + more, 0
        self._at_end = not more


def _rows_of_document(reader: _JsonWindow) -> Iterator[tuple[str, Row]]:
    is_found = False
    for name in reader.members():
        if name == "db":
            for number in reader.elements():
                if number:
                    raise reader.fault("the export holds more than one blog")
                is_found = yield from _rows_of_blog(reader)
        elif name == "data":
            # As versions before 1.0 exported it.
            yield from _rows_of_tables(reader)
            is_found = True
        else:
            reader.value()
    if not is_found:
        raise reader.fault("there are no tables of Ghost in the file")


def _rows_of_blog(reader: _JsonWindow) -> Generator[tuple[str, Row], None, bool]:
    is_found = False
    for name in reader.members():
        if name == "data":
            yield from _rows_of_tables(reader)
            is_found = True
        else:
            reader.value()
    return is_found


def _rows_of_tables(reader: _JsonWindow) -> Iterator[tuple[str, Row]]:
    for table in reader.members():
        if not reader.is_next("["):
            reader.value()
            continue
        for _ in reader.elements():
            row = reader.value()
            if not isinstance(row, dict):
                raise reader.fault(f"a row of the table {table!r} is no object")
            yield table, row


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
    for name, row in _read_rows(path):
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
