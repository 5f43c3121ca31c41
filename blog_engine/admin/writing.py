"""Writing a post: the form, the confirmation of a public change, two writers of one post, and completion of names."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from blog_engine import services
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission
from blog_engine.admin.editor import EditorView, show_refusal
from blog_engine.admin.merging import (
    BODY,
    THEIRS,
    body_of_parts,
    body_parts,
    changed_by,
    fields_of_parts,
    is_outrun,
    passages,
    put_together,
)
from blog_engine.admin.post_changes import both_versions, form_changes, hidden_fields
from blog_engine.admin.post_fields import LineField, LinesField
from blog_engine.admin.post_form import REVISED, PostForm, slug_for_title, version_of
from blog_engine.admin.taking_over import data_of_proposal, proposal_to_take_over
from blog_engine.admin.words import KINDS_OF_CHANGE
from blog_engine.content.text import numbered_slugs
from blog_engine.enums import Change, PostStatus
from blog_engine.errors import (
    ChangeTypeRequired,
    CorrectionNoteRequired,
    IdentityConflict,
    PostIsPublic,
    Refusal,
    RevisionMismatch,
    SlugReserved,
)
from blog_engine.findings import about_made_records
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import SavePost, UpdatePost
from blog_engine.inputs.types import LONGEST_TEXT
from blog_engine.models import Author, Category, Post, Series, Tag
from blog_engine.queries.history import last_writer
from blog_engine.queries.post_lists import slugs_beginning_with
from blog_engine.queries.posts import is_slug_in_use
from blog_engine.queries.records import names_beginning_with
from blog_engine.rules.slugs import slug_for_post
from blog_engine.services import Written


class AddPostView(EditorView):
    """A new post."""

    permissions = (Permission.WRITE,)

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.form_page(self.form_for(None))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form_for(None, request.POST, request.FILES)
        if "back" in request.POST:
            return self.form_page(form)
        if form.is_valid():
            self.store_uploads(form)
        if not form.is_valid():
            return self.form_page(form)
        try:
            written = create_post(form, form.mine, view=self)
        except Refusal as refusal:
            show_refusal(form, refusal)
            return self.form_page(form)
        self.log(written.post, pgettext("admin", "Added."))
        messages.success(request, " ".join([_("The draft was saved."), *about_made_records(written.findings)]))
        return HttpResponseRedirect(self.url("change", written.post.pk))


class KindOfChange(forms.Form):
    """The kind of a change that readers see, for the history."""

    change = forms.ChoiceField(
        label=gettext_lazy("Kind of change"),
        widget=forms.RadioSelect,
        choices=KINDS_OF_CHANGE,
    )
    note = LinesField(
        gettext_lazy("Note for readers"), gettext_lazy("For a correction: what was wrong, and what is right."), rows=3
    )
    change_description = LineField(gettext_lazy("What changed, for the history"), max_length=LONGEST_TEXT)

    def __init__(self, sent: QueryDict | None = None, *, is_asked: bool = True) -> None:
        super().__init__(sent, label_suffix="")
        if not is_asked:
            # Nothing changes that the history of readers has a kind for, such as the tags of a proposal.
            del self.fields["change"], self.fields["note"]

    def clean(self) -> dict[str, object]:
        """Check that a correction has its note."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("change") == Change.CORRECTION and not cleaned.get("note", "").strip():
            self.add_error("note", _("A correction needs a note that says what was wrong."))
        return cleaned

    def to_send(self) -> dict[str, object]:
        """Return the fields of an input; the note belongs to a correction only."""
        sent = {name: value for name, value in self.cleaned_data.items() if value}
        if sent.get("change") != Change.CORRECTION:
            sent.pop("note", None)
        return sent


