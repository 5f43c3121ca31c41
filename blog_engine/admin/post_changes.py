"""Conflict and confirmation pages of the editor: both versions of each field, and their difference."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.http import QueryDict

from blog_engine.admin._comparison import FieldDifference
from blog_engine.admin.merging import BODY, Parts
from blog_engine.admin.post_form import REVISED, PostForm
from blog_engine.content.differences import Steps, TextDifference, text_difference
from blog_engine.content.merging import Overlap

_OF_OTHER_FORMS: Final = (
    *("csrfmiddlewaretoken", "confirmed", "change", "note", "change_description"),
    *("back", "version", "opened", "base", "save", "propose"),
)
_OF_CHOICES: Final = ("take_", "part_", "theirs_", "mine_")
"""The beginnings of the fields of the page on which versions are chosen."""


@dataclass(frozen=True, slots=True)
class PassageVersions:
    """A passage of the text that both writers changed."""

    number: int
    mine: str
    theirs: str
    difference: TextDifference
    """From what both began with to the other version."""


@dataclass(frozen=True, slots=True)
class FieldVersions:
    """A field that another writer changed."""

    name: str
    label: str
    is_mine: bool
    """Whether this writer changed it as well, and must choose."""
    mine: str
    theirs: str
    difference: TextDifference
    """From the other version to this writer's, or from what this writer saw to the other version."""
    passages: tuple[PassageVersions, ...] = ()
    """What both changed in the text, if it is asked about passage by passage."""


def both_versions(form: PostForm, asked: set[str], parts: Parts | None) -> list[FieldVersions]:
    """Return the fields that were changed since the form was opened; those to choose from are first.

    ``parts`` are those of the text, if both changed passages of it.
    """
    steps = Steps()
    versions = [_versions(form, name, steps, is_mine=name in asked) for name in form.EDITED if name in form.theirs]
    chosen = tuple(
        PassageVersions(number, part.proposed, part.present, text_difference(part.base, part.present, steps=steps))
        for number, part in enumerate(parts or ())
        if isinstance(part, Overlap)
    )
    found = [replace(one, passages=chosen) if one.name == BODY and one.is_mine else one for one in versions]
    return sorted(found, key=lambda one: not one.is_mine)


def _versions(form: PostForm, name: str, steps: Steps, *, is_mine: bool) -> FieldVersions:
    field = form.fields[name]
    sent = form.text_of(name, form.cleaned_data.get(name))
    stored = form.text_of(name, form.stored_value(name))
    return FieldVersions(
        name=name,
        label=str(field.label),
        is_mine=is_mine,
        mine=sent,
        theirs=stored,
        difference=text_difference(*((stored, sent) if is_mine else (sent, stored)), steps=steps),
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
    names = [name for name in data if name not in left_out and not name.startswith(_OF_CHOICES)]
    sent = [(name, value) for name in names for value in data.getlist(name)]
    return [*sent, *((name, str(form.initial[name])) for name in ("version", "opened", "base"))]
