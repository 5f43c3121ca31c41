"""Writing the words of a post into the search index.

Rows are inserted without the ORM: its instances and compiler take three times as long for the hundreds of rows of a
post.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine.content.search_text import Searched, ranked_words, stem, word_key
from blog_engine.models import Post, SearchEntry, SearchWord
from blog_engine.models.search import listed_of
from blog_engine.queries.compiled import CompiledValues, Parameter, among, array_of

_MOST_PARAMETERS: Final = 999
"""What every build of SQLite takes; longer statements are not faster."""


def insert_values(
    connection: BaseDatabaseWrapper, table: str, columns: str, rows: Sequence[Sequence[Any]], *, suffix: str = ""
) -> None:
    """Insert rows in this order, as many with each statement as its parameters allow.

    ``columns`` are the quoted names, and ``suffix`` follows the values. No ``executemany``: packages that wrap the
    cursor, such as django-debug-toolbar, pass the rows of one to the driver in a form that SQLite refuses.
    """
    at_once = max(_MOST_PARAMETERS // len(rows[0]), 1) if rows else 1
    with connection.cursor() as cursor:
        for start in range(0, len(rows), at_once):
            batch = rows[start : start + at_once]
            marks = ", ".join([f"({', '.join(['%s'] * len(batch[0]))})"] * len(batch))
            sent = [value for row in batch for value in row]
            cursor.execute(f"INSERT INTO {table} ({columns}) VALUES {marks} {suffix}", sent)  # noqa: S608  our own names


_STORED: Final = CompiledValues(
    lambda: SearchEntry.objects.filter(post=Parameter("post")).values_list("word", "rank"),
    lambda word, rank: (word, rank),
)
_KNOWN: Final = CompiledValues(lambda: SearchWord.objects.filter(among("key", "keys")).values_list("key"), int)

_ENTRIES: Final = {"post_id": "bigint", "word": "bigint", "rank": "smallint", "listed": "bigint"}
"""The columns of a table with the types of PostgreSQL."""
_WORDS: Final = {"key": "bigint", "word": "text", "stem": "text", "tail": "text"}


def index_words(post: Post) -> bool:
    """Write the words of a stored post that changed; return whether some did.

    Two writers of the same new word wait for each other, so this is the last thing that a transaction locks, and the
    words come in one order.
    """
    keys = {word_key(word): (word, rank) for word, rank in ranked_words(_texts_of(post)).items()}
    stored = dict(_STORED.all(post=post.pk))
    changed = [key for key, (_, rank) in keys.items() if stored.get(key) != rank]
    old = [key for key in stored if key not in keys] + [key for key in changed if key in stored]
    if old:
        SearchEntry.objects.filter(among("word", old), post=post.pk).delete()
    post_id, listed = post.pk, listed_of(post)
    _insert(SearchEntry, _ENTRIES, [(post_id, key, keys[key][1], listed) for key in changed])
    _learn({key: keys[key][0] for key in changed if key not in stored})
    return bool(old or changed)


def index_new_posts(posts: Iterable[Post]) -> None:
    """Write the words of stored posts that have no entries, except words that the index does not know."""
    rows = [
        (post.pk, word_key(word), rank, listed)
        for post in posts
        for listed in [listed_of(post)]
        for word, rank in ranked_words(_texts_of(post)).items()
    ]
    _insert(SearchEntry, _ENTRIES, rows)


def _texts_of(post: Post) -> Searched:
    return Searched(post.indexed_title, post.indexed_description, post.indexed_faq, post.indexed_body)


def list_words(post: Post) -> None:
    """Sort the stored words of a post that was published or withdrawn, or whose date changed, among those of others."""
    listed = listed_of(post)
    SearchEntry.objects.filter(post=post.pk).exclude(listed=listed).update(listed=listed)


def _learn(words: dict[int, str]) -> None:
    known = set(_KNOWN.all(keys=list(words))) if words else set()
    unknown = sorted(words.keys() - known)
    stems = {key: stem(words[key]) for key in unknown}
    _insert(SearchWord, _WORDS, [(key, words[key], stems[key], stems[key][::-1]) for key in unknown])


def _insert(model: type[SearchEntry | SearchWord], columns: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows in this order; one that is already there stays."""
    if not rows:
        return
    connection = connections[router.db_for_write(model)]
    table, names = model._meta.db_table, ", ".join(columns)
    if connection.vendor != "postgresql":
        insert_values(connection, table, names, rows, suffix="ON CONFLICT DO NOTHING")
        return
    # One parameter for each column: the driver takes longer for hundreds of them than the server for the rows.
    arrays = ", ".join(f"%s::{type_}[]" for type_ in columns.values())
    sent = [
        list(column) if type_ == "text" else array_of(column)
        for column, type_ in zip(zip(*rows, strict=True), columns.values(), strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING", sent)  # noqa: S608  our own names
