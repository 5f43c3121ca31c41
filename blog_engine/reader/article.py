"""The article page, also used for previews."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.conf.groups import CallToAction
from blog_engine.content.faq import FaqPair, answer_html
from blog_engine.content.headings import TocItem, faq_section_id, table_of_contents
from blog_engine.content.rendering import Heading
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import Label, ListKind
from blog_engine.models import ConnectionDeclaration, Image, Post
from blog_engine.queries.articles import Neighbours, Surroundings, canonical_url, surroundings_of
from blog_engine.queries.rendering import rendered_body
from blog_engine.reader.blog import Blog
from blog_engine.reader.cards import Byline, Card, Named, Picture, art_of, byline_of, card_of, category_of, cover_of
from blog_engine.reader.page import (
    HIDDEN,
    INDEXED,
    Crumb,
    Page,
    PageKind,
    default_social_image,
    full_title,
    index_crumb,
)
from blog_engine.reader.structured_data import blog_posting, faq_page
from blog_engine.rules.label import ai_notice, label_of, paid_notice


class ConnectionLine(NamedTuple):
    """A declared relation to a party that the article is about."""

    party: str
    relation: str


class Correction(NamedTuple):
    """A published correction."""

    occurred_at: datetime
    note: str


class Answer(NamedTuple):
    """One question of the FAQ with its answer as HTML."""

    question: str
    answer: SafeString


@dataclass(frozen=True, slots=True)
class FaqSection:
    """The FAQ of an article."""

    id: str
    """The anchor of the section, which no heading of the body has."""
    entries: tuple[Answer, ...]
    is_collapsed: bool
    """The setting ``faq_collapsed``: whether the answers are opened one by one."""


@dataclass(frozen=True, slots=True)
class Share:
    """The URL of an article and the links that share it."""

    url: str
    x_url: str
    linkedin_url: str


@dataclass(frozen=True, slots=True)
class SeriesLinks:
    """The series of an article, with the previous and the next article."""

    series: Named
    previous: Named | None
    next: Named | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleParts:
    """The parts of an article page, in the order of the page."""

    title: str
    category: Named | None
    lede: str
    """The description."""
    byline: Byline
    share: Share | None
    """``None`` on a preview."""
    ai_notice: str | None
    """The sentence about the use of AI, if the label requires one."""
    is_checked: bool
    """Whether a person has checked the facts of this version."""
    paid_notice: str | None
    """The sentence about paid content, if a third party paid."""
    cover: Picture | None
    art: int | None
    """The number of the composition shown in place of a cover, if the setting ``card_art`` allows one."""
    contents: tuple[TocItem, ...]
    """The table of contents; empty for a short article."""
    disclosure: tuple[ConnectionLine, ...] | None
    """The declared connections; ``None`` if nothing was declared."""
    body: SafeString
    corrections: tuple[Correction, ...]
    faq: FaqSection | None
    tags: tuple[Named, ...]
    series: SeriesLinks | None
    author_bio: str
    call_to_action: CallToAction | None
    related: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """The context of the templates ``post.html`` and ``preview.html``."""

    page: Page
    article: ArticleParts


def article_page(
    post: Post, *, blog: Blog, urls: BlogURLs, now: datetime, kind: PageKind, around: Surroundings | None = None
) -> ArticlePage:
    """Return the page of a post read by ``queries.articles``; five more queries.

    ``around`` has the parts that other rows hold, for a post that is not stored.
    """
    around = around or surroundings_of(post, now=now)
    label = label_of(post, has_responsible_party=blog.has_responsible_party)
    is_public = kind is PageKind.POST
    article = _article_parts(post, around, label=label, urls=urls, now=now, is_public=is_public)
    dates, canonical, image = article.byline.dates, canonical_url(post, urls=urls), _social_image(post, urls=urls)
    crumbs = (
        index_crumb(urls),
        *([Crumb(article.category.name, article.category.path)] if article.category and is_public else []),
        Crumb(post.title, urls.post_path(post.slug)),
    )
    page = Page(
        kind=kind,
        title=full_title(post.search_title.strip() or post.title),
        description=post.search_description.strip() or post.summary,
        canonical=canonical,
        robots=INDEXED if is_public else HIDDEN,
        og_type="article",
        social_image=image,
        published_at=dates.published,
        modified_at=dates.modified,
        crumbs=crumbs,
        markdown_path=urls.markdown_path(post.slug) if is_public else "",
        main_entity=blog_posting(
            post,
            canonical=canonical,
            dates=dates,
            tags=[name for name, _ in around.tags],
            image=image,
            label=label,
            urls=urls,
        ),
        more_entities=(faq_page(around.faq),) if around.faq else (),
        urls=urls,
    )
    return ArticlePage(page, article)


def _social_image(post: Post, *, urls: BlogURLs) -> str | None:
    image: Image | None = post.social_image or post.cover_image
    if image:
        return urls.absolute(urls.media_path(image.sha256, image.filename))
    return default_social_image(urls)


def _article_parts(
    post: Post, around: Surroundings, *, label: Label, urls: BlogURLs, now: datetime, is_public: bool
) -> ArticleParts:
    """Return the parts of a page; one query if the stored rendering is outdated."""
    rendered = rendered_body(post)
    headings = [Heading(item["level"], item["text"], item["id"]) for item in rendered.outline]
    faq = _faq_section(around.faq, headings)
    return ArticleParts(
        title=post.title,
        category=category_of(post, urls=urls),
        lede=post.description.strip(),
        byline=byline_of(post, urls=urls, now=now),
        share=_share(post, urls=urls) if is_public else None,
        ai_notice=ai_notice(label),
        is_checked=post.is_reviewed,
        paid_notice=paid_notice(around.declaration),
        cover=cover_of(post, urls=urls),
        art=art_of(post),
        contents=table_of_contents(
            headings, faq_title=_("Frequently asked questions") if faq else None, faq_id=faq.id if faq else ""
        ),
        disclosure=_disclosure(around.declaration),
        body=mark_safe(rendered.html),  # noqa: S308 - the renderer's output went through its allow list
        corrections=tuple(Correction(entry.occurred_at, entry.note or "") for entry in around.corrections),
        faq=faq,
        tags=tuple(Named(name, urls.list_path(ListKind.TAG, slug)) for name, slug in around.tags),
        series=_series(around.neighbours, urls=urls),
        author_bio=post.author.bio.strip(),
        call_to_action=_call_to_action(),
        related=tuple(card_of(other, urls=urls, now=now) for other in around.related),
    )


def _faq_section(faq: tuple[FaqPair, ...], headings: list[Heading]) -> FaqSection | None:
    if not faq:
        return None
    return FaqSection(
        id=faq_section_id(heading.id for heading in headings),
        entries=tuple(
            Answer(pair.question, mark_safe(answer_html(pair.answer)))  # noqa: S308 - escapes all but its own tags
            for pair in faq
        ),
        is_collapsed=get_settings().faq_collapsed,
    )


def _disclosure(declaration: ConnectionDeclaration | None) -> tuple[ConnectionLine, ...] | None:
    if declaration is None:
        return None
    return tuple(ConnectionLine(entry["party"], entry["relation"]) for entry in declaration.connections)


def _share(post: Post, *, urls: BlogURLs) -> Share:
    url = urls.post_url(post.slug)
    return Share(
        url=url,
        x_url="https://twitter.com/intent/tweet?" + urlencode({"url": url, "text": post.title}),
        linkedin_url="https://www.linkedin.com/sharing/share-offsite/?" + urlencode({"url": url}),
    )


def _series(neighbours: Neighbours | None, *, urls: BlogURLs) -> SeriesLinks | None:
    if neighbours is None:
        return None

    def link(neighbour: tuple[str, str] | None) -> Named | None:
        if neighbour is None:
            return None
        slug, title = neighbour
        return Named(title, urls.post_path(slug))

    series = neighbours.series
    return SeriesLinks(
        series=Named(series.name, urls.list_path(ListKind.SERIES, series.slug)),
        previous=link(neighbours.previous),
        next=link(neighbours.next),
    )


def _call_to_action() -> CallToAction | None:
    call = get_settings().call_to_action
    if call is None or not is_safe_link(call.url):
        return None
    return call.model_copy(update={"url": public_path(call.url)})
