"""Hugo's shortcodes as Markdown: those that every Hugo has; the others are named and left out."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from blog_engine.importing.markdown.text import (
    ClosingTags,
    CodeRanges,
    LineStarts,
    fence,
    image_markdown,
    link_markdown,
)
from blog_engine.importing.source import Losses, LossKind

_OPENING: Final = re.compile(r"\{\{([<%])")
_PARAMETER: Final = re.compile(r"""(?:([\w-]+)\s*=\s*)?("(?:[^"\\]|\\.)*+"|`[^`]*+`|[^\s"`=]++)""")
_CLOSING_TAG: Final = re.compile(r"\{\{[<%]\s*/\s*([\w./-]+)\s*[>%]\}\}")
_CLOSINGS: Final = {"<": ">}}", "%": "%}}"}


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    end: int
    name: str
    is_closing: bool
    positional: Sequence[str]
    named: Mapping[str, str]

    def value(self, name: str, place: int | None = None) -> str:
        """Return a parameter by its name or its place, else an empty text."""
        if name in self.named:
            return self.named[name]
        return self.positional[place] if place is not None and place < len(self.positional) else ""


def replace_shortcodes(
    text: str, *, losses: Losses, page: Callable[[str], str | None], parameter: Callable[[str], str | None]
) -> str:
    """Return the text without shortcodes.

    ``page`` returns the file to which a reference leads, and ``parameter`` a value of the front matter.
    """
    if not _OPENING.search(text):
        return text
    return _HugoText(text, losses, page, parameter).replaced()


class _HugoText:
    def __init__(
        self,
        text: str,
        losses: Losses,
        page: Callable[[str], str | None],
        parameter: Callable[[str], str | None],
    ) -> None:
        self._text = text
        self._losses = losses
        self._page = page
        self._parameter = parameter
        self._code = CodeRanges(text)
        self._closings = ClosingTags(text, _CLOSING_TAG)
        self._lines = LineStarts(text)
        self._boxes = 0

    def replaced(self) -> str:
        text = self._text
        parts: list[str] = []
        at = 0
        while opening := _OPENING.search(text, at):
            start = opening.start()
            parts.append(text[at:start])
            closing = _CLOSINGS[opening[1]]
            end = text.find(closing, opening.end())
            if end < 0:
                at = start
                break
            inside = text[opening.end() : end].strip()
            at = end + len(closing)
            if inside.startswith("/*"):
                # Hugo shows an escaped shortcode, in code and elsewhere.
                parts.append(f"{opening[0]}{inside.removeprefix('/*').removesuffix('*/')}{closing}")
            elif (code_end := self._code.end_at(start)) is not None:
                parts.append(text[start:code_end])
                at = code_end
            else:
                shown, at = self._shown(_read(inside, start, at))
                parts.append(shown)
        return "".join([*parts, text[at:]])

    def _shown(self, tag: _Tag) -> tuple[str, int]:
        """Return what replaces a tag, and where the text goes on."""
        pair = None if tag.is_closing else self._closings.after(tag.end, tag.name)
        if tag.name in {"highlight", "comment"} and pair:
            inner = self._text[tag.end : pair[0]]
            return (fence(inner, tag.value("lang", 0)) if tag.name == "highlight" else ""), pair[1]
        if tag.name == "details":
            return self._box(tag, has_end=pair is not None), tag.end
        if tag.is_closing:
            return "", tag.end
        if tag.name in {"ref", "relref"}:
            return self._reference(tag), tag.end
        if tag.name == "param":
            return self._value_of(tag), tag.end
        if tag.name == "figure":
            return _figure(tag), tag.end
        url = _embedded(tag)
        if url:
            self._lose(tag, LossKind.EMBED, "a link to it remains")
            return link_markdown(tag.value("title") or url, url), tag.end
        self._lose(tag, LossKind.SHORTCODE, "left out, the text in it remains" if pair else "left out")
        return "", tag.end

    def _box(self, tag: _Tag, *, has_end: bool) -> str:
        """Return the start or the end of a box that readers open."""
        if tag.is_closing:
            self._boxes -= 1
            return "\n\n</details>\n\n" if self._boxes >= 0 else ""
        if not has_end:
            return ""
        self._boxes += 1
        is_open = tag.value("open").lower() == "true"
        words = " ".join(tag.value("summary", 0).split()) or "Details"
        return f"\n\n<details{' open' if is_open else ''}>\n<summary>{words}</summary>\n\n"

    def _reference(self, tag: _Tag) -> str:
        wanted, mark, fragment = tag.value("path", 0).partition("#")
        found = self._page(wanted) if wanted else ""
        if found is None:
            self._lose(tag, LossKind.LINK, f"the file {wanted[:200]!r} was not found")
        return f"{wanted if found is None else found}{mark}{fragment}"

    def _value_of(self, tag: _Tag) -> str:
        value = self._parameter(tag.value("name", 0))
        if value is None:
            self._lose(tag, LossKind.SHORTCODE, f"left out, {tag.value('name', 0)[:60]!r} has no value")
        return value or ""

    def _lose(self, tag: _Tag, kind: LossKind, words: str) -> None:
        line = self._lines.number_at(tag.start)
        self._losses.add(kind, f"The shortcode {tag.name[:60]}: {words}.", line)


def _read(inside: str, start: int, end: int) -> _Tag:
    is_closing = inside.startswith("/")
    words = inside.strip("/").strip()
    name, _, rest = words.partition(" ") if " " in words else re.split(r"(\s)", f"{words}\n", maxsplit=1)
    found = [(key, _unquoted(value)) for key, value in _PARAMETER.findall(rest)]
    positional = [value for key, value in found if not key]
    return _Tag(start, end, name, is_closing, positional, {key: value for key, value in found if key})


def _unquoted(value: str) -> str:
    if value[:1] == "`":
        return value[1:-1]
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value[:1] == '"' else value


def _figure(tag: _Tag) -> str:
    caption = " ".join(part for part in (tag.value("title"), tag.value("caption"), tag.value("attr")) if part)
    shown = image_markdown(tag.value("alt") or tag.value("caption"), tag.value("src", 0), caption)
    target = tag.value("link")
    return f"[{shown}]({target})" if target else shown


_EMBEDS: Final[dict[str, Callable[[_Tag], Any]]] = {
    "youtube": lambda tag: tag.value("id", 0) and f"https://www.youtube.com/watch?v={tag.value('id', 0)}",
    "vimeo": lambda tag: tag.value("id", 0) and f"https://vimeo.com/{tag.value('id', 0)}",
    "gist": lambda tag: tag.value("user", 0) and f"https://gist.github.com/{tag.value('user', 0)}/{tag.value('id', 1)}",
    "instagram": lambda tag: tag.value("id", 0) and f"https://www.instagram.com/p/{tag.value('id', 0)}/",
    **{
        name: lambda tag: tag.value("user") and f"https://x.com/{tag.value('user')}/status/{tag.value('id')}"
        for name in ("tweet", "twitter", "x", "twitter_simple", "x_simple")
    },
    **{name: lambda tag: tag.value("src", 0) for name in ("audio", "video")},
}


def _embedded(tag: _Tag) -> str:
    found = _EMBEDS.get(tag.name)
    url = str(found(tag) or "") if found and not tag.is_closing else ""
    return "" if re.search(r"[\s<>]", url) else url
