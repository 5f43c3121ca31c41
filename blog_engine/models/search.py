"""Full-text search on PostgreSQL, in the column ``search_vector`` of the post table (decisions.md 4, Search).

Migration 0003 makes the column, on PostgreSQL only; the model has no such field. ``django.contrib.postgres`` is not
used: importing its search module needs psycopg, which a host on SQLite does not have.
"""

import re
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, FloatField, Func, TextField, Value
from django.db.models.sql.compiler import SQLCompiler

from blog_engine.content.folding import fold

INDEXED_BYTES = {
    "indexed_title": 4 * 1024,
    "indexed_description": 60 * 1024,
    "indexed_faq": 191 * 1024,
    "indexed_body": 256 * 1024,
}
"""How much of each text PostgreSQL indexes, in bytes of UTF-8 (migration 0003). Services cut the texts to this."""

# In a query, quotation marks and a minus before a word have a meaning; all other ASCII punctuation
# separates words, as it does in the column.
_SEPARATOR = re.compile(r"(?<=\S)-|-(?!\w)|[!#$%&'()*+,./:;<=>?@\[\\\]^_`{|}~]")

# PostgreSQL gives up on queries of some ten thousand words; a question of a person is shorter.
_LONGEST = 2048


class SearchVector(Func):
    """The search column of the posts that a query is about."""

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("id"))

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra_context: Any,
    ) -> tuple[str, tuple[str | int, ...]]:
        """The column, qualified as the id beside it is."""
        (row_id,) = self.get_source_expressions()
        # The second name is that of Django before 6.1.
        quote = getattr(compiler, "quote_name", None) or compiler.quote_name_unless_alias
        return f"{quote(row_id.alias)}.search_vector", ()


class SearchQuery(Func):
    """A reader's words, of which 2,048 characters are read: words, ``"a phrase"``, ``or``, ``-without``."""

    template = "websearch_to_tsquery('simple'::regconfig, %(expressions)s::text)"
    output_field = TextField()

    def __init__(self, words: str) -> None:
        super().__init__(Value(_SEPARATOR.sub(" ", fold(words[:_LONGEST]))))


def search_matches(words: str) -> Func:
    """A condition for ``Post.objects.filter()``: the post has these words. PostgreSQL only."""
    return Func(
        SearchVector(),
        SearchQuery(words),
        template="%(expressions)s",
        arg_joiner=" @@ ",
        output_field=BooleanField(),
    )


def search_rank(words: str) -> Func:
    """How well a post fits these words, higher is better: title, description, FAQ, body. PostgreSQL only."""
    return Func(SearchVector(), SearchQuery(words), function="ts_rank", output_field=FloatField())
