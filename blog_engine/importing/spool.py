"""The state of an import in a temporary file, so that memory does not grow with the blog."""

import pickle
import sqlite3
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

from blog_engine.importing.loss_groups import alike_of
from blog_engine.importing.source import (
    Item,
    Loss,
    LossKind,
    Omitted,
    SourceImage,
    SourcePost,
    SourceRedirect,
    SourceTerm,
)

_TABLES: Final = """
CREATE TABLE post (
    id INTEGER PRIMARY KEY, source_id TEXT UNIQUE NOT NULL, published TEXT NOT NULL, data BLOB NOT NULL,
    body BLOB NOT NULL, place INTEGER, slug TEXT, stored INTEGER, status TEXT, result BLOB, prepared BLOB
);
CREATE INDEX post_by_date ON post (published, source_id);
CREATE INDEX post_by_place ON post (place);
CREATE TABLE loss (
    post INTEGER NOT NULL, kind TEXT NOT NULL, alike TEXT NOT NULL, message TEXT NOT NULL, line INTEGER
);
CREATE INDEX loss_of_post ON loss (post);
CREATE INDEX loss_of_group ON loss (kind, alike, message);
CREATE TABLE omitted (
    id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, what TEXT NOT NULL, is_unreadable INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE term (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (kind, name)
);
CREATE TABLE library (id INTEGER PRIMARY KEY, source_id TEXT UNIQUE NOT NULL, data BLOB NOT NULL);
CREATE TABLE note (subject TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (subject, key))
    WITHOUT ROWID;
"""
_UNDATED: Final = "~"
"""After every date."""
_EXAMPLES: Final = 3
"""Losses of a group, and entries of a kind, that the report shows."""
_PIECE: Final = 20
"""Rows that are read at once; a body may have a megabyte."""

OUTSIDE: Final = "outside"
"""The notes with the paths outside the mount that redirect into the blog."""
REDIRECTED: Final = "redirected"
"""The notes with all paths that do."""
MOVED: Final = "moved"
"""The notes with the redirects of the source, by their former URLs."""
GUESSED: Final = "guessed"
"""The notes with the number of posts whose former URL is a guess, by the reason."""
PICTURED: Final = "pictured"
"""The notes with the digests of the images that posts show."""


@dataclass(frozen=True, slots=True)
class SpooledPost:
    """A post of the source with what the plan of the import says about it."""

    id: int
    post: SourcePost
    slug: str = ""
    """The slug that it gets here."""
    stored: int | None = None
    """The id of the post that an earlier run made of it."""


@dataclass(frozen=True, slots=True)
class SpooledResult:
    """The result of a post."""

    post: SourcePost
    """Without its body."""
    status: str | None
    """``None`` if the run ended before."""
    result: Any
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True)
class LossExample:
    """A loss of a group, with the first post that has it."""

    message: str
    count: int
    """How often the group has it in these words."""
    title: str
    where: str
    line: int | None


@dataclass(frozen=True, slots=True)
class LossGroup:
    """Losses that are equal but for names, numbers and URLs."""

    kind: LossKind
    count: int
    posts: int
    examples: tuple[LossExample, ...]
    """The most frequent ones."""


@dataclass(frozen=True, slots=True)
class OmittedGroup:
    """Entries of one kind that are not imported."""

    what: str
    count: int
    examples: tuple[Omitted, ...]


