"""What a list page calls itself (reader.md 3, 13)."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from blog_engine.conf import get_settings
from blog_engine.models import Author, Tag
from blog_engine.queries.listings import Subject
from blog_engine.reader.collection_page import numbered
from blog_engine.vocabulary import ListKind


class ListWords(NamedTuple):
    """``heading`` is the page's ``h1``, ``title`` that of the browser's window without the suffix of the site."""

    heading: str
    title: str
    description: str


def words_of(kind: ListKind, subject: Subject, *, number: int) -> ListWords:
    """The words of one page of a list, in the active language."""
    heading = _("Tagged: %(name)s") % {"name": subject.name} if kind is ListKind.TAG else subject.name
    if number > 1:
        return ListWords(heading, numbered(heading, number), _of_page(kind, subject.name, number))
    return ListWords(heading, heading, _own_description(subject) or _of_list(kind, subject.name))


def _own_description(subject: Subject) -> str:
    if isinstance(subject, Tag):
        return ""
    return (subject.bio if isinstance(subject, Author) else subject.description).strip()


def _of_list(kind: ListKind, name: str) -> str:
    words = {"name": name, "site": get_settings().site_name}
    match kind:
        case ListKind.CATEGORY:
            return _("Posts about %(name)s — %(site)s.") % words
        case ListKind.TAG:
            return _("Posts tagged %(name)s — %(site)s.") % words
        case ListKind.AUTHOR:
            return _("Posts by %(name)s — %(site)s.") % words
        case ListKind.SERIES:
            return _("Posts in %(name)s — %(site)s.") % words


def _of_page(kind: ListKind, name: str, number: int) -> str:
    words = {"name": name, "site": get_settings().site_name, "number": number}
    match kind:
        case ListKind.CATEGORY:
            return _("Page %(number)d of the posts about %(name)s — %(site)s.") % words
        case ListKind.TAG:
            return _("Page %(number)d of the posts tagged %(name)s — %(site)s.") % words
        case ListKind.AUTHOR:
            return _("Page %(number)d of the posts by %(name)s — %(site)s.") % words
        case ListKind.SERIES:
            return _("Page %(number)d of the posts in %(name)s — %(site)s.") % words
