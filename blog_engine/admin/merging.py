"""Two writers of one post: their changes in different passages are put together, and the others are asked about."""

from collections.abc import Iterator
from typing import Final

from django.http import QueryDict
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin.post_fields import RowsField
from blog_engine.admin.post_form import PostForm, version_of
from blog_engine.content.differences import Steps, changed_lines
from blog_engine.content.merging import Overlap, merged_parts

BODY: Final = "body"
MOST_PASSAGES: Final = 20
"""More passages that both changed are asked about as one text: Django accepts a thousand fields in one form."""
THEIRS: Final = "theirs"
MINE: Final = "mine"
BOTH: Final = "both"
_SHOWN_AS_IMAGES: Final = ("cover_image", "social_image")

Parts = list[str | Overlap]


def is_outrun(form: PostForm) -> bool:
    """Return whether another write changed what a valid form shows since it was opened."""
    return form.opened_version != version_of(form.post) and bool(form.theirs)


def put_together(form: PostForm) -> set[str]:
    """Give a valid form the changes that others made to its text, and return the fields that both changed otherwise."""
    asked = form.mine & form.theirs
    data = form.data_with_stored(form.theirs - asked)
    if BODY in asked and (parts := body_parts(form)) and len(parts) == 1:
        data[BODY] = form.cleaned_data[BODY] = str(parts[0])
        asked.discard(BODY)
    form.data = form.sent = data
    return asked


def body_parts(form: PostForm) -> Parts | None:
    """Return the text of both writers in parts, or ``None`` if the form did not bring the text that it began with."""
    if form.base_body is None:
        return None
    return merged_parts(form.base_body, str(form.cleaned_data[BODY]), str(form.stored_value(BODY)))


def passages(parts: Parts | None) -> list[Overlap]:
    """Return the passages to choose a version of; none if there are too many to choose one by one."""
    found = [part for part in parts or () if isinstance(part, Overlap)]
    return found if len(found) <= MOST_PASSAGES else []


def fields_of_parts(parts: Parts) -> Iterator[tuple[str, str]]:
    """Yield the hidden fields from which ``body_of_parts`` makes a text."""
    for number, part in enumerate(parts):
        if isinstance(part, Overlap):
            yield f"theirs_{number}", part.present
            yield f"mine_{number}", part.proposed
        else:
            yield f"part_{number}", part


def body_of_parts(sent: QueryDict, *, keeps_mine: bool) -> str | None:
    """Return the text of the chosen passages, or ``None`` if none were asked about; theirs where none is chosen."""
    if "part_0" not in sent:
        return None
    made, number = list[str](), 0
    while f"part_{number}" in sent or f"theirs_{number}" in sent:
        if f"part_{number}" in sent:
            made.append(_lines(sent, f"part_{number}"))
        else:
            theirs, mine = _lines(sent, f"theirs_{number}"), _lines(sent, f"mine_{number}")
            choice = MINE if keeps_mine else sent.get(f"take_{number}")
            both = "\n\n".join(filter(None, [theirs.rstrip("\n"), mine]))
            made.append({MINE: mine, BOTH: both}.get(str(choice), theirs))
        number += 1
    return "".join(made)


def _lines(sent: QueryDict, name: str) -> str:
    return sent.get(name, "").replace("\r\n", "\n")


def changed_by(name: str | None, *, is_me: bool, fields: set[str], form: PostForm) -> str:
    """Return the sentence about changes of others that were kept beside those of this writer."""
    labels = [str(form.fields[one].label) for one in form.EDITED if one in fields]
    words = {"name": name or _("Somebody"), "fields": get_text_list(labels, pgettext("list", "and"))}
    if is_me:
        return _("You changed this post in another window too: %(fields)s. Both changes are kept.") % words
    return _("%(name)s changed this post while you were writing: %(fields)s. Both changes are kept.") % words


def shown_by_scripts(form: PostForm, name: str) -> bool:
    """Return whether a script can show another value of a field; rows and pictures need the page again."""
    return not isinstance(form.fields[name], RowsField) and name not in _SHOWN_AS_IMAGES


def line_changes(old: str, new: str) -> list[tuple[int, int, str]]:
    """Return how a text becomes another one: index of the line, number of lines that go, and the text that comes."""
    found, line = list[tuple[int, int, str]](), 0
    for removed, added, kept in changed_lines(old, new, steps=Steps()):
        if removed or added:
            found.append((line, len(removed), "".join(added)))
        line += len(removed) + len(kept)
    return found
