"""The article page, also used for previews."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.conf.groups import CallToAction
from blog_engine.conf.languages import catalogue_of
from blog_engine.content.faq import FaqPair, answer_html
from blog_engine.content.headings import Heading, TocItem, free_id, ids_on_page, table_of_contents
from blog_engine.content.languages import direction_of_language
from blog_engine.content.names import initials_of
from blog_engine.content.urls import is_safe_link, with_links_of
from blog_engine.enums import Label, ListKind
from blog_engine.models import ConnectionDeclaration, NamedAuthor, Post
from blog_engine.queries.articles import (
    BodyImageOrigin,
    PublishedCorrection,
    Surroundings,
    canonical_url,
    surroundings_of,
)
from blog_engine.queries.nearby import SeriesAround, SeriesPart
from blog_engine.reader.blog import Blog
from blog_engine.reader.cards import (
    Byline,
    Card,
    Corrected,
    Named,
    Picture,
    PostLink,
    art_of,
    avatar_url,
    byline_of,
    cards_of,
    category_of,
    cover_file_of,
    cover_of,
    other_language,
    shown_language,
)
from blog_engine.reader.links import ProfileLink, Share, profile_links, share_of
from blog_engine.reader.page import (
    FOLLOWED,
    HIDDEN,
    INDEXED,
    Crumb,
    Page,
    PageKind,
    TranslationLink,
    alternates_of,
    full_title,
    index_crumb,
    scripts_of,
    shared_image,
    translation_links,
)
from blog_engine.reader.structured_data import blog_posting, faq_page, image_entity
from blog_engine.rendering.stored import rendered_body
from blog_engine.rules.label import ai_notice, disclosure_of, label_of, paid_notice

_PARTS_AT_ONCE: Final = 12


class ConnectionLine(NamedTuple):
    """A declared relation to a party that the article is about."""

    party: str
    relation: str


class Correction(NamedTuple):
    """A published correction; ``id`` is its anchor."""

    id: str
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


class PartLink(NamedTuple):
    """A part of a series; ``rel`` is ``prev`` or ``next`` beside the article, else empty."""

    name: str
    path: str
    language: str
    """The tag of a post in another language than the page; otherwise empty."""
    is_current: bool
    rel: str


@dataclass(frozen=True, slots=True)
class SeriesParts:
    """The series of an article, with the parts around it."""

    series: Named
    parts: tuple[PartLink, ...]
    """At most 100, in reading order."""
    first: int | None
    """The number of the first of ``parts``; ``None`` in a longer series where it is not known."""
    number: int | None
    """The number of the article, or ``None``."""
    total: int
    """The number of all parts."""

    @property
    def is_long(self) -> bool:
        """Whether the parts are shown on demand."""
        return len(self.parts) > _PARTS_AT_ONCE


class AuthorBox(NamedTuple):
    """An author as the end of an article shows one."""

    name: str
    path: str
    initials: str
    """What is shown when there is no avatar."""
    avatar_url: str | None
    bio: str
    """What is said about the author; it may be empty."""
    profiles: tuple[ProfileLink, ...]
    """The profiles of the author on other sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleParts:
    """The parts of an article page, in the order of the page."""

    title: str
    language: str
    """The tag of an article in another language than the page; otherwise empty."""
    direction: str
    """The writing direction of that language."""
    catalogue: str
    """The language of the words that the script writes into the body: that of the post, if there is a catalogue."""
    translations: tuple[TranslationLink, ...]
    """The public versions in other languages, in the order of the languages' names."""
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
    paid_by: str
    """Who paid, if the declaration names one party only."""
    disclosure: tuple[ConnectionLine, ...] | None
    """The declared connections; ``None`` if nothing was declared."""
    cover: Picture | None
    cover_file: str
    """The path of the cover in full size; empty if the cover is no larger than it is shown."""
    art: int | None
    """The number of the composition shown in place of a cover, if the setting ``card_art`` allows one."""
    contents: tuple[TocItem, ...]
    """The table of contents; empty for a short article."""
    body: SafeString
    corrections: tuple[Correction, ...]
    faq: FaqSection | None
    tags: tuple[Named, ...]
    authors: tuple[AuthorBox, ...]
    """The authors of whom more than the name is known, in the order of the byline."""
    series: SeriesParts | None
    call_to_action: CallToAction | None
    previous: PostLink | None
    """The part before this one, else the post published before it (pages.article.neighbours)."""
    next: PostLink | None
    related: tuple[Card, ...]

    @property
    def scripts(self) -> tuple[str, ...]:
        """The URLs of the scripts that this body needs."""
        return scripts_of(self.body)


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
    dates, canonical = article.byline.dates, canonical_url(post, urls=urls)
    image = shared_image(post, urls=urls, is_public=is_public)
    description = post.search_description.strip() or post.summary
    crumbs = (
        index_crumb(urls),
        *([Crumb(article.category.name, article.category.path)] if article.category else []),
        Crumb(post.title, urls.post_path(post.slug)),
    )
    page = Page(
        kind=kind,
        title=full_title(post.search_title.strip() or post.title),
        description=description,
        canonical=canonical,
        robots=HIDDEN if not is_public else FOLLOWED if post.noindex else INDEXED,
        og_type="article",
        social_image=image.url if image else None,
        social_image_size=image.size if image else None,
        social_image_type=image.content_type if image else "",
        social_image_alt=image.alt if image else "",
        published_at=dates.published,
        modified_at=dates.modified,
        author_urls=tuple(urls.absolute(one.path) for one in (article.byline.author, *article.byline.coauthors)),
        tags=tuple(tag.name for tag in article.tags),
        crumbs=crumbs,
        language=post.language,
        alternates=alternates_of(post, around.translations, urls=urls) if is_public else (),
        ai_disclosure=disclosure_of(post) or "",
        creators=tuple(filter(None, (who.fediverse for who in (post.author, *(one.author for one in post.coauthors))))),
        markdown_path=urls.markdown_path(post.slug) if is_public else "",
        main_entity=blog_posting(
            post,
            canonical=canonical,
            description=post.description.strip() or description,
            dates=dates,
            tags=[name for name, _ in around.tags],
            image=image_entity(image.url, image.origin) if image else None,
            images=[
                entity
                for one in around.images
                if isinstance(entity := image_entity(_media_url(one, urls=urls), one.origin), dict)
            ],
            corrections=around.corrections,
            policies={kind: urls.absolute(policy.url) for kind, policy in blog.policies.items()},
            series=article.series.series if article.series else None,
            urls=urls,
        ),
        more_entities=(faq_page(around.faq),) if around.faq else (),
        urls=urls,
    )
    return ArticlePage(page, article)