class Spool:
    """A context manager over the temporary file, and over a folder for the bytes of images that were fetched."""

    def __enter__(self) -> Self:
        self._place = TemporaryDirectory(prefix="blog-import-")
        self.folder = Path(self._place.name)
        self._database = sqlite3.connect(self.folder / "spool.sqlite3")
        # The file is gone when the run ends, however it ends: nothing needs to survive a crash.
        self._database.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_TABLES}")
        return self

    def __exit__(self, *fault: object) -> None:
        self._database.close()
        self._place.cleanup()

    def add(self, item: Item) -> None:
        """Keep an entry of the source; the same one again counts once."""
        match item:
            case SourcePost():
                self._add_post(item)
            case Omitted():
                key = f"{item.what}\0{item.source_id}\0{item.title}"
                is_unreadable = bool(item.unreadable)
                self._insert("omitted", key=key, what=item.what, is_unreadable=is_unreadable, data=_packed(item))
            case SourceImage():
                self._insert("library", source_id=item.source_id, data=_packed(item))
            case SourceTerm():
                self._insert("term", kind=item.kind, name=item.name, data=_packed(item))
            case SourceRedirect():
                self.notes(MOVED).setdefault(item.url, item)

    def _add_post(self, post: SourcePost) -> None:
        row = self._one("SELECT data, body FROM post WHERE source_id = ?", post.source_id)
        if row is not None:
            other = _whole(*row)
            if _content(other) == _content(post):
                return
            post = _newer(other, post)
            self._database.execute("DELETE FROM post WHERE source_id = ?", [post.source_id])
        data, body = _packed(replace(post, body="")), post.body.encode("utf-8", "surrogatepass")
        published = _sort_key(post.published_at)
        self._insert("post", source_id=post.source_id, published=published, data=data, body=body)

    def arrange(self) -> None:
        """Put the posts in the order of their publication, those without a date last; call it after the last one."""
        self._database.execute(
            "UPDATE post SET place = ranked.place FROM (SELECT id, row_number() OVER (ORDER BY published, source_id)"
            " AS place FROM post) AS ranked WHERE ranked.id = post.id"
        )

    def posts(self) -> Iterator[SpooledPost]:
        """Yield the posts in their order."""
        for row in self._rows("post", "place", "id, data, body, slug, stored"):
            yield SpooledPost(row[0], _whole(row[1], row[2]), row[3] or "", row[4])

    def posts_without_bodies(self) -> Iterator[SpooledPost]:
        """Yield the posts in their order, with empty bodies; reading these takes most of the time."""
        for row in self._rows("post", "place", "id, data, slug, stored"):
            yield SpooledPost(row[0], _read(row[1]), row[2] or "", row[3])

    def post(self, post_id: int) -> SourcePost:
        """Return a post with its body."""
        return _whole(*self._one("SELECT data, body FROM post WHERE id = ?", post_id))

    def count_posts(self) -> int:
        return int(self._one("SELECT count(*) FROM post")[0])

    def plan(self, post_id: int, *, slug: str, stored: int | None) -> None:
        """Note the slug of a post, and the stored post that an earlier run made of it."""
        self._database.execute("UPDATE post SET slug = ?, stored = ? WHERE id = ?", [slug, stored, post_id])

    def keep_prepared(self, post_id: int, prepared: object) -> None:
        """Keep what was worked out for a post until it is written."""
        self._database.execute("UPDATE post SET prepared = ? WHERE id = ?", [_packed(prepared), post_id])

    def prepared(self) -> Iterator[Any]:
        """Yield what was worked out for each post, in their order."""
        for (data,) in self._rows("post", "place", "prepared"):
            if data is not None:
                yield _read(data)

    def finish(self, post_id: int, status: str, result: object, losses: Iterable[Loss]) -> None:
        """Note the result of a post."""
        self._database.execute(
            "UPDATE post SET status = ?, result = ?, prepared = NULL WHERE id = ?", [status, _packed(result), post_id]
        )
        self.add_losses(post_id, losses)

    def add_losses(self, post_id: int, losses: Iterable[Loss]) -> None:
        """Note losses of a post."""
        # The name of a file can have halves of surrogate pairs.
        shown = [(loss, loss.message.encode("utf-8", "backslashreplace").decode()) for loss in losses]
        rows = [(post_id, loss.kind.value, alike_of(message), message, loss.line) for loss, message in shown]
        self._database.executemany("INSERT INTO loss VALUES (?, ?, ?, ?, ?)", rows)

    def results(self) -> "Iterator[SpooledResult]":
        """Yield what became of each post, in their order."""
        for row in self._rows("post", "place", "id, data, status, result"):
            yield self._result(*row)

    def results_to_show(self, most: int, *, first: Iterable[str]) -> "Iterator[SpooledResult]":
        """Yield what became of the first posts, before all others those that were not reached or have these results."""
        names = list(first)
        marks = ", ".join("?" * len(names))
        rows = self._database.execute(
            f"SELECT id FROM post ORDER BY status NOTNULL AND status NOT IN ({marks}), place LIMIT ?",  # noqa: S608  # our own marks
            [*names, most],
        ).fetchall()
        for (post_id,) in rows:
            yield self._result(*self._one("SELECT id, data, status, result FROM post WHERE id = ?", post_id))

    def _result(self, post_id: int, data: bytes, status: str | None, result: bytes | None) -> "SpooledResult":
        query = "SELECT kind, message, line FROM loss WHERE post = ? ORDER BY rowid"
        found = self._database.execute(query, [post_id])
        losses = tuple(Loss(LossKind(kind), message, line) for kind, message, line in found)
        return SpooledResult(_read(data), status, _read(result) if result else None, losses)

    def loss_groups(self, kind: LossKind | None = None) -> "Iterator[LossGroup]":
        """Yield the groups of equal losses, of one kind or of all, the most frequent first."""
        query = (
            "SELECT kind, alike, count(*), count(DISTINCT post) FROM loss WHERE kind = ifnull(?, kind)"
            " GROUP BY kind, alike ORDER BY count(*) DESC, min(rowid)"
        )
        examples = (
            "SELECT message, min(rowid), count(*) FROM loss WHERE kind = ? AND alike = ? GROUP BY message"
            " ORDER BY count(*) DESC, min(rowid) LIMIT ?"
        )
        for name, alike, count, posts in self._database.execute(query, [kind.value if kind else None]).fetchall():
            found = self._database.execute(examples, [name, alike, _EXAMPLES]).fetchall()
            shown = tuple(self._example(message, row, number) for message, row, number in found)
            yield LossGroup(LossKind(name), count, posts, shown)

    def _example(self, message: str, rowid: int, count: int) -> "LossExample":
        query = "SELECT post.data, loss.line FROM loss JOIN post ON post.id = loss.post WHERE loss.rowid = ?"
        data, line = self._one(query, rowid)
        post: SourcePost = _read(data)
        return LossExample(message, count, post.title, post.where, line)

    def count_posts_with(self, kinds: Iterable[LossKind]) -> int:
        """Return the number of posts that have a loss of one of these kinds."""
        names = [kind.value for kind in kinds]
        marks = ", ".join("?" * len(names))
        return int(self._one(f"SELECT count(DISTINCT post) FROM loss WHERE kind IN ({marks})", *names)[0])  # noqa: S608  # our own marks

    def count_omitted_by_kind(self) -> "list[OmittedGroup]":
        """Return what is not imported at all in groups, the most frequent first, each with some of it."""
        groups = self._database.execute(
            "SELECT what, count(*) FROM omitted GROUP BY what ORDER BY max(is_unreadable) DESC, count(*) DESC"
        ).fetchall()
        query = "SELECT data FROM omitted WHERE what = ? ORDER BY id LIMIT ?"
        return [
            OmittedGroup(
                what, number, tuple(_read(data) for (data,) in self._database.execute(query, [what, _EXAMPLES]))
            )
            for what, number in groups
        ]

    def count_by(self, column: str) -> dict[str, int]:
        """Return the number of posts by ``status``, or of losses by ``kind``."""
        query = {
            "status": "SELECT status, count(*) FROM post WHERE status NOTNULL GROUP BY status ORDER BY status",
            "kind": "SELECT kind, count(*) FROM loss GROUP BY kind ORDER BY kind",
        }[column]
        return dict(self._database.execute(query))

    def omitted(self) -> Iterator[Omitted]:
        """Yield what is not imported at all."""
        return self._items("omitted")

    def count_omitted(self) -> int:
        return int(self._one("SELECT count(*) FROM omitted")[0])

    def count_unreadable(self) -> int:
        """Return the number of files that may be posts and cannot be read."""
        return int(self._one("SELECT count(*) FROM omitted WHERE is_unreadable")[0])

    def terms(self) -> Iterator[SourceTerm]:
        """Yield what the source has about categories, tags, series and authors."""
        return self._items("term")

    def term(self, kind: str, name: str) -> SourceTerm | None:
        """Return what the source has about one of them."""
        found: SourceTerm | None = self._item("SELECT data FROM term WHERE kind = ? AND name = ?", kind, name)
        return found

    def library(self) -> Iterator[SourceImage]:
        """Yield the images of the source's library."""
        return self._items("library")

    def image(self, source_id: str) -> SourceImage | None:
        """Return an image of the source's library."""
        found: SourceImage | None = self._item("SELECT data FROM library WHERE source_id = ?", source_id)
        return found

    def notes(self, subject: str) -> "Notes":
        """Return the mapping of a subject, from texts to any values."""
        return Notes(self._database, subject)

    def _insert(self, table: str, **values: object) -> None:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        self._database.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", [*values.values()])  # noqa: S608  # our own names

    def _one(self, query: str, *values: object) -> Any:
        return self._database.execute(query, values).fetchone()

    def _item(self, query: str, *values: object) -> Any:
        row = self._one(query, *values)
        return _read(row[0]) if row else None

    def _items(self, table: str) -> Iterator[Any]:
        return (_read(data) for (data,) in self._rows(table, "id", "data"))

    def _rows(self, table: str, order: str, columns: str) -> Iterator[tuple[Any, ...]]:
        # In pieces: rows are written while they are read, and a cursor of SQLite may show those again.
        query = f"SELECT {order}, {columns} FROM {table} WHERE {order} > ? ORDER BY {order} LIMIT {_PIECE}"  # noqa: S608  # as above
        last = 0
        while rows := self._database.execute(query, [last]).fetchall():
            yield from (row[1:] for row in rows)
            last = rows[-1][0]


