"""The history of a post in plain words, its revisions, and the comparison of two of them."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin._comparison import differences_between, image_lines, name_in_path
from blog_engine.admin._history_words import approval_sentence, authorship, event_text
from blog_engine.admin.base import ANY_OF_POSTS
from blog_engine.admin.post_form import field_label
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.zones import zone_of
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq import answer_html
from blog_engine.enums import PostStatus
from blog_engine.models import Post, Revision
from blog_engine.queries.reviews import post_without_content, revision_with
from blog_engine.queries.timeline import (
    LISTED_REVISIONS,
    MOST_PAGES,
    approvals_of_content,
    newest_revisions,
    releases_of,
    timeline_of,
)
from blog_engine.queries.versions import present_payload
from blog_engine.reader.page import page_number
from blog_engine.rendering.bodies import render_body
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.dates import date_and_time

_IDENTIFIER_LENGTH = 64
_FACTS: Final = [name for name in REVISION_TEXTS if name not in {"title", "description", "author", "language"}]
"""The texts of a revision that its page shows below the article."""


class PostHistoryView(PostPage):
    """The events of a post, the newest first."""

    permissions = ANY_OF_POSTS
    page_name = "history"

    def find(self, post_id: int) -> Post | None:
        return post_without_content(post_id)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        number = page_number(request.GET.getlist("page"))
        if number is None or number > MOST_PAGES:
            raise Http404
        post, is_first = self.record, number == 1
        newest = newest_revisions(post) if is_first else []
        page = timeline_of(post, number=number, newest=newest)
        if not is_first and not page.events:
            raise Http404
        return self.post_page(
            "history.html",
            title=pgettext("admin", "History"),
            events=[event_text(event, zone_of(request)) for event in page.events],
            timeline=page,
            unrecorded=_unrecorded(post, newest) if is_first else "",
            choices=version_choices(post, newest) if is_first else [],
            compare_url=self.url("compare", post.pk),
            public_url=BlogURLs.on(self.base_url).post_url(post.slug) if post.status == PostStatus.PUBLISHED else "",
        )


def _unrecorded(post: Post, newest: Sequence[Revision]) -> str:
    """Return who wrote the present content if no revision records it, else an empty text."""
    identifier = post.current_revision_identifier
    if any(revision.identifier == identifier for revision in newest):
        return ""
    if len(newest) == LISTED_REVISIONS and revision_with(post, identifier) is not None:
        return ""
    return authorship(post.unrecorded_actor, post.unrecorded_made_by_ai)


def version_choices(post: Post, newest: Iterable[Revision]) -> list[tuple[str, str]]:
    """Return the versions that a form offers, with their labels: draft, public and the newest revisions."""
    choices = [("draft", _("Present version"))]
    if post.public_revision_id is not None:
        choices.append(("public", _("Version that was public last")))
    for revision in newest:
        names = {"time": date_and_time(revision.created_at), "identifier": revision.identifier[:12]}
        choices.append((revision.identifier, _("%(time)s, %(identifier)s") % names))
    return choices


class RevisionView(PostPage):
    """A revision as it was: its content, and what the history says of it."""

    permissions = ANY_OF_POSTS

    def find(self, post_id: int) -> Post | None:
        return post_without_content(post_id)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        revision = _revision_of(self.record, self.kwargs["identifier"])
        content = json.loads(revision.payload)
        rendered = render_body(
            content["body"], self.record.body_format, footnote_prefix="fn-", language=content.get("language", "")
        )
        return self.post_page(
            "revision.html",
            title=_("Version of %(time)s") % {"time": date_and_time(revision.created_at)},
            revision=revision,
            content=content,
            body=mark_safe(rendered.html),  # noqa: S308 - the renderer's output went through its allow list
            # Escapes all but its own tags.
            faq=[(pair["question"], mark_safe(answer_html(pair["answer"]))) for pair in content["faq"]],  # noqa: S308
            facts=[(field_label(name), content[name]) for name in _FACTS if content.get(name)],
            images=image_lines(content),
            pictures=_pictures(content, BlogURLs.on(self.base_url)),
            authorship=authorship(revision.actor, revision.made_by_ai),
            approvals=[
                approval_sentence(approval) for approval in approvals_of_content(revision.post_id, revision.identifier)
            ],
            publications=releases_of(revision),
            is_public=revision.pk == self.record.public_revision_id,
            compare_url=f"{self.url('compare', self.record.pk)}?from={revision.identifier}&to=draft",
        )


def _pictures(content: dict[str, Any], urls: BlogURLs) -> list[tuple[str, str]]:
    """Return the paths and descriptions of the cover and the social image; those of the body are in the body."""
    stored = [image for image in content["images"] if image["role"] != "body" and image["sha256"]]
    return [(urls.media_path(one["sha256"], name_in_path(one["url"])), one["alt"]) for one in stored]


def _revision_of(post: Post, identifier: str) -> Revision:
    revision = revision_with(post, identifier) if len(identifier) == _IDENTIFIER_LENGTH else None
    if revision is None:
        raise Http404
    return revision


class CompareRevisionsView(PostPage):
    """The differences between two versions, each named by its identifier, ``public`` or ``draft``."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        post = self.record
        names = [request.GET.get(name, default) for name, default in (("from", "public"), ("to", "draft"))]
        if names[0] == "public" and "from" not in request.GET and post.public_revision_id is None:
            names[0] = "draft"
        old, new = (self._payload(name) for name in names)
        choices = version_choices(post, newest_revisions(post))
        choices += [(name, name[:12]) for name in dict.fromkeys(names) if name not in dict(choices)]
        return self.post_page(
            "compare.html",
            title=_("Compare two versions"),
            choices=choices,
            from_name=names[0],
            to_name=names[1],
            differences=differences_between(old, new),
        )

    def _payload(self, name: str) -> str:
        post = self.record
        if name == "draft":
            return present_payload(post)
        if name == "public":
            if post.public_revision is None:
                raise Http404
            return post.public_revision.payload
        return _revision_of(post, name).payload
