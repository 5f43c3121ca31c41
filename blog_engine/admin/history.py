"""The history of a post in plain words, its revisions and versions, and the comparison of two of them."""

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin._comparison import differences_between, image_lines, name_in_path
from blog_engine.admin._history_words import approval_sentence, authorship, event_text
from blog_engine.admin.base import ANY_OF_POSTS, Permission, may
from blog_engine.admin.post_form import field_label
from blog_engine.admin.post_page import PostPage
from blog_engine.admin.versions import found_version, may_continue, saved_title, version_title
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.faq import answer_html
from blog_engine.enums import PostStatus
from blog_engine.http.zones import zone_of
from blog_engine.models import DraftVersion, Post, Revision
from blog_engine.queries.public_history import last_withholding
from blog_engine.queries.reviews import post_without_content, revision_with
from blog_engine.queries.timeline import (
    LISTED_REVISIONS,
    MOST_PAGES,
    approvals_of_content,
    newest_revisions,
    releases_of,
    timeline_of,
)
from blog_engine.queries.versions import PostVersion, present_payload, versions_of
from blog_engine.reader.page import page_number
from blog_engine.rendering.bodies import render_body
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.dates import date_and_time
from blog_engine.rules.proposals import PROPOSABLE_STATUSES

_FACTS: Final = [name for name in REVISION_TEXTS if name not in {"title", "description", "author", "language"}]
"""The texts of a revision that its page shows below the article."""
_UNRECORDED: Final = (PostStatus.DRAFT, PostStatus.SCHEDULED)
"""The statuses in which the history does not have the text."""


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
        versions = versions_of(post.pk) if is_first else []
        page = timeline_of(post, number=number, newest=newest)
        if not is_first and not page.events:
            raise Http404
        return self.post_page(
            "history.html",
            title=pgettext("admin", "History"),
            events=[event_text(event, zone_of(request)) for event in page.events],
            timeline=page,
            unrecorded=_unrecorded(post, newest) if is_first else "",
            versions=[(saved_title(one.saved_at, one.actor), one.identifier) for one in versions],
            are_versions_open=post.status in _UNRECORDED,
            choices=version_choices(post, newest, versions) if is_first else [],
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


def version_choices(post: Post, newest: Iterable[Revision], versions: Iterable[DraftVersion]) -> list[tuple[str, str]]:
    """Return what a form offers, with labels: draft, public, the newest revisions and the versions of the draft."""
    choices = [("draft", _("Present version"))]
    if post.public_revision_id is not None:
        choices.append(("public", _("Version that was public last")))
    for revision in newest:
        names = {"time": date_and_time(revision.created_at), "identifier": revision.identifier[:12]}
        choices.append((revision.identifier, _("%(time)s, %(identifier)s") % names))
    revised = {revision.identifier for revision in newest}
    others = {one.identifier: one for one in versions if one.identifier not in revised}
    return choices + [(one.identifier, saved_title(one.saved_at, one.actor)) for one in others.values()]


class RevisionView(PostPage):
    """A revision or a version of a draft as it was: its content, and what the history says of it."""

    permissions = ANY_OF_POSTS

    def find(self, post_id: int) -> Post | None:
        return post_without_content(post_id)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        post = self.record
        version = found_version(post, self.kwargs["identifier"])
        content = json.loads(version.payload)
        rendered = render_body(
            content["body"],
            version.body_format or post.body_format,
            footnote_prefix="fn-",
            language=content.get("language", ""),
        )
        identifier = version.identifier
        releases = releases_of(post.pk, identifier)
        withheld = last_withholding(post.pk, identifier) if releases else None
        return self.post_page(
            "revision.html",
            title=version_title(version),
            revision=version,
            days=get_settings().versions.days,
            continue_url=self.url("continue", post.pk, identifier) if may_continue(request, post) else "",
            is_present=identifier == post.current_revision_identifier,
            is_at_once=post.status not in PROPOSABLE_STATUSES,
            content=content,
            body=mark_safe(rendered.html),  # noqa: S308 - the renderer's output went through its allow list
            # Escapes all but its own tags.
            faq=[(pair["question"], mark_safe(answer_html(pair["answer"]))) for pair in content["faq"]],  # noqa: S308
            facts=[(field_label(name), content[name]) for name in _FACTS if content.get(name)],
            images=image_lines(content),
            pictures=_pictures(content, BlogURLs.on(self.base_url)),
            authorship=authorship(version.actor, version.made_by_ai),
            approvals=[approval_sentence(approval) for approval in approvals_of_content(post.pk, identifier)],
            publications=releases,
            is_public=version.is_revision and identifier == post.public_revision_identifier,
            compare_url=f"{self.url('compare', post.pk)}?from={identifier}&to=draft",
            withheld=withheld if withheld and withheld.is_withheld else None,
            withhold_url=self.url("withhold", post.pk, identifier)
            if releases and may(request, Permission.PUBLISH)
            else "",
        )


def _pictures(content: dict[str, Any], urls: BlogURLs) -> list[tuple[str, str]]:
    """Return the paths and descriptions of the cover and the social image; those of the body are in the body."""
    stored = [image for image in content["images"] if image["role"] != "body" and image["sha256"]]
    return [(urls.media_path(one["sha256"], name_in_path(one["url"])), one["alt"]) for one in stored]


class CompareRevisionsView(PostPage):
    """The differences between two versions, each named by its identifier, ``public`` or ``draft``."""

    permissions = ANY_OF_POSTS

    @cached_property
    def _versions(self) -> dict[str, PostVersion]:
        """The versions that are compared, by their identifiers."""
        return {}

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        post = self.record
        names = [request.GET.get(name, default) for name, default in (("from", "public"), ("to", "draft"))]
        if names[0] == "public" and "from" not in request.GET and post.public_revision_id is None:
            names[0] = "draft"
        old, new = (self._payload(name) for name in names)
        choices = version_choices(post, newest_revisions(post), versions_of(post.pk))
        others = [name for name in dict.fromkeys(names) if name not in dict(choices)]
        choices += [(name, version_title(self._versions[name])) for name in others if name in self._versions]
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
        self._versions[name] = found_version(post, name)
        return self._versions[name].payload
