"""Message catalogues: the German one of the engine, and those of hosts."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

_GERMAN = Path(__file__).resolve().parents[2] / "blog_engine" / "locale" / "de" / "LC_MESSAGES" / "django.po"
_PLACE = re.compile(r"%\\\(\w+\\\)[sd]|\\\{\w+\\\}")
_TAG = re.compile(r"</?\w+>")
_MARKED = re.compile(r"«[^«»]*»")


def _german() -> Catalog:
    with _GERMAN.open("rb") as file:
        return read_po(file, locale="de")


def _texts(one_or_more: str | Sequence[str] | None) -> Sequence[str]:
    return [one_or_more or ""] if isinstance(one_or_more, str | None) else one_or_more


def english_messages() -> re.Pattern[str]:
    """Return a pattern of the English messages that differ in German."""
    found: list[str] = []
    for message in _german():
        strings = _texts(message.string)
        found += [text for text in _texts(message.id) if text and text not in strings]
    patterns = (_PLACE.sub(".+", re.escape(_TAG.sub("", text))) for text in found)
    return re.compile("|".join(rf"(?<!\w){pattern}(?!\w)" for pattern in patterns))


def marked_language(folder: Path, code: str) -> str:
    """Write a complete catalogue with every message in «» and return its folder."""
    made = Catalog(locale=code)
    for message in _german():
        if message.pluralizable:
            made.add(message.id, tuple(f"«{text}»" for text in message.id), context=message.context)
        elif message.id:
            made.add(message.id, f"«{message.id}»", context=message.context)
    return _compile(made, folder)


def unmarked(texts: list[str]) -> str:
    """Return the parts of the texts outside of «»."""
    text = " ".join(texts)
    while _MARKED.search(text):
        text = _MARKED.sub("", text)
    return text


def compile_language(folder: Path, code: str, words: Mapping[str, str]) -> str:
    """Write a host's catalogue of some messages and return its folder."""
    made = Catalog(locale=code)
    for message, translation in words.items():
        made.add(message, translation)
    return _compile(made, folder)


def _compile(catalogue: Catalog, folder: Path) -> str:
    compiled = folder / str(catalogue.locale) / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, catalogue)
    return str(folder)
