"""Checks that name the categories, series, authors and tags that a write makes because none has the name sent."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding, MadeKind, Subject
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.queries.records import near_names

_MOST_TAGS: Final = 10
"""The new tags of a write that are named, and compared with the others."""


def author_created(subject: Subject) -> Finding | None:
    message = _("The author “%(name)s” is new.")
    near = _("The author “%(name)s” is new, and there is “%(near)s”: use that name if it is the same author.")
    return _made(subject, Author, message, near)


def category_created(subject: Subject) -> Finding | None:
    message = _("The category “%(name)s” is new.")
    near = _("The category “%(name)s” is new, and there is “%(near)s”: use that name if you meant it.")
    return _made(subject, Category, message, near)


def series_created(subject: Subject) -> Finding | None:
    message = _("The series “%(name)s” is new.")
    near = _("The series “%(name)s” is new, and there is “%(near)s”: use that name if you meant it.")
    return _made(subject, Series, message, near)


def _made(subject: Subject, model: MadeKind, message: str, near: str) -> Finding | None:
    for name in subject.write.made.get(model, ()):
        kind, other = str(model._meta.model_name), near_names(model, [name]).get(name)
        values = {"name": name, "near": other}
        return Finding.of(f"{kind}_created", None, near if other else message, kind, values=values)
    return None


def tag_created(subject: Subject) -> Finding | None:
    made = subject.write.made.get(Tag, ())
    if not made:
        return None
    named = made[:_MOST_TAGS]
    values = {"names": ", ".join([*(f"“{name}”" for name in named), *(["…"] if len(made) > len(named) else [])])}
    near = near_names(Tag, named)
    if not near:
        return Finding.of("tag_created", None, _("These tags are new: %(names)s."), "tags", values=values)
    message = _(
        "These tags are new: %(names)s. Others have nearly the same name: %(near)s. Use those names if you meant them."
    )
    values["near"] = ", ".join(f"“{other}” (“{name}”)" for name, other in near.items())
    return Finding.of("tag_created", None, message, "tags", values=values)


_ABOUT: Final = frozenset(check.__name__ for check in (author_created, category_created, series_created, tag_created))


def about_made_records(findings: Iterable[Finding]) -> list[str]:
    """Return the messages of those findings that are about new records, in the active language."""
    return [finding.translated for finding in findings if finding.code in _ABOUT]
