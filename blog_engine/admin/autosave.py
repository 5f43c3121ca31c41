"""Drafts that save themselves while they are written, and the present version of a post. All answers are JSON."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from blog_engine.admin.base import ANY_OF_POSTS, Permission
from blog_engine.admin.editor import EditorView, shown_findings
from blog_engine.admin.post_form import version_of
from blog_engine.admin.words import sentence_for
from blog_engine.admin.writing import create_post, write_changes
from blog_engine.enums import PostStatus
from blog_engine.errors import IdentityConflict, Refusal, RevisionMismatch, SlugReserved
from blog_engine.models import Author, Category, Post, Series, Tag
from blog_engine.queries.records import records_named
from blog_engine.rules.content_fields import BY_CONTROL, FieldPlace
from blog_engine.services import Written

_AT_ONCE: Final = frozenset(name for name, one in BY_CONTROL.items() if FieldPlace.AUTOSAVE not in one.absent)
"""Fields that a draft saves by itself. The others wait for the writer: they make records, or are taken by one post."""
_NAMED: Final[Mapping[str, type[Author | Category | Series | Tag]]] = {
    "author": Author,
    "category": Category,
    "series": Series,
    "tags": Tag,
}
_SET_BY_SERVICES: Final = ("slug", "author", "provenance_evidence", "made_by_ai")
"""Fields to which a write can give other values than those that were sent."""


class AutosaveView(EditorView):
    """Saves what was typed in a draft, also one that is new, and says what waits for the writer to save.

    ``state`` is ``saved``, ``unchanged``, ``conflict`` when somebody else changed the post, or ``refused``. Fields with
    errors and half-typed names of new records are left out. It leaves no line in the log of the admin.
    """

    permissions = (Permission.WRITE,)

    def post(self, request: HttpRequest, post_id: int | None = None) -> HttpResponse:
        post = None if post_id is None else self.stored_post(post_id)
        form = self.form_for(post, request.POST)
        form.is_valid()
        if post is not None:
            if post.status != PostStatus.DRAFT:
                return _answer("refused", _("Only drafts save themselves. Press Save."))
            if form.opened_version != version_of(post) and form.theirs:
                return self._conflict(post)
        if "title" in form.errors or "title" not in form.cleaned_data:
            return _answer("unchanged", _("A draft is saved as soon as it has a title."))
        changed = form.mine
        at_once = _AT_ONCE if post else _AT_ONCE | {"slug"}
        names = {name for name in changed if name in at_once or _is_stored(name, form.cleaned_data[name])}
        waiting = [str(form.fields[name].label) for name in form.EDITED if name in (changed - names) | set(form.errors)]
        if not names:
            return _answer("unchanged", _waiting(waiting))
        try:
            written = create_post(form, names, view=self) if post is None else write_changes(form, names, view=self)
        except RevisionMismatch:
            return self._conflict(self.stored_post(post.pk if post else 0))
        except (IdentityConflict, SlugReserved):
            return _answer(
                "refused",
                _("Not saved: another post has the URL of this title. Enter the last part of the URL yourself."),
            )
        except Refusal as refusal:
            return _answer("refused", sentence_for(refusal, next(iter(refusal.details), None)))
        return self._saved(written, waiting)

    def _saved(self, written: Written, waiting: list[str]) -> HttpResponse:
        post = written.post
        form = self.form_for(post)
        words = _("Saved at %(time)s") % {"time": time_format(localtime(self.now), "TIME_FORMAT")}
        pages = ("change", "autosave", "preview", "current")
        return _answer(
            "saved",
            " · ".join(filter(None, [words, _waiting(waiting)])),
            version=version_of(post),
            opened=form.initial["opened"],
            values={name: form[name].value() or "" for name in _SET_BY_SERVICES},
            pages={name: self.url(name, post.pk) for name in pages} if written.created else {},
            is_complete=not waiting,
            findings=render_to_string(
                "admin/blog_engine/_findings.html", {"findings": shown_findings(written.findings, form)}
            ),
        )

    def _conflict(self, post: Post) -> HttpResponse:
        return _answer("conflict", _conflict_sentence(post), version=version_of(post))


class PostVersionView(EditorView):
    """The present version of a post, for a page that gets the focus again."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, post_id: int) -> HttpResponse:
        post = self.stored_post(post_id)
        return _answer("current", _conflict_sentence(post), version=version_of(post))


def _conflict_sentence(post: Post) -> str:
    if post.unrecorded_actor:
        words = _("%(name)s saved another version of this post. Save to see both versions; nothing is overwritten.")
        return words % {"name": post.unrecorded_actor}
    return _("Somebody saved another version of this post. Save to see both versions; nothing is overwritten.")


def _waiting(labels: list[str]) -> str:
    return _("Not saved until you press Save: %(fields)s.") % {"fields": ", ".join(labels)} if labels else ""


def _is_stored(field: str, value: Any) -> bool:
    """Return whether a field names only records that exist."""
    if field not in _NAMED:
        return False
    names = [value] if isinstance(value, str) else value
    wanted = [name for name in names if name]
    return records_named(_NAMED[field], wanted).count() >= len(wanted)


def _answer(state: str, message: str, **more: object) -> JsonResponse:
    return JsonResponse({"state": state, "message": message, **more})
