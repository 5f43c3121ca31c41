"""Conflict and confirmation pages of the editor: both versions of each field, and their difference."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from blog_engine.admin._comparison import FieldDifference
from blog_engine.admin.post_fields import LineField, LinesField
from blog_engine.admin.post_form import REVISED, PostForm
from blog_engine.content.differences import Steps, TextDifference, text_difference

_OF_OTHER_FORMS: Final = (
    *("csrfmiddlewaretoken", "confirmed", "change", "note", "change_description"),
    *("back", "version", "opened", "save", "propose"),
)


@dataclass(frozen=True, slots=True)
class FieldVersions:
    """A field that another writer changed."""

    name: str
    label: str
    is_mine: bool
    """Whether this writer changed it as well, and must choose."""
    is_text: bool
    """Whether the versions can be merged in a text field."""
    mine: str
    theirs: str
    difference: TextDifference
    """From the other version to this writer's, or from what this writer saw to the other version."""
    is_long: bool = False


def both_versions(form: PostForm) -> list[FieldVersions]:
    """Return the fields that were changed since the form was opened; those to choose from are first."""
    mine, steps = form.mine, Steps()
    versions = [_versions(form, name, steps, is_mine=name in mine) for name in form.EDITED if name in form.theirs]
    return sorted(versions, key=lambda one: not one.is_mine)


def _versions(form: PostForm, name: str, steps: Steps, *, is_mine: bool) -> FieldVersions:
    field = form.fields[name]
    sent = form.text_of(name, form.cleaned_data.get(name))
    stored = form.text_of(name, form.stored_value(name))
    return FieldVersions(
        name=name,
        label=str(field.label),
        is_mine=is_mine,
        is_text=isinstance(field, LineField | LinesField),
        mine=sent,
        theirs=stored,
        difference=text_difference(*((stored, sent) if is_mine else (sent, stored)), steps=steps),
        is_long=isinstance(field, LinesField),
    )


def form_changes(form: PostForm) -> list[FieldDifference]:
    """Return what a valid form changes of the reviewed content, and then of the rest."""
    mine, steps = form.mine, Steps()
    names = sorted((name for name in form.EDITED if name in mine), key=lambda name: name not in REVISED)
    versions = [_versions(form, name, steps, is_mine=True) for name in names]
    return [FieldDifference(one.label, one.difference) for one in versions]


def hidden_fields(data: QueryDict, form: PostForm, *, except_for: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return everything that was sent for the form, with the digests and the version of the present post."""
    left_out = {*_OF_OTHER_FORMS, *except_for}
    names = [name for name in data if name not in left_out and not name.startswith("take_")]
    sent = [(name, value) for name in names for value in data.getlist(name)]
    return [*sent, *((name, str(form.initial[name])) for name in ("version", "opened"))]