class ChangePostView(EditorView):
    """A stored post. People without the permission to change it in its state can read the form.

    Those who can write, but not publish, propose changes of a public or scheduled post instead of making them.
    """

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, post_id: int) -> HttpResponse:
        post = self.stored_post(post_id)
        form = self.form_for(post)
        may_change = form.proposes or self.may_change(post)
        taken = proposal_to_take_over(request, post, now=self.now)
        if taken is None or not may_change:
            return self.form_page(form, may_change=may_change)
        form = self.form_for(post, data_of_proposal(form, taken))
        changes = form_changes(form) if form.is_valid() else []
        return self.form_page(form, taken_over=taken.proposal, changes=changes)

    def post(self, request: HttpRequest, post_id: int) -> HttpResponse:
        post = self.stored_post(post_id)
        form = self.form_for(post, self._chosen(post), request.FILES)
        if not (form.proposes or self.may_change(post)):
            raise PermissionDenied
        if "back" in request.POST or not form.is_valid() or self._is_outdated(form):
            return self.form_page(form)
        self.store_uploads(form)
        return self._save(post, form) if form.is_valid() else self.form_page(form)

    def _is_outdated(self, form: PostForm) -> bool:
        """Return whether the post was released or withdrawn since the page said what its button does."""
        if form.proposes == ("propose" in self.request.POST):
            return False
        if form.proposes:
            form.add_error(None, _("The post was released in the meantime. Nothing was saved: propose the change."))
        else:
            form.add_error(None, _("The post can be changed directly by now. Nothing was proposed: save the change."))
        return True

    def _chosen(self, post: Post) -> QueryDict:
        """Return what was sent, with the versions that the writer chose; the way back keeps those of the writer."""
        sent, is_back = self.request.POST.copy(), "back" in self.request.POST
        if (body := body_of_parts(sent, keeps_mine=is_back)) is not None:
            sent[BODY] = body
        taken = [name for name in PostForm.EDITED if sent.get(f"take_{name}") == THEIRS and not is_back]
        return self.form_for(post, sent).data_with_stored(taken) if taken else sent

    def _save(self, post: Post, form: PostForm, *, is_again: bool = False) -> HttpResponse:
        kept = ""
        if is_outrun(form):
            fields, asked = form.theirs, put_together(form)
            if asked:
                return self._conflict_page(post, form, asked)
            kept = changed_by(**self._last_writer(post), fields=fields, form=form)
        names = form.mine
        if not names:
            nothing = _("You changed nothing that can be proposed.") if form.proposes else _("Everything is saved.")
            messages.info(self.request, nothing)
            return HttpResponseRedirect(self.url("change", post.pk))
        kind = None
        if "confirmed" in self.request.POST:
            kind = KindOfChange(self.request.POST, is_asked=not form.proposes or bool(names & REVISED))
        is_asked = form.proposes or (post.status == PostStatus.PUBLISHED and names & REVISED)
        if is_asked and (kind is None or kept or not kind.is_valid()):
            return self._confirmation_page(post, form, kind, kept)
        sent = kind.to_send() if kind and kind.is_valid() else {}
        if form.proposes:
            sent["propose"] = True
        try:
            written = write_changes(form, names, view=self, kind=sent)
        except RevisionMismatch:
            # Another writer was faster than this request: what the form shows now is compared again.
            return self._save_again(post, form, is_again=is_again)
        except (ChangeTypeRequired, CorrectionNoteRequired):
            return self._confirmation_page(post, form, kind, kept)
        except Refusal as refusal:
            show_refusal(form, refusal)
            return self.form_page(form)
        if written.proposal is not None:
            self.log(post, _("A change was proposed."))
            words = _("The change is proposed. An editor applies or rejects it.")
            messages.success(self.request, words, extra_tags="proposed")
            return HttpResponseRedirect(self.url("proposal", post.pk, written.proposal))
        self.log(post, _("Changed."))
        messages.success(
            self.request,
            " ".join(filter(None, [_("The post was saved."), *about_made_records(written.findings), kept])),
        )
        return HttpResponseRedirect(self.url("change", written.post.pk))

    def _save_again(self, post: Post, form: PostForm, *, is_again: bool) -> HttpResponse:
        if is_again:
            form.add_error(None, _("The post was changed in the meantime. Nothing was saved: save again."))
            return self.form_page(form)
        newer = self.stored_post(post.pk)
        form = self.form_for(newer, self._chosen(newer), self.request.FILES)
        if not (form.proposes or self.may_change(newer)):
            raise PermissionDenied
        if not form.is_valid() or self._is_outdated(form):
            return self.form_page(form)
        return self._save(newer, form, is_again=True)

    def _last_writer(self, post: Post) -> dict[str, Any]:
        name = last_writer(post)
        return {"name": name, "is_me": name == self.actor.name}

    def _conflict_page(self, post: Post, form: PostForm, asked: set[str]) -> HttpResponse:
        parts = body_parts(form) if BODY in asked else None
        chosen_by_passage = bool(passages(parts))
        versions = both_versions(form, asked, parts if chosen_by_passage else None)
        hidden = hidden_fields(form.sent, form, except_for={BODY} if chosen_by_passage else ())
        if parts and chosen_by_passage:
            hidden += fields_of_parts(parts)
        return self.page(
            "post_conflict.html",
            title=_("Two versions of this post"),
            post_title=post.title,
            post_id=post.pk,
            post=post,
            writer=self._last_writer(post),
            versions=versions,
            proposes=form.proposes,
            hidden=hidden,
        )

    def _confirmation_page(self, post: Post, form: PostForm, kind: KindOfChange | None, kept: str = "") -> HttpResponse:
        return self.page(
            "post_confirm.html",
            title=_("Propose a change") if form.proposes else _("Change what readers see"),
            post_title=post.title,
            post_id=post.pk,
            post=post,
            changes=form_changes(form),
            kept=kept,
            kind=kind or KindOfChange(is_asked=not form.proposes or bool(form.mine & REVISED)),
            proposes=form.proposes,
            hidden=hidden_fields(form.sent, form),
        )