def _media_url(image: BodyImageOrigin, *, urls: BlogURLs) -> str:
    return urls.absolute(urls.media_path(image.sha256, image.filename))


def _article_parts(
    post: Post, around: Surroundings, *, label: Label, urls: BlogURLs, now: datetime, is_public: bool
) -> ArticleParts:
    """Return the parts of a page; one query if the stored rendering is outdated."""
    rendered = rendered_body(post)
    headings = [Heading(**item) for item in rendered.outline]
    faq = _faq_section(around.faq, headings)
    corrections = _corrections(around.corrections, ids_on_page(headings))
    corrected = Corrected(corrections[-1].occurred_at, f"#{corrections[-1].id}") if corrections else None
    return ArticleParts(
        title=post.title,
        language=(language := other_language(post)),
        direction=direction_of_language(language),
        catalogue=catalogue_of(language) or get_settings().catalogue,
        translations=translation_links(around.translations, urls=urls),
        category=category_of(post, urls=urls),
        lede=post.description.strip(),
        byline=replace(
            byline_of(post, urls=urls, now=now),
            corrected=corrected,
            history_path=urls.history_path(post.slug) if is_public and get_settings().has_public_history else "",
        ),
        share=share_of(post.title, url=urls.post_url(post.slug), targets=get_settings().brand.share)
        if is_public
        else None,
        ai_notice=ai_notice(label),
        is_checked=post.is_reviewed,
        paid_notice=paid_notice(around.declaration),
        paid_by=_paid_by(around.declaration),
        disclosure=_disclosure(around.declaration),
        cover=cover_of(post, urls=urls),
        cover_file=cover_file_of(post, urls=urls),
        art=art_of(post),
        contents=table_of_contents(
            headings, faq_title=_("Frequently asked questions") if faq else None, faq_id=faq.id if faq else ""
        ),
        body=mark_safe(rendered.html if is_public else with_links_of(urls.post_path(post.slug), rendered.html)),  # noqa: S308 - the renderer's output went through its allow list
        corrections=corrections,
        faq=faq,
        tags=tuple(Named(name, urls.list_path(ListKind.TAG, slug)) for name, slug in around.tags),
        authors=tuple(_author_boxes(post, urls=urls)),
        series=_series(around.series, urls=urls),
        call_to_action=_call_to_action(),
        previous=_link(around.nearby.previous, urls=urls),
        next=_link(around.nearby.next, urls=urls),
        related=cards_of(around.nearby.related, urls=urls, now=now),
    )


