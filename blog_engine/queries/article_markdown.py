"""The Markdown text of an article, for readers and for agents (reader.md 5)."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _

from blog_engine.addresses import Addresses
from blog_engine.content.plain_text import MarkdownDocument, markdown_text
from blog_engine.models import Post
from blog_engine.queries.articles import canonical_url, faq_of, latest_declaration
from blog_engine.queries.dates import known_dates, long_date
from blog_engine.queries.label import label_of
from blog_engine.queries.notices import ai_notice, paid_notice
from blog_engine.queries.policies import policy_url
from blog_engine.vocabulary import BodyFormat, PolicyKind


def article_markdown(post: Post, *, here: Addresses, now: datetime) -> str:
    """Title, byline, notices, body, FAQ and canonical URL; at most three queries."""
    has_responsible_party = policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    label = label_of(post, has_responsible_party=has_responsible_party)
    notices = (ai_notice(label), paid_notice(latest_declaration(post)))
    return markdown_text(
        MarkdownDocument(
            title=post.title,
            byline=tuple(_byline(post, now=now)),
            notices=tuple(notice for notice in notices if notice),
            body=post.body,
            body_format=BodyFormat(post.body_format),
            faq=faq_of(post),
            faq_heading=_("Frequently asked questions"),
            canonical_url=canonical_url(post, here=here),
        )
    )


def _byline(post: Post, *, now: datetime) -> Iterator[str]:
    dates = known_dates(post, now=now)
    yield post.author_name
    if dates.published:
        yield _("Published %(date)s") % {"date": long_date(dates.published)}
    if dates.updated:
        yield _("Updated %(date)s") % {"date": long_date(dates.updated)}
