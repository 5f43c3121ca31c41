"""Stored renderings of posts and policy pages, and new ones of those that are outdated; nothing is written."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from blog_engine.enums import BodyFormat, PolicyStatus
from blog_engine.models import PolicyPage, Post, when_public
from blog_engine.rendering.bodies import footnote_prefix, outline_of, render_body, render_new_body
from blog_engine.rendering.options import rendering_key
from blog_engine.rendering.renewed import OutdatedBody, renewed

if TYPE_CHECKING:
    from blog_engine.content.rendering import Rendered

_BATCH: Final = 20
"""Posts of up to several megabytes that are loaded at a time."""


@dataclass(frozen=True, slots=True)
class RenderedBody:
    """The HTML of a body and the headings of its table of contents."""

    html: str
    outline: list[dict[str, Any]]


def rendered_body(post: Post) -> RenderedBody:
    """Return the stored rendering, or a new one if it is outdated; stores nothing.

    While a plugin of the host fails, it is the stored one as far as there is one.
    """
    stored = RenderedBody(html=post.body_html, outline=post.outline)
    if post.rendered_with == rendering_key(post.language):
        return stored
    [new] = renewed([OutdatedBody(footnote_prefix(post.pk), post.body, post.body_format, post.language)])
    return stored if new.has_failed_plugins and post.rendered_with else RenderedBody(new.html, new.outline)


def rendered_bodies(posts: Iterable[Post]) -> dict[int, str]:
    """Return the HTML of the bodies of posts by id, as ``rendered_body`` does; two queries if some are outdated."""
    found = {post.pk: post.body_html if post.rendered_with == rendering_key(post.language) else None for post in posts}
    if outdated := [pk for pk, html in found.items() if html is None]:
        columns = ("body_html", "rendered_with", "pk", "body", "body_format", "language")
        rows = Post.objects.filter(pk__in=outdated).order_by().values_list(*columns)
        new = renewed([OutdatedBody(footnote_prefix(row[2]), *row[3:]) for row in rows])
        for (html, key, pk, *_), rendered in zip(rows, new, strict=True):
            found[pk] = html if rendered.has_failed_plugins and key else rendered.html
    return {pk: html or "" for pk, html in found.items()}


def renderings_that_differ(*, most: int, most_characters: int | None = None) -> list[int]:
    """Return the ids of public posts whose stored HTML or outline is not what their body renders to.

    At most ``most`` posts are compared, and no further one after ``most_characters`` of their bodies. They follow a
    place at random, so that others are compared at each call. What is out of date is not: readers get a new rendering.
    """
    found: list[int] = []
    for post in islice(_public_posts_from_anywhere(), most):
        if post.rendered_with == rendering_key(post.language) and _differs(post):
            found.append(post.pk)
        if most_characters is not None and (most_characters := most_characters - len(post.body)) <= 0:
            break
    return sorted(found)


def _public_posts_from_anywhere() -> Iterator[Post]:
    public = Post.objects.filter(when_public()).order_by("pk")
    last = public.values_list("pk", flat=True).last()
    start = random.randint(1, last) if last else 0  # noqa: S311  any place will do
    compared = public.only("body", "body_format", "body_html", "outline", "rendered_with", "language")
    for part in (compared.filter(pk__gte=start), compared.filter(pk__lt=start)):
        yield from part.iterator(_BATCH)


def _differs(post: Post) -> bool:
    rendered = _render(post.pk, post.body, post.body_format, post.language)
    if rendered.has_failed_plugins:
        return False
    # Loading a dump in XML takes white space off the ends.
    return (rendered.html.strip(), outline_of(rendered)) != (post.body_html.strip(), post.outline)


def _render(post_id: int, body: str, body_format: str, language: str) -> "Rendered":
    return render_body(body, body_format, footnote_prefix=footnote_prefix(post_id), language=language)


def page_html(page: PolicyPage) -> str:
    """Return the stored HTML of a policy page, or a new one if it is outdated."""
    if page.rendered_with == rendering_key():
        return page.body_html
    [new] = renewed([OutdatedBody(page_footnote_prefix(page), page.body, BodyFormat.MARKDOWN)])
    return page.body_html if new.has_failed_plugins and page.rendered_with else new.html


def new_page_html(page: PolicyPage) -> str:
    """Return the body of a page, which need not be stored, as safe HTML; raises ``TooMuchMarkup``."""
    return render_new_body(page.body, BodyFormat.MARKDOWN, footnote_prefix=page_footnote_prefix(page)).html


def pages_that_differ() -> list[str]:
    """Return the kinds of the published pages whose stored HTML is not what their body renders to."""
    return [
        page.kind
        for page in PolicyPage.objects.filter(status=PolicyStatus.PUBLISHED.value).order_by("id")
        if page.rendered_with == rendering_key()
        and not (rendered := _rendered_page(page)).has_failed_plugins
        and rendered.html.strip() != page.body_html.strip()
    ]


def _rendered_page(page: PolicyPage) -> "Rendered":
    return render_body(page.body, BodyFormat.MARKDOWN, footnote_prefix=page_footnote_prefix(page))


def page_footnote_prefix(page: PolicyPage) -> str:
    """Return the prefix of the footnote ids of a page."""
    return f"fn-{page.kind}-"
