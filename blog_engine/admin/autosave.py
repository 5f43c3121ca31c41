"""Drafts that save themselves while they are written. All answers are JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
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
from blog_engine.admin.merging import BODY, changed_by, is_outrun, line_changes, put_together, shown_by_scripts
from blog_engine.admin.post_form import PostForm, opened_with, version_of
from blog_engine.admin.post_page import state_of
from blog_engine.admin.words import sentence_for
from blog_engine.admin.writing import create_post, write_changes
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.models import Author, Category, Post, Series
from blog_engine.queries.history import last_writer
from blog_engine.queries.records import authors_named, same_named, tags_named
from blog_engine.rules.content_fields import BY_CONTROL, FieldPlace
from blog_engine.services import Written

_AT_ONCE: Final = frozenset(name for name, one in BY_CONTROL.items() if FieldPlace.AUTOSAVE not in one.absent)
"""Fields that a draft saves by itself. The others wait for the writer: they make records, or are taken by one post."""
_NAMED: Final[Mapping[str, type[Author | Category | Series]]] = {
    "author": Author,
    "category": Category,
    "series": Series,
}
_SET_BY_SERVICES: Final = ("slug", "author", "coauthors", "provenance_evidence")
"""Fields to which a write can give other values than those that were sent."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A post after a request, and the write if it made one."""

    post: Post
    written: Written | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """The words for the writer beside that the draft is saved."""

    words: str
    errors: dict[str, str]
    """What is wrong with fields, by their names."""
    is_complete: bool
    """Whether nothing of the form is left to be saved."""
    kept: frozenset[str]
    """Fields whose value is not saved, so that the page keeps what was typed."""


