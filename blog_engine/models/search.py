"""The search index: which word is in which post, and how words are spelled.

Ordinary tables, so that SQLite and PostgreSQL find the same and need no extension. Services write them from the
``indexed_*`` columns of a post (``services/_search_index.py``); words are never deleted.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from blog_engine.content.search_text import LONGEST_WORD
from blog_engine.enums import PostStatus
from blog_engine.models.base import EngineModel
from blog_engine.models.post import Post


class SearchWord(EngineModel):
    """A word that a post had once; unfinished, inflected and misspelt words are compared with it."""

    key = models.BigIntegerField(primary_key=True, help_text=_("A digest of the word."))
    word = models.CharField(max_length=LONGEST_WORD, db_index=True)
    stem = models.CharField(max_length=LONGEST_WORD, db_index=True)
    tail = models.CharField(max_length=LONGEST_WORD, db_index=True, help_text=_("The stem read backwards."))

    class Meta(EngineModel.Meta):
        verbose_name = _("search word")
        verbose_name_plural = _("search words")

    def __str__(self) -> str:
        return self.word


NOT_LISTED: Final = 0
"""The ``listed`` of an entry of a post that is not public."""
_FIRST_YEAR: Final = datetime(1, 1, 1, tzinfo=UTC)


def listed_of(post: Post) -> int:
    """Return ``listed`` of the entries of a post: the microseconds from the year 1 to ``listed_at`` if it is public."""
    if post.status != PostStatus.PUBLISHED:
        return NOT_LISTED
    return (post.listed_at - _FIRST_YEAR) // timedelta(microseconds=1)


class SearchEntry(EngineModel):
    """A word of a post. It is no foreign key, so that writers do not wait for each other."""

    # The index of the key answers a search alone: the posts of a word by rank, then by date, of which the first ones
    # are read.
    pk = models.CompositePrimaryKey("word", "rank", "listed", "post_id")
    word = models.BigIntegerField()
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="search_entries")
    rank = models.SmallIntegerField(help_text=_("Where the word occurs: title 8, description 4, FAQ 2, body 1."))
    listed = models.BigIntegerField(
        default=NOT_LISTED,
        db_default=NOT_LISTED,
        help_text=_("The listed_at of a public post in microseconds since the year 1, 0 for other posts."),
    )

    class Meta(EngineModel.Meta):
        verbose_name = _("search entry")
        verbose_name_plural = _("search entries")

    def __str__(self) -> str:
        return f"{self.post_id}: {self.word}"
