"""Small constraint makers used by several tables."""

from enum import StrEnum

from django.db.models import CheckConstraint, Q


def one_of(field: str, words: type[StrEnum], *, name: str) -> CheckConstraint:
    """A check that the column holds one of the words."""
    return CheckConstraint(condition=Q(**{f"{field}__in": [word.value for word in words]}), name=name)


def choices(words: type[StrEnum]) -> list[tuple[str, str]]:
    """The words as field choices."""
    return [(word.value, word.value.replace("_", " ")) for word in words]