class AutosaveView(EditorView):
    """Saves what was typed in a draft, also one that is new, and says what waits for the writer to save.

    ``state`` is ``saved``, ``unchanged``, ``merged`` when only others changed the post, ``conflict`` when both changed
    the same, or ``refused``. Fields with errors and half-typed names of new records are left out, unless ``whole`` is
    sent, as by the button Save; only that leaves a line in the log of the admin. With ``check``, nothing is saved.
    """

    permissions = (Permission.WRITE,)
    is_once = False
    _is_again = False

    def post(self, request: HttpRequest, post_id: int | None = None) -> HttpResponse:
        post = None if post_id is None else self.stored_post(post_id)
        form = self.form_for(post, request.POST)
        is_valid = form.is_valid()
        if "check" in request.POST:
            return _answer("checked", _errors(form), errors=_faults(form))
        if post is not None and post.status != PostStatus.DRAFT:
            return _answer("refused", _("Only drafts save themselves. Press Save."))
        is_whole = "whole" in request.POST
        if is_whole and not is_valid and (post is not None or form.errors.keys() != {"title"}):
            return _answer("refused", _errors(form), errors=_faults(form))
        sent, came_in = form.cleaned_data.get(BODY, ""), set[str]()
        if post is not None and is_outrun(form):
            came_in = form.theirs
            if put_together(form):
                return self._conflict(post)
        changed = form.mine
        at_once = _AT_ONCE if post else _AT_ONCE | {"slug"}
        names = {name for name in changed if is_whole or name in at_once or _is_stored(name, form)}
        waiting = [str(form.fields[name].label) for name in form.EDITED if name in changed - names]
        notes = [_waiting(waiting), _errors(form)]
        if post is not None and came_in:
            writer = last_writer(post)
            is_me = writer == self.actor.name
            notes.insert(0, changed_by(writer, is_me=is_me, fields=came_in, form=form))
        kept = frozenset({*form.errors, *(changed - names)})
        note = Note(" ".join(filter(None, notes)), _faults(form), is_complete=not any(notes[-2:]), kept=kept)
        if not names:
            if post is not None and came_in:
                return self._saved(Saved(post), note, form=form, sent=sent, came_in=came_in)
            words = _("Everything is saved.") if note.is_complete and post else note.words
            return _answer("unchanged", words, is_complete=note.is_complete, errors=note.errors)
        if post is None and "title" not in form.cleaned_data:
            # A draft is not lost because its writer begins with the text.
            form.cleaned_data["title"] = _("Untitled")
            note = Note(_waiting(waiting), {}, is_complete=not waiting, kept=kept - {"title"})
        try:
            written = create_post(form, names, view=self) if post is None else write_changes(form, names, view=self)
        except RevisionMismatch:
            # Another writer was faster than this request: once more with what is stored now.
            if post is None or self._is_again:
                return self._conflict(self.stored_post(post.pk if post else 0))
            self._is_again = True
            return self.post(request, post.pk)
        except Refusal as refusal:
            return _answer("refused", sentence_for(refusal, next(iter(refusal.details), None)))
        if is_whole:
            self.log(written.post, pgettext("admin", "Added.") if written.created else _("Changed."))
        return self._saved(Saved(written.post, written), note, form=form, sent=sent, came_in=came_in)

    def _saved(self, saved: Saved, note: Note, *, form: PostForm, sent: str, came_in: set[str]) -> HttpResponse:
        post, written = saved.post, saved.written
        now = self.form_for(post)
        shown = {name for name in came_in if shown_by_scripts(form, name)}
        # A page that does not show a value yet does not know it: what it sends of it is no change.
        known = now.stored_digests | {name: form.opened_digests[name] for name in came_in - shown}
        words = _("Saved at %(time)s") % {"time": time_format(localtime(self.now), "TIME_FORMAT")} if written else ""
        values = {name: now[name].value() for name in {*_SET_BY_SERVICES, *shown} - {BODY} - note.kept}
        more: dict[str, object] = {}
        stored = str(now.stored_value(BODY))
        if stored != sent:
            more["base"] = stored
            more["lines"] = line_changes(sent, stored) if BODY in came_in else []
        if written is not None:
            findings = shown_findings(written.findings, now)
            more["findings"] = self._part("_findings.html", findings=findings)
        return _answer(
            "saved" if written else "merged",
            " · ".join(filter(None, [words, note.words])),
            version=version_of(post),
            opened=opened_with(known),
            values={name: "" if value is None else value for name, value in values.items()},
            came_in=sorted(shown),
            is_complete=note.is_complete,
            errors=note.errors,
            created=self._created(post) if written and written.created else None,
            **more,
        )

    def _created(self, post: Post) -> dict[str, str]:
        """Return what the page of a new post lacks: its title if it had none, its state and its URLs."""
        pages = {name: self.url(name, post.pk) for name in ("change", "autosave", "preview", "current")}
        state = state_of(post, self.request, self.url, current="change")
        return {
            **pages,
            "title": post.title,
            "check": pages["autosave"],
            "copy": self.copy_key(post),
            "bar": self._part("_states.html", post=post, state=state),
        }

    def _part(self, template: str, **context: object) -> str:
        return render_to_string(f"admin/blog_engine/{template}", context, request=self.request)

    def _conflict(self, post: Post) -> HttpResponse:
        return _answer("conflict", conflict_sentence(post, self.actor.name), version=version_of(post))


def _waiting(labels: list[str]) -> str:
    return _("Not saved until you press Save: %(fields)s.") % {"fields": ", ".join(labels)} if labels else ""


def _errors(form: PostForm) -> str:
    """Return what is wrong with fields, which the writer would otherwise learn from Save."""
    return " ".join(
        f"{form.fields[name].label}: {' '.join(map(str, form.errors[name]))}"
        for name in form.errors
        if name in form.fields
    )


def _faults(form: PostForm) -> dict[str, str]:
    return {name: " ".join(map(str, found)) for name, found in form.errors.items() if name in form.fields}


def _is_stored(field: str, form: PostForm) -> bool:
    """Return whether a field names only records that exist."""
    value: Any = form.cleaned_data[field]
    if field == "tags":
        return tags_named(value).count() >= len(value)
    if field == "coauthors":
        others = set(value) - set(form.post.byline if form.post else ())
        return len(authors_named(others)) == len(others)
    return field in _NAMED and (not value or same_named(_NAMED[field], value) is not None)


def _answer(state: str, message: str, **more: object) -> JsonResponse:
    return JsonResponse({"state": state, "message": message, **more})
