"""Bringing the search index up to date after an upgrade."""

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import plain_text
from blog_engine.content.search_text import SEARCH_VERSION
from blog_engine.models import Faq, Post
from blog_engine.services._search_index import SEARCHED_COLUMNS, index_words, take_search_texts, text_of_faq
from blog_engine.services._transaction import locked_post, write_transaction
from blog_engine.vocabulary import BodyFormat


def index_posts() -> int:
    """Index the posts that another version of the search indexed, each in its own transaction; return their number.

    Content, history and dates stay as they are.
    """
    stale = Post.objects.exclude(indexed_with=SEARCH_VERSION).order_by("pk").values_list("pk", flat=True)
    return sum(_index(post_id) for post_id in list(stale))


def _index(post_id: int) -> bool:
    """Index one post, unless it was deleted in between."""
    with write_transaction():
        post = locked_post(post_id)
        if post is None:
            return False
        take_search_texts(
            post,
            plain=plain_text(post.body, body_format=BodyFormat(post.body_format)),
            asked=text_of_faq(FaqPair(row.question, row.answer) for row in Faq.objects.filter(post=post)),
        )
        post.store(update_fields=[*SEARCHED_COLUMNS, "indexed_with", "search_text"])
        index_words(post)
        return True
