"""The search index of posts, kept in line with their content."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db import router

from blog_engine.content.faq import FaqPair
from blog_engine.content.search_text import (
    LONGEST_TITLE,
    SEARCH_VERSION,
    Searched,
    folded_words,
    ranked_words,
    stem,
    word_key,
)
from blog_engine.models import Post, SearchEntry, SearchWord

SEARCHED_COLUMNS: Final = frozenset({"indexed_title", "indexed_description", "indexed_faq", "indexed_body"})

_LONGEST_SNIPPET_SOURCE: Final = 20_000
_BATCH: Final = 500


def text_of_faq(pairs: Iterable[FaqPair]) -> str:
    """Return the questions and answers of a post as one text."""
    return "\n".join(f"{pair.question}\n{pair.answer}" for pair in pairs)


@dataclass(frozen=True, slots=True)
class SearchedBody:
    """What is searched of a body: its words, and the start of its text for snippets."""

    words: str
    start: str

    @classmethod
    def of(cls, plain: str) -> "SearchedBody":
        """Return what is searched of a body, given as plain text."""
        return cls(folded_words(plain), plain[:_LONGEST_SNIPPET_SOURCE])


def set_short_words(post: Post) -> None:
    """Set the columns for the search of title and description."""
    post.indexed_title = folded_words(post.title, longest=LONGEST_TITLE)
    post.indexed_description = folded_words(post.description)


def set_long_words(post: Post, *, body: SearchedBody, asked: str) -> None:
    """Set the columns for the search of body and FAQ; ``asked`` is the FAQ as plain text."""
    post.indexed_faq = folded_words(asked)
    post.indexed_body = body.words
    post.indexed_with = SEARCH_VERSION
    post.search_text = " ".join(f"{body.start}\n{asked}"[:_LONGEST_SNIPPET_SOURCE].split())


def index_words(post: Post) -> None:
    """Write the words of a stored post that changed.

    Two writers of the same new word wait for each other, so this is the last thing that a transaction locks, and the
    words come in one order.
    """
    texts = Searched(post.indexed_title, post.indexed_description, post.indexed_faq, post.indexed_body)
    keys = {word_key(word): (word, rank) for word, rank in ranked_words(texts).items()}
    # A replica can lack what this transaction or the one before it wrote.
    entries = SearchEntry.objects.using(router.db_for_write(SearchEntry))
    stored = dict(entries.filter(post=post).values_list("word", "rank"))
    changed = [key for key, (_, rank) in keys.items() if stored.get(key) != rank]
    gone = [key for key in stored if key not in keys]
    for batch in _batches([*gone, *(key for key in changed if key in stored)]):
        entries.filter(post=post, word__in=batch).delete()
    entries.bulk_create((SearchEntry(word=key, post=post, rank=keys[key][1]) for key in changed), batch_size=_BATCH)
    _learn({key: keys[key][0] for key in changed if key not in stored})


def _learn(words: dict[int, str]) -> None:
    rows = SearchWord.objects.using(router.db_for_write(SearchWord))
    known: set[int] = set()
    for batch in _batches(list(words)):
        known.update(rows.filter(key__in=batch).values_list("key", flat=True))
    unknown = sorted(key for key in words if key not in known)
    new = (SearchWord(key=key, word=words[key], stem=stem(words[key]), tail=stem(words[key])[::-1]) for key in unknown)
    rows.bulk_create(new, batch_size=_BATCH, ignore_conflicts=True)


def _batches(keys: list[int]) -> Iterable[list[int]]:
    return (keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH))
