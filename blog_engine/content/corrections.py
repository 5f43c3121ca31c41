"""Corrections as texts and feeds show them."""

from typing import NamedTuple


class DatedNote(NamedTuple):
    """The note of a correction, and its date in words."""

    date: str
    note: str