def _author_boxes(post: Post, *, urls: BlogURLs) -> Iterator[AuthorBox]:
    for name, author in (NamedAuthor(post.author_name, post.author), *post.coauthors):
        bio, profiles = author.bio.strip(), tuple(profile_links(author.profile_urls))
        if bio or profiles:
            path = urls.list_path(ListKind.AUTHOR, author.slug)
            yield AuthorBox(name, path, initials_of(name), avatar_url(author, urls=urls), bio, profiles)


def _faq_section(faq: tuple[FaqPair, ...], headings: list[Heading]) -> FaqSection | None:
    if not faq:
        return None
    return FaqSection(
        id=free_id("faq", ids_on_page(headings)),
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


def _paid_by(declaration: ConnectionDeclaration | None) -> str:
    """Return the only declared party of a paid article: a declaration has all connections, so that it is who paid."""
    parties = {entry["party"] for entry in declaration.connections} if declaration else set()
    return parties.pop() if declaration and declaration.third_party_paid and len(parties) == 1 else ""


def _corrections(published: Iterable[PublishedCorrection], taken: Iterable[str]) -> tuple[Correction, ...]:
    """Return the corrections with anchors that no heading has, in their order."""
    ids, found = set(taken), []
    for number, entry in enumerate(published, 1):
        anchor = free_id(f"correction-{number}", ids)
        ids.add(anchor)
        found.append(Correction(anchor, entry.occurred_at, entry.note or ""))
    return tuple(found)


def _link(post: SeriesPart | None, *, urls: BlogURLs) -> PostLink | None:
    return PostLink(post.title, urls.post_path(post.slug), shown_language(post.language)) if post else None


def _series(around: SeriesAround | None, *, urls: BlogURLs) -> SeriesParts | None:
    if around is None:
        return None
    own = next(place for place, part in enumerate(around.parts) if part.is_current)
    rel = {own - 1: "prev", own + 1: "next"}
    return SeriesParts(
        series=Named(around.name, urls.list_path(ListKind.SERIES, around.slug)),
        parts=tuple(
            PartLink(
                part.title,
                urls.post_path(part.slug),
                shown_language(part.language),
                part.is_current,
                rel.get(place, ""),
            )
            for place, part in enumerate(around.parts)
        ),
        first=around.first,
        number=around.number,
        total=around.total,
    )


def _call_to_action() -> CallToAction | None:
    call = get_settings().call_to_action
    if call is None or not is_safe_link(call.url):
        return None
    return call.model_copy(update={"url": public_path(call.url)})