def create_post(form: PostForm, names: set[str], *, view: DeskView) -> Written:
    """Create a draft of these fields of a valid form. Raises the refusals of ``save_draft``.

    A slug that another post has is refused: without a version, the write would go to that post. If the writer gave
    none, that of the title gets a number.
    """
    sent = form.fields_to_send(names | {"title"})
    try:
        return _create(sent, view=view)
    except (IdentityConflict, SlugReserved):
        if "slug" in sent:
            raise
    made = slug_for_post(str(sent["title"]), language=str(sent.get("language") or ""))
    numbered = (slug for slug in numbered_slugs(made) if not is_slug_in_use(slug))
    # The first of them without a number can be reserved; another writer can be faster.
    for slug in islice(numbered, 10):
        with suppress(IdentityConflict, SlugReserved):
            return _create(sent | {"slug": slug}, view=view)
    raise IdentityConflict(["slug"])


def _create(sent: dict[str, object], *, view: DeskView) -> Written:
    data = parse(SavePost, sent, fixed={"expected_version": version_of(None)})
    try:
        return services.save_draft(data, actor=view.actor, now=view.now, base_url=view.base_url)
    except (RevisionMismatch, PostIsPublic) as fault:
        raise IdentityConflict(["slug"]) from fault


def write_changes(form: PostForm, names: set[str], *, view: DeskView, kind: dict[str, object] | None = None) -> Written:
    """Write these fields of a valid form to its post. Raises the refusals of ``services.update_post``.

    The slug of a draft that was never public follows its title, if it was made from the title and is free.
    """
    assert form.post is not None  # noqa: S101 - the callers have a stored post
    sent = form.fields_to_send(names) | (kind or {})
    if "title" in names and "slug" not in names and (slug := slug_for_title(form.post, sent)):
        try:
            return _update(form.post, sent | {"slug": slug}, view=view)
        except (SlugReserved, IdentityConflict):
            # Another post took the path meanwhile: this one keeps the slug that it has.
            return _update(form.post, sent, view=view)
    return _update(form.post, sent, view=view)


def _update(post: Post, sent: dict[str, object], *, view: DeskView) -> Written:
    return services.update_post(
        parse(UpdatePost, sent, fixed={"id": str(post.pk), "expected_version": version_of(post)}),
        actor=view.actor,
        now=view.now,
        base_url=view.base_url,
    )


_MOST_NAMES: Final = 10
_COMPLETED: Final[Mapping[str, type[Author | Category | Series | Tag]]] = {
    "author": Author,
    "category": Category,
    "series": Series,
    "tag": Tag,
}


class CompletionView(DeskView):
    """The names of authors, categories, series or tags, or slugs of posts, that begin with some letters, as JSON."""

    permissions = (Permission.WRITE, Permission.PUBLISH)

    def get(self, request: HttpRequest, kind: str) -> HttpResponse:
        start = request.GET.get("q", "").replace("\0", "").strip()[:255]
        if kind == "post":
            return JsonResponse({"names": slugs_beginning_with(start, limit=_MOST_NAMES)})
        if kind not in _COMPLETED:
            raise Http404
        return JsonResponse({"names": names_beginning_with(_COMPLETED[kind], start, limit=_MOST_NAMES)})
