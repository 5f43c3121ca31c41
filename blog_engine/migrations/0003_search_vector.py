"""The full-text search column of posts, on PostgreSQL.

Written by hand, because a generated ``tsvector`` cannot be a model field: the same models run on SQLite.

``to_tsvector`` fails when the words of a text and their positions take 1,048,576 bytes or more, and a post that could
not be saved because of its text would be a bad joke. What goes in is therefore limited to 511 KiB in all, which
is always enough room, because:

1. ASCII punctuation becomes spaces first, so the parser sees no compound words, addresses or paths, of which it
   would store the whole and every part. What is left are words and whole numbers, which never overlap.
2. A word of n bytes stands in n + 1 bytes of text and takes n bytes, one to make n even, and four for its number of
   positions and the first one: at most 2 (n + 1) for n of 2 or more. Each repetition takes two bytes, never more than
   its text. Three letters grow from two bytes to three when they become small (``İ Ⱥ Ⱦ``); a word of a such letters and
   m other bytes takes 3a + m + 5 at most, again no more than 2 (2a + m + 1), unless it is shorter than three letters.
3. The exceptions are few: 36 words of one byte (2 bytes over), words of one growing letter, the last word of each
   column, and a number such as ``1e5`` with letters right behind it, which is a word without a space after it (100 of
   three bytes, 2 bytes over; longer ones fit). Together under 1 KiB.

So 511 KiB of text take at most 1,023 KiB. Words above 2,046 bytes are left out by PostgreSQL, with a notice.
``tests/models/test_search.py`` stores the worst texts we know.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.migrations._vendor import RunPostgreSQL

_WEIGHTS_AND_BYTES = {
    "indexed_title": ("A", 4 * 1024),
    "indexed_description": ("B", 60 * 1024),
    "indexed_faq": ("C", 191 * 1024),
    "indexed_body": ("D", 256 * 1024),
}
_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"
_SPACES = " " * (len(_PUNCTUATION) - 1)  # two apostrophes are one in SQL


def _cut(column: str, size: int) -> str:
    """As many characters as surely fit: services cut exactly, so this is only asked of other writers."""
    choices = " ".join(
        f"WHEN octet_length(left({column}, {characters})) <= {size} THEN left({column}, {characters})"
        for characters in (size, size * 3 // 4, size // 2, size // 3)
    )
    return f"CASE {choices} ELSE left({column}, {size // 4}) END"


_VECTOR = " || ".join(
    f"setweight(to_tsvector('simple', translate({_cut(column, size)}, '{_PUNCTUATION}', '{_SPACES}')), '{weight}')"
    for column, (weight, size) in _WEIGHTS_AND_BYTES.items()
)


_ADD_COLUMN = f"ALTER TABLE blog_engine_post ADD COLUMN search_vector tsvector GENERATED ALWAYS AS ({_VECTOR}) STORED"
_ADD_INDEX = "CREATE INDEX blog_engine_post_search ON blog_engine_post USING gin (search_vector)"
_DROP_COLUMN = "ALTER TABLE blog_engine_post DROP COLUMN search_vector"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0002_protect_history")]

    operations: ClassVar = [RunPostgreSQL([_ADD_COLUMN, _ADD_INDEX], reverse_sql=[_DROP_COLUMN])]
