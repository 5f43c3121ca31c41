"""The texts of public versions, their differences, and the evidence of the public records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.blog_urls import stored_post_path
from blog_engine.content.differences import Steps, TextDifference, text_difference
from blog_engine.content.faq import answer_html
from blog_engine.content.languages import direction_of_language
from blog_engine.content.text import compact_json
from blog_engine.content.urls import with_links_of
from blog_engine.enums import PolicyKind
from blog_engine.models import Post
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.public_evidence import is_provable, public_evidence_of
from blog_engine.queries.public_history import (
    PublicVersion,
    identifier_of,
    moments_of_change,
    public_post,
    public_versions,
)
from blog_engine.reader.article import Answer
from blog_engine.reader.cards import shown_language
from blog_engine.reader.history import hidden_document, history_page_of, moments_in_words, shows_texts
from blog_engine.reader.http import conditional_response
from blog_engine.reader.page import Page
from blog_engine.reader.view import ReaderView, queries_of
from blog_engine.rendering.bodies import render_body
from blog_engine.rules.dates import long_date
from blog_engine.rules.label import label_of
from blog_engine.verify import PUBLIC_EVIDENCE_FORMAT

_LONGEST_RENDERED: Final = 65_536
"""Characters. A longer body is shown as it was written, because rendering it would cost more than a page may."""


@dataclass(frozen=True, slots=True)
class VersionText:
    """The text of a version that was public."""

    title: str
    description: str
    author: str
    """The names of all authors."""
    language: str
    """The tag of a text in another language than the page; otherwise empty."""
    direction: str
    """The writing direction of that language."""
    body: SafeString
    """The rendered body; empty for a long one."""
    source: str
    """The body as it was written."""
    faq: tuple[Answer, ...]
    identifier: str
    published_at: datetime
    is_present: bool
    """Whether readers see this version now."""
    path: str
    """The path of the article."""


@dataclass(frozen=True, slots=True)
class ChangedText:
    """The differences of one part of the text."""

    name: str
    difference: TextDifference


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """The differences between two versions that were public one after the other."""

    before: str
    """When the older one was made public, in words."""
    before_path: str
    after: str
    after_path: str
    changes: tuple[ChangedText, ...]


class _TextsView(ReaderView):
    """Base of the pages with texts of earlier versions, which only the setting ``full`` shows."""

    kept_queries = queries_of("format=html")

    def texts_of(self, slug: str) -> Post | None:
        """Return the public post with a slug, if readers may see its earlier texts."""
        return public_post(slug) if shows_texts() and not self.has_unknown_format() else None

    def text_response(self, template: str, head: Page, **context: Any) -> HttpResponseBase:
        """Return a page that search engines leave out, or 304."""
        response = self.page_response(template, head, **context)
        response.headers["X-Robots-Tag"] = "noindex"
        return conditional_response(self.request, response)

    def hidden(self, slug: str) -> HttpResponseBase:
        """Return what the article has at its path where it is not public, else 404."""
        return self.fallback(stored_post_path(slug), suffix="/history") if shows_texts() else self.not_found()


class HistoryVersionView(_TextsView):
    """The text of a version that was public."""

    def get(self, request: HttpRequest, *, slug: str, identifier: str, **kwargs: Any) -> HttpResponseBase:
        post = self.texts_of(slug)
        if post is None:
            return self.hidden(slug)
        found = public_versions(post, identifier, now=self.now)
        if not found:
            return self.not_found()
        version = _version_text(found[0], post, path=self.urls.post_path(slug))
        title = _("Version of %(date)s: %(title)s") % {"date": long_date(found[0].published_at), "title": version.title}
        url = self.urls.absolute(self.urls.version_path(slug, identifier))
        head = history_page_of(post, title=title, url=url, urls=self.urls)
        return self.text_response("history_version", head, version=version)


def _version_text(found: PublicVersion, post: Post, *, path: str) -> VersionText:
    content: Mapping[str, Any] = found.content
    language, body = content.get("language", ""), content["body"]
    rendered = ""
    if len(body) <= _LONGEST_RENDERED:
        rendered = render_body(body, post.body_format, footnote_prefix="fn-", language=language).html
    other = shown_language(language)
    return VersionText(
        title=content["title"],
        description=content["description"],
        author=_byline(content),
        language=other,
        direction=direction_of_language(other),
        body=mark_safe(with_links_of(path, rendered)),  # noqa: S308 - the renderer's output went through its allow list
        source=body,
        faq=tuple(
            Answer(pair["question"], mark_safe(answer_html(pair["answer"])))  # noqa: S308 - escapes all but its tags
            for pair in content["faq"]
        ),
        identifier=found.identifier,
        published_at=found.published_at,
        is_present=found.identifier == identifier_of(post),
        path=path,
    )


class HistoryChangesView(_TextsView):
    """The differences between two versions that were public one after the other."""

    def get(self, request: HttpRequest, *, slug: str, old: str, new: str, **kwargs: Any) -> HttpResponseBase:
        post = self.texts_of(slug)
        if post is None:
            return self.hidden(slug)
        found = public_versions(post, old, new, now=self.now)
        times = moments_of_change(post, old, new, now=self.now) if len(found) == 2 and old != new else None
        if times is None:
            return self.not_found()
        before, after = found
        moments = moments_in_words(*times)
        changes = VersionChanges(
            before=moments[0],
            before_path=self.urls.version_path(slug, old),
            after=moments[1],
            after_path=self.urls.version_path(slug, new),
            changes=tuple(_changed_texts(before.content, after.content)),
        )
        title = _("What changed: %(title)s") % {"title": post.title}
        url = self.urls.absolute(self.urls.changes_path(slug, old, new))
        head = history_page_of(post, title=title, url=url, urls=self.urls)
        return self.text_response("history_changes", head, changes=changes)


def _changed_texts(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ChangedText]:
    steps, old, new = Steps(), _texts(before), _texts(after)
    found = [ChangedText(name, text_difference(old[name], text, steps=steps)) for name, text in new.items()]
    return [one for one in found if one.difference.is_changed]


def _byline(content: Mapping[str, Any]) -> str:
    return ", ".join([content["author"], *content.get("coauthors", "").splitlines()])


def _texts(content: Mapping[str, Any]) -> dict[str, str]:
    """Return what readers see of a content, by the name of the part."""
    return {
        _("Title"): content["title"],
        pgettext("blog", "Description"): content["description"],
        _("Author"): _byline(content),
        pgettext("blog", "Text"): content["body"],
        _("Questions and answers"): "\n\n".join(f"{pair['question']}\n{pair['answer']}" for pair in content["faq"]),
        _("Images"): "\n".join(f"{image['url']} {image['alt']}".strip() for image in content["images"]),
        _("Language"): content.get("language", ""),
        _("Search result"): f"{content['search_title']}\n{content['search_description']}".strip(),
    }


class EvidenceView(ReaderView):
    """The evidence of the public records of an article."""

    def get(self, request: HttpRequest, *, slug: str, **kwargs: Any) -> HttpResponseBase:
        if not shows_texts():
            return self.not_found()
        with one_snapshot():
            post = public_post(slug)
            document = None if post is None else self._document(post)
        if post is None:
            return self.fallback(stored_post_path(slug), suffix="/history/evidence.json")
        if document is None:
            return self.not_found()
        return conditional_response(request, hidden_document(compact_json(document), content_type="application/json"))

    def _document(self, post: Post) -> dict[str, Any] | None:
        """Return the evidence, or ``None`` where it is too long or there is none."""
        if not is_provable(post, now=self.now):
            return None
        evidence = public_evidence_of(post, now=self.now)
        place = evidence.inclusion
        label = label_of(post, has_responsible_party=find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None)
        return {
            "format": PUBLIC_EVIDENCE_FORMAT,
            "blog": self.urls.absolute(self.urls.index_path()),
            "post": {
                "id": post.pk,
                "slug": post.slug,
                "title": post.title,
                "url": self.urls.post_url(post.slug),
                "status": post.status,
                "label": label.value,
            },
            "payloads": evidence.payloads,
            "records": evidence.records,
            "chain": evidence.chain,
            "checkpoint": evidence.checkpoint,
            "inclusion": {"position": place.position, "index": place.index, "path": place.path} if place else None,
            "since": evidence.since,
        }
