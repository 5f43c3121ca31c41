"""The full-text search column of posts, on PostgreSQL.

Written by hand, because a generated ``tsvector`` cannot be a model field: the same models run on SQLite.

``to_tsvector`` fails when the words of a text and their positions take 1,048,576 bytes or more, and no post must fail to
be saved for that. The input is therefore limited to 511 KiB in all, which always fits, because:

1. ASCII punctuation becomes spaces first, so the parser sees no compound words, URLs or paths, of which it would
   store the whole and every part. What is left are words and whole numbers, which never overlap.
2. A word of n bytes has n + 1 bytes of text and takes n bytes, one to make n even, and four for its number of
   positions and the first one: at most 2 (n + 1) for n of 2 or more. Each repetition takes two bytes, never more than
   its text. Three letters grow from two bytes to three in lower case (``İ Ⱥ Ⱦ``); a word of a such letters and
   m other bytes takes 3a + m + 5 at most, again no more than 2 (2a + m + 1), unless it is shorter than three letters.
3. The exceptions are few: 36 words of one byte (2 bytes over), words of one growing letter, the last word of each
   column, and a number such as ``1e5`` with letters right behind it, which is a word without a space after it (100 of
   three bytes, 2 bytes over; longer ones fit). Together under 1 KiB.

So 511 KiB of text take at most 1,023 KiB. PostgreSQL skips words above 2,046 bytes, with a notice.
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
    """Return SQL for as many characters of a column as surely fit into ``size`` bytes."""
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
