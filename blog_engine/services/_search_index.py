"""Writing the words of a post into the search index.

These statements are sent without the ORM: its instances and compiler take three times as long for the hundreds of rows
of a post.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connections, router
from django.db.backends.utils import CursorWrapper

from blog_engine.content.search_text import Searched, ranked_words, stem, word_key
from blog_engine.models import Post, SearchEntry

_AT_ONCE: Final = 200
"""Rows of a statement: older versions of SQLite take at most 999 values."""

_STORED: Final = "SELECT word, rank FROM blog_engine_searchentry WHERE post_id = %s"
_DELETE: Final = "DELETE FROM blog_engine_searchentry WHERE post_id = %s AND word IN ({})"
_ADD: Final = "INSERT INTO blog_engine_searchentry (word, post_id, rank) VALUES {}"
_KNOWN: Final = "SELECT key FROM blog_engine_searchword WHERE key IN ({})"
_LEARN: Final = "INSERT INTO blog_engine_searchword (key, word, stem, tail) VALUES {} ON CONFLICT DO NOTHING"


def index_words(post: Post) -> None:
    """Write the words of a stored post that changed.

    Two writers of the same new word wait for each other, so this is the last thing that a transaction locks, and the
    words come in one order.
    """
    texts = Searched(post.indexed_title, post.indexed_description, post.indexed_faq, post.indexed_body)
    keys = {word_key(word): (word, rank) for word, rank in ranked_words(texts).items()}
    # A replica can lack what this transaction or the one before it wrote.
    with connections[router.db_for_write(SearchEntry)].cursor() as cursor:
        cursor.execute(_STORED, [post.pk])
        stored = dict(cursor.fetchall())
        changed = [key for key, (_, rank) in keys.items() if stored.get(key) != rank]
        old = [key for key in stored if key not in keys] + [key for key in changed if key in stored]
        for batch in _batches(old):
            cursor.execute(_DELETE.format(_marks(batch)), [post.pk, *batch])
        _insert(cursor, _ADD, [(key, post.pk, keys[key][1]) for key in changed])
        _learn(cursor, {key: keys[key][0] for key in changed if key not in stored})


def _learn(cursor: CursorWrapper, words: dict[int, str]) -> None:
    known: set[int] = set()
    for batch in _batches(list(words)):
        cursor.execute(_KNOWN.format(_marks(batch)), batch)
        known.update(key for (key,) in cursor.fetchall())
    unknown = sorted(key for key in words if key not in known)
    stems = {key: stem(words[key]) for key in unknown}
    _insert(cursor, _LEARN, [(key, words[key], stems[key], stems[key][::-1]) for key in unknown])


def _insert(cursor: CursorWrapper, statement: str, rows: list[tuple[Any, ...]]) -> None:
    for batch in _batches(rows):
        marks = ", ".join([f"({_marks(batch[0])})"] * len(batch))
        cursor.execute(statement.format(marks), [value for row in batch for value in row])


def _batches(rows: list[Any]) -> Iterable[list[Any]]:
    return (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))


def _marks(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))
