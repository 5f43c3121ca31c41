"""Drafts that save themselves while they are written. All answers are JSON."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin.base import Permission
from blog_engine.admin.editor import EditorView, shown_findings
from blog_engine.admin.editor_requests import conflict_sentence
from blog_engine.admin.post_form import PostForm, version_of
from blog_engine.admin.post_page import state_of
from blog_engine.admin.words import sentence_for
from blog_engine.admin.writing import create_post, write_changes
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.models import Author, Category, Post, Series
from blog_engine.queries.records import same_named, tags_named
from blog_engine.rules.content_fields import BY_CONTROL, FieldPlace
from blog_engine.services import Written

_AT_ONCE: Final = frozenset(name for name, one in BY_CONTROL.items() if FieldPlace.AUTOSAVE not in one.absent)
"""Fields that a draft saves by itself. The others wait for the writer: they make records, or are taken by one post."""
_NAMED: Final[Mapping[str, type[Author | Category | Series]]] = {
    "author": Author,
    "category": Category,
    "series": Series,
}
_SET_BY_SERVICES: Final = ("slug", "author", "provenance_evidence")
"""Fields to which a write can give other values than those that were sent."""


class AutosaveView(EditorView):
    """Saves what was typed in a draft, also one that is new, and says what waits for the writer to save.

    ``state`` is ``saved``, ``unchanged``, ``conflict`` when somebody else changed the post, or ``refused``. Fields with
    errors and half-typed names of new records are left out, unless ``whole`` is sent, as by the button Save; only
    that leaves a line in the log of the admin.
    """

    permissions = (Permission.WRITE,)

    def post(self, request: HttpRequest, post_id: int | None = None) -> HttpResponse:
        post = None if post_id is None else self.stored_post(post_id)
        form = self.form_for(post, request.POST)
        is_valid = form.is_valid()
        if post is not None:
            if post.status != PostStatus.DRAFT:
                return _answer("refused", _("Only drafts save themselves. Press Save."))
            if form.opened_version != version_of(post) and form.theirs:
                return self._conflict(post)
        is_whole = "whole" in request.POST
        if is_whole and not is_valid and (post is not None or form.errors.keys() != {"title"}):
            return _answer("refused", _errors(form))
        changed = form.mine
        at_once = _AT_ONCE if post else _AT_ONCE | {"slug"}
        names = {name for name in changed if is_whole or name in at_once or _is_stored(name, form.cleaned_data[name])}
        waiting = [str(form.fields[name].label) for name in form.EDITED if name in changed - names]
        notes = [_waiting(waiting), _errors(form)]
        if not names:
            is_complete = not any(notes)
            words = _("Everything is saved.") if is_complete and post else " ".join(filter(None, notes))
            return _answer("unchanged", words, is_complete=is_complete)
        if post is None and "title" not in form.cleaned_data:
            # A draft is not lost because its writer begins with the text.
            form.cleaned_data["title"] = _("Untitled")
            notes = [_waiting(waiting)]
        try:
            written = create_post(form, names, view=self) if post is None else write_changes(form, names, view=self)
        except RevisionMismatch:
            return self._conflict(self.stored_post(post.pk if post else 0))
        except Refusal as refusal:
            return _answer("refused", sentence_for(refusal, next(iter(refusal.details), None)))
        if is_whole:
            self.log(written.post, pgettext("admin", "Added.") if written.created else _("Changed."))
        return self._saved(written, " ".join(filter(None, notes)))

    def _saved(self, written: Written, note: str) -> HttpResponse:
        post = written.post
        form = self.form_for(post)
        words = _("Saved at %(time)s") % {"time": time_format(localtime(self.now), "TIME_FORMAT")}
        return _answer(
            "saved",
            " · ".join(filter(None, [words, note])),
            version=version_of(post),
            opened=form.initial["opened"],
            values={name: form[name].value() or "" for name in _SET_BY_SERVICES},
            is_complete=not note,
            findings=self._part("_findings.html", findings=shown_findings(written.findings, form)),
            created=self._created(post) if written.created else None,
        )

    def _created(self, post: Post) -> dict[str, str]:
        """Return what the page of a new post lacks: its title if it had none, its state and its URLs."""
        pages = {name: self.url(name, post.pk) for name in ("change", "autosave", "preview", "current")}
        state = state_of(post, self.request, self.url, current="change")
        return {
            **pages,
            "title": post.title,
            "copy": self.copy_key(post),
            "bar": self._part("_states.html", post=post, state=state),
        }

    def _part(self, template: str, **context: object) -> str:
        return render_to_string(f"admin/blog_engine/{template}", context, request=self.request)

    def _conflict(self, post: Post) -> HttpResponse:
        return _answer("conflict", conflict_sentence(post), version=version_of(post))


def _waiting(labels: list[str]) -> str:
    return _("Not saved until you press Save: %(fields)s.") % {"fields": ", ".join(labels)} if labels else ""


def _errors(form: PostForm) -> str:
    """Return what is wrong with fields, which the writer would otherwise learn from Save."""
    return " ".join(
        f"{form.fields[name].label}: {' '.join(map(str, form.errors[name]))}"
        for name in form.errors
        if name in form.fields
    )


def _is_stored(field: str, value: Any) -> bool:
    """Return whether a field names only records that exist."""
    if field == "tags":
        return tags_named(value).count() >= len(value)
    return field in _NAMED and (not value or same_named(_NAMED[field], value) is not None)


def _answer(state: str, message: str, **more: object) -> JsonResponse:
    return JsonResponse({"state": state, "message": message, **more})