class Notes(MutableMapping[str, Any]):
    """A mapping in the temporary file."""

    def __init__(self, database: sqlite3.Connection, subject: str) -> None:
        self._database = database
        self._subject = subject

    def __getitem__(self, key: str) -> Any:
        query = "SELECT value FROM note WHERE subject = ? AND key = ?"
        row = self._database.execute(query, [self._subject, key]).fetchone()
        if row is None:
            raise KeyError(key)
        return _read(row[0])

    def __setitem__(self, key: str, value: Any) -> None:
        self._database.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?)", [self._subject, key, _packed(value)])

    def __delitem__(self, key: str) -> None:
        self._database.execute("DELETE FROM note WHERE subject = ? AND key = ?", [self._subject, key])

    def __iter__(self) -> Iterator[str]:
        rows = self._database.execute("SELECT key FROM note WHERE subject = ? ORDER BY key", [self._subject])
        return (key for (key,) in rows)

    def __len__(self) -> int:
        count = self._database.execute("SELECT count(*) FROM note WHERE subject = ?", [self._subject]).fetchone()
        return int(count[0])


def _sort_key(published: datetime | None) -> str:
    if published is None:
        return _UNDATED
    try:
        return published.astimezone(UTC).isoformat()
    except OverflowError:
        # The first and the last day that a date can be.
        return published.replace(tzinfo=UTC).isoformat()


def _packed(value: object) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def _read(data: bytes) -> Any:
    return pickle.loads(data)  # noqa: S301  # only what this process wrote


def _whole(data: bytes, body: bytes) -> SourcePost:
    post: SourcePost = _read(data)
    return replace(post, body=body.decode("utf-8", "surrogatepass"))


def _content(post: SourcePost) -> SourcePost:
    """Return what makes two entries of one post differ."""
    losses = tuple(loss for loss in post.losses if loss.kind is not LossKind.DUPLICATE)
    return replace(post, where="", published_evidence=None, modified_evidence=None, losses=losses)


def _newer(one: SourcePost, other: SourcePost) -> SourcePost:
    """Return the one that was modified later, else the one that was read later, with a loss that names both."""
    modified = [post.modified_at or datetime.min.replace(tzinfo=UTC) for post in (one, other)]
    taken, left = (one, other) if modified[0] > modified[1] else (other, one)
    message = f"The source has this post twice with different contents: the one in {left.where} was left out."
    return replace(taken, losses=(*taken.losses, Loss(LossKind.DUPLICATE, message)))
