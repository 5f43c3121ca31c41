"""The public history of an article, as a page and as JSON: how it was made (public-history.page)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from blog_engine import PROJECT
from blog_engine.blog_urls import BlogURLs, page_path, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json, in_utc
from blog_engine.enums import ActorKind, ApprovalKind, EntryType, Provenance
from blog_engine.models import Post
from blog_engine.queries.public_evidence import is_provable
from blog_engine.queries.public_history import PublicEvent, PublicHistory, PublicReview, public_history, public_post
from blog_engine.reader.blog import describe_blog
from blog_engine.reader.http import conditional_response
from blog_engine.reader.page import (
    FOLLOWED,
    HIDDEN,
    INDEXED,
    Crumb,
    Page,
    PageKind,
    default_social_image,
    full_title,
    index_crumb,
    page_number,
)
from blog_engine.reader.structured_data import web_page
from blog_engine.reader.view import PAGE_QUERY, ReaderView, queries_of
from blog_engine.rules.dates import date_and_time, long_date
from blog_engine.rules.isolation import isolated

_FORMAT: Final = "blog_engine.history/1"
_VERIFIER: Final = f"{PROJECT}/raw/main/blog_engine/verify.py"
_REPUBLISHED: Final = "republished"
"""The description that the engine gives a post that is published again unchanged."""


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """A line of the timeline: a version that was made public, or a withdrawal."""

    kind: str
    """`first`, `substantive`, `correction`, `maintenance`, `republished`, `adopted` or `withdrawn`."""
    occurred_at: datetime
    when: str
    """The day in words; with the time where another event of the page is of the same day."""
    sentence: str
    """What happened."""
    note: str
    """What a correction corrects."""
    description: str
    """What was changed, in the words of the writer; only where texts are shown."""
    details: tuple[str, ...]
    """Who wrote and who reviewed the version; only where names are shown."""
    identifier: str
    """The identifier of the version; empty for a withdrawal."""
    is_present: bool
    """Whether readers see this version now."""
    withheld: str
    """Why the text is withheld; empty if it is not."""
    text_path: str
    """The path of the text; empty where texts are not shown."""
    changes_path: str
    """The path of the differences from the version before; empty without any."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """The URLs by which readers check the records without trusting the blog."""

    evidence_path: str
    evidence_url: str
    checkpoint_path: str
    checkpoint_url: str
    verifier_url: str


@dataclass(frozen=True, slots=True)
class HistoryParts:
    """The parts of the page about how an article was made, in the order of the page."""

    verdict: str
    """How it was made, whether its facts were checked, and whether it was changed since, in one sentence."""
    events: tuple[HistoryEvent, ...]
    """The newest first."""
    newer: str
    """The path of the page with newer events; empty if there is none."""
    older: str
    json_path: str
    check: SelfCheck | None
    """``None`` where the records are not public, or are too many to be served."""


class HistoryView(ReaderView):
    """The page about how a public article was made."""

    kept_queries = queries_of(PAGE_QUERY)

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if not get_settings().has_public_history:
            return self.fallback()
        number = page_number(request.GET.getlist("page"))
        if number is None or self.has_unknown_format():
            return self.not_found()
        found = readable_history(slug, number=number, now=self.now)
        if found is None:
            return self.fallback(stored_post_path(slug), suffix="/history")
        if not found.events:
            return self.not_found()
        blog = describe_blog(self.urls, now=self.now)
        parts = _history_parts(found, number=number, urls=self.urls, now=self.now)
        head = self._head(found.post, parts, number=number)
        return self.conditional_page("history", head, blog=blog, history=parts)

    def _head(self, post: Post, parts: HistoryParts, *, number: int) -> Page:
        path = self.urls.history_path(post.slug)
        title = _("How this article was made: %(title)s") % {"title": post.title}
        url = self.urls.absolute(page_path(path, number))
        return Page(
            kind=PageKind.HISTORY,
            title=full_title(title),
            description=parts.verdict,
            canonical=url,
            robots=INDEXED if number == 1 else FOLLOWED,
            social_image=default_social_image(self.urls),
            crumbs=history_crumbs(post, urls=self.urls),
            main_entity=web_page(name=title, url=url, modified=parts.events[0].occurred_at),
            urls=self.urls,
        )


def history_crumbs(post: Post, *, urls: BlogURLs) -> tuple[Crumb, ...]:
    """Return the breadcrumbs of the page about how an article was made."""
    return (
        index_crumb(urls),
        Crumb(post.title, urls.post_path(post.slug)),
        Crumb(_("How this article was made"), urls.history_path(post.slug)),
    )


def history_page_of(post: Post, *, title: str, url: str, urls: BlogURLs) -> Page:
    """Return the head of a page below the history, which search engines leave out; ``title`` has no suffix."""
    return Page(
        kind=PageKind.HISTORY,
        title=full_title(title),
        description=title,
        canonical=url,
        robots=HIDDEN,
        crumbs=(*history_crumbs(post, urls=urls), Crumb(title, url)),
        main_entity=web_page(name=title, url=url, modified=post.published_at) if post.published_at else {},
        urls=urls,
    )


class HistoryJsonView(ReaderView):
    """The same as JSON."""

    kept_queries = queries_of("page=[1-9][0-9]{0,8}")

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if not get_settings().has_public_history:
            return self.fallback()
        number = page_number(request.GET.getlist("page"))
        found = None if number is None else readable_history(slug, number=number, now=self.now)
        if number is None or (found and not found.events):
            return self.not_found()
        if found is None:
            return self.fallback(stored_post_path(slug), suffix="/history.json")
        text = compact_json(_described_history(found, number=number, urls=self.urls, now=self.now))
        return conditional_response(request, hidden_document(text, content_type="application/json"))


def hidden_document(text: str, *, content_type: str) -> HttpResponse:
    """Return a document that search engines leave out, so that a 304 from memory and a rendered one are equal."""
    return HttpResponse(text, content_type=content_type, headers={"X-Robots-Tag": "noindex"})


def readable_history(slug: str, *, number: int, now: datetime) -> PublicHistory | None:
    """Return a page of the history of the public post with a slug; ``None`` without a post or publication."""
    post = public_post(slug)
    history = public_history(post, number=number, now=now) if post else None
    return history if history and history.total else None


def shows_texts() -> bool:
    """Return whether readers may see the texts of earlier versions."""
    return get_settings().public_history == "full"


def _shows_names() -> bool:
    return get_settings().public_history in ("names", "full")


def _history_parts(found: PublicHistory, *, number: int, urls: BlogURLs, now: datetime) -> HistoryParts:
    post = found.post
    path = urls.history_path(post.slug)
    moments = moments_in_words(*(event.occurred_at for event in found.events))
    return HistoryParts(
        verdict=_verdict(found),
        events=tuple(
            _history_event(event, when, found, urls=urls) for event, when in zip(found.events, moments, strict=True)
        ),
        newer=page_path(path, number - 1) if number > 1 else "",
        older=page_path(path, number + 1) if found.has_older else "",
        json_path=page_path(urls.history_json_path(post.slug), number),
        check=_self_check(post, urls=urls) if shows_texts() and is_provable(post, now=now) else None,
    )


def _self_check(post: Post, *, urls: BlogURLs) -> SelfCheck:
    evidence, checkpoint = urls.evidence_path(post.slug), urls.checkpoint_path()
    return SelfCheck(evidence, urls.absolute(evidence), checkpoint, urls.absolute(checkpoint), _VERIFIER)


_MADE: Final[Mapping[str, Promise]] = {
    Provenance.HUMAN_WRITTEN: gettext_lazy("Made by people"),
    Provenance.AI_ASSISTED: gettext_lazy("Made with the help of AI"),
    Provenance.UNKNOWN: gettext_lazy("Not known whether AI helped to make it"),
}


def _verdict(found: PublicHistory) -> str:
    """Return the one sentence that a reader takes away."""
    # Translators: made is "Made by people", checked "facts checked by a person on May 3, 2026", changed "unchanged
    # since it was published". Together they are one sentence.
    sentence = _("%(made)s, %(checked)s, %(changed)s.")
    return sentence % {
        "made": _MADE[found.post.provenance],
        "checked": _checked(found.check),
        "changed": _changed(found),
    }


def _checked(check: PublicReview | None) -> str:
    if check is None:
        return _("no check of its facts recorded")
    date = {"date": long_date(check.at)}
    if check.kind != ApprovalKind.SENT:
        return _("facts checked by a person on %(date)s, before it came to this blog") % date
    if check.actor_kind == ActorKind.PERSON:
        return _("facts checked by a person on %(date)s") % date
    if check.actor_kind is None:
        return _("facts recorded as checked on %(date)s") % date
    return _("facts recorded as checked on %(date)s by a program, not by a person who was signed in") % date


def _changed(found: PublicHistory) -> str:
    number = found.versions.get(EntryType.CORRECTION, 0)
    if number == 1:
        return _("corrected once since it was published")
    if number:
        return ngettext(
            "corrected %(number)d time since it was published",
            "corrected %(number)d times since it was published",
            number,
        ) % {"number": number}
    if found.versions.get(EntryType.SUBSTANTIVE):
        return _("changed since it was published")
    if found.versions.get(EntryType.MAINTENANCE):
        return _("its meaning unchanged since it was published")
    if found.versions.get(EntryType.ADOPTED):
        return _("unchanged since it came to this blog")
    return _("unchanged since it was published")


def _is_again(event: PublicEvent) -> bool:
    return event.type is EntryType.MAINTENANCE and event.description == _REPUBLISHED


_SENTENCES: Final[Mapping[str, Promise]] = {
    EntryType.FIRST: gettext_lazy("Published"),
    EntryType.SUBSTANTIVE: gettext_lazy("Changed in substance"),
    EntryType.CORRECTION: gettext_lazy("Corrected"),
    EntryType.MAINTENANCE: gettext_lazy("Spelling, links or layout changed; the meaning stayed"),
    EntryType.ADOPTED: gettext_lazy("Brought here from another system, where it was public"),
    _REPUBLISHED: gettext_lazy("Published again, unchanged"),
    "withdrawn": gettext_lazy("Withdrawn: readers could not see it"),
}


def _kind(event: PublicEvent) -> str:
    if event.type is None:
        return "withdrawn"
    return _REPUBLISHED if _is_again(event) else event.type.value


def moments_in_words(*moments: datetime) -> list[str]:
    """Return the day of each moment, with the time where another one of them is of the same day."""
    days = [timezone.localtime(moment).date() for moment in moments]
    return [
        long_date(moment) if days.count(day) == 1 else date_and_time(moment)
        for moment, day in zip(moments, days, strict=True)
    ]


def _history_event(event: PublicEvent, when: str, found: PublicHistory, *, urls: BlogURLs) -> HistoryEvent:
    kind, slug, withheld = _kind(event), found.post.slug, found.withheld.get(event.identifier)
    is_text = bool(event.identifier and not withheld and shows_texts())
    before = found.before.get(event.record, "") if is_text else ""
    has_changes = before and before != event.identifier and before not in found.withheld
    return HistoryEvent(
        kind=kind,
        occurred_at=event.occurred_at,
        when=when,
        sentence=str(_SENTENCES[kind]),
        note=event.note,
        description=event.description if is_text and not _is_again(event) else "",
        details=tuple(_names(event, found)) if _shows_names() else (),
        identifier=event.identifier,
        is_present=bool(event.identifier) and event.identifier == found.present,
        withheld=withheld.reason if withheld and shows_texts() else "",
        text_path=urls.version_path(slug, event.identifier) if is_text else "",
        changes_path=urls.changes_path(slug, before, event.identifier) if has_changes else "",
    )


def _names(event: PublicEvent, found: PublicHistory) -> Iterator[str]:
    if event.writer:
        yield _written(event) % isolated({"name": event.writer})
    for review in found.reviews.get(event.identifier, ()):
        yield _reviewed(review) % isolated({"name": review.name, "date": long_date(review.at)})


def _written(event: PublicEvent) -> str:
    if event.made_by_ai is None:
        return _("Written by %(name)s.")
    return _("Written by %(name)s with the help of AI.") if event.made_by_ai else _("Written by %(name)s without AI.")


def _reviewed(review: PublicReview) -> str:
    sentence = _who_reviewed(review)
    return f"{sentence} {_('Signed with a passkey.')}" if review.is_signed else sentence


def _who_reviewed(review: PublicReview) -> str:
    if review.kind != ApprovalKind.SENT:
        if review.facts_checked:
            return _("%(name)s had checked the facts on %(date)s, before it came to this blog.")
        return _("%(name)s had read it on %(date)s, before it came to this blog.")
    if review.actor_kind in (ActorKind.TOKEN, ActorKind.SYSTEM):
        if review.facts_checked:
            return _("Recorded by a program: %(name)s checked the facts on %(date)s.")
        return _("Recorded by a program: %(name)s read it on %(date)s, without checking the facts.")
    if review.facts_checked:
        return _("%(name)s checked the facts on %(date)s.")
    return _("%(name)s read it on %(date)s, without checking the facts.")


def _described_history(found: PublicHistory, *, number: int, urls: BlogURLs, now: datetime) -> dict[str, Any]:
    post = found.post
    path = urls.absolute(urls.history_json_path(post.slug))
    is_checkable = shows_texts() and is_provable(post, now=now)
    return {
        "format": _FORMAT,
        "url": urls.post_url(post.slug),
        "history_url": urls.absolute(urls.history_path(post.slug)),
        "shows": get_settings().public_history,
        "provenance": post.provenance,
        "present_version": found.present,
        "facts_checked": _described_review(found.check) if found.check else None,
        "versions": found.total,
        "corrections": found.versions.get(EntryType.CORRECTION, 0),
        "events": [_described_event(event, found, urls=urls) for event in found.events],
        "newer": page_path(path, number - 1) if number > 1 else None,
        "older": page_path(path, number + 1) if found.has_older else None,
        "evidence_url": urls.absolute(urls.evidence_path(post.slug)) if is_checkable else None,
        "checkpoint_url": urls.absolute(urls.checkpoint_path()) if is_checkable else None,
    }


def _described_event(event: PublicEvent, found: PublicHistory, *, urls: BlogURLs) -> dict[str, Any]:
    shown = _history_event(event, "", found, urls=urls)
    described: dict[str, Any] = {
        "kind": shown.kind,
        "occurred_at": in_utc(event.occurred_at, "milliseconds"),
        "version": event.identifier or None,
        "is_present": shown.is_present,
        "note": event.note or None,
    }
    if _shows_names():
        described["writer"] = event.writer
        described["made_by_ai"] = event.made_by_ai
        described["reviews"] = [_described_review(one) for one in found.reviews.get(event.identifier, ())]
    if shows_texts():
        described["description"] = shown.description or None
        described["withheld"] = shown.withheld or None
        described["text_url"] = urls.absolute(shown.text_path) or None
        described["changes_url"] = urls.absolute(shown.changes_path) or None
    return described


def _described_review(review: PublicReview) -> dict[str, Any]:
    described: dict[str, Any] = {
        "at": in_utc(review.at, "milliseconds"),
        "kind": review.kind,
        "recorded_by": review.actor_kind,
        "signed": review.is_signed,
    }
    if _shows_names():
        described |= {"name": review.name, "facts_checked": review.facts_checked}
    return described
