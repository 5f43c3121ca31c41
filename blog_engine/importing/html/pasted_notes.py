"""Footnotes of word processors: a reference and a note that link to each other."""

import re
from typing import Final

from blog_engine.content.html import Element, Node, text_of, walk

# Of the private use area, so that no program shows a meaning for them.
_OPEN, _CLOSE, _NOTE = "\ue0f0", "\ue0f1", "\ue0f2"
_SIGNS: Final = re.compile(f"[{_OPEN}{_CLOSE}{_NOTE}]")
_REFERENCE: Final = re.compile(rf"{_OPEN}(\d+){_CLOSE}")
_BODY: Final = re.compile(rf"^{_NOTE}(\d+){_CLOSE}[ \t]*", re.MULTILINE)
_SEPARATOR: Final = re.compile(r"mso-element:\s*footnote-list|mso-element:\s*endnote-list", re.I)


def without_signs(html: str) -> str:
    """Return HTML without the characters that stand for notes here."""
    return _SIGNS.sub("", html)


def mark_notes(tree: Element) -> None:
    """Replace references and notes by signs, in place, which ``write_notes`` finds in the Markdown."""
    links = [one for one in walk(tree) if one.name == "a" and one.attrs.get("href", "").startswith("#")]
    by_name = {name: link for link in links for name in (link.attrs.get("name"), link.attrs.get("id")) if name}
    number = 0
    for link in links:
        note = by_name.get(link.attrs.get("href", "")[1:])
        # Those that were replaced have no target any more.
        if note is None or note is link or by_name.get(note.attrs.get("href", "")[1:]) is not link:
            continue
        number += 1
        _replace_by(link, f"{_OPEN}{number}{_CLOSE}")
        _replace_by(note, f"{_NOTE}{number}{_CLOSE}")
    if number:
        _join_notes(tree)


def write_notes(markdown: str) -> str:
    """Return Markdown with footnotes in place of the signs."""
    return _REFERENCE.sub(r"[^\1]", _BODY.sub(r"[^\1]: ", markdown))


def _replace_by(link: Element, text: str) -> None:
    link.name, link.attrs, link.children = "span", {}, [text]


def _join_notes(tree: Element) -> None:
    """Make one paragraph of each note, and take away the line above the notes, in place."""
    for element in (tree, *list(walk(tree))):
        if _SEPARATOR.search(element.attrs.get("style", "")):
            element.children = [one for one in element.children if isinstance(one, str) or one.name not in {"hr", "br"}]
        if element.name != "div" or len(element.children) == 1 or not text_of(element).lstrip().startswith(_NOTE):
            continue
        if text_of(element).count(_NOTE) == 1:
            joined: list[Node] = []
            for child in element.children:
                is_paragraph = isinstance(child, Element) and child.name == "p"
                joined += [*child.children, " "] if isinstance(child, Element) and is_paragraph else [child]
            element.name, element.children = "p", joined
