"""The template languages of Markdown files, as far as they can be read without running them.

Hugo's shortcodes (those that every Hugo has), and Liquid and Nunjucks as Jekyll and Eleventy use them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from blog_engine.importing.markdown.configuration import nested_map, value_at
from blog_engine.importing.markdown.generator import BodyPlace
from blog_engine.importing.markdown.liquid_conditions import UNKNOWN, Condition, chosen_branch, conditions_in
from blog_engine.importing.markdown.text import (
    ClosingTags,
    code_ranges,
    fence,
    image_markdown,
    link_markdown,
)
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_PARAMETER: Final = re.compile(r"""(?:([\w-]+)\s*=\s*)?("(?:[^"\\]|\\.)*+"|`[^`]*+`|[^\s"`=]++)""")
_VERBATIM: Final = frozenset({"raw", "verbatim"})
_UNSEEN: Final = frozenset({"comment", "assign", "capture", "set"})
_LITERAL: Final = re.compile(r"""(["'])(.*?)\1\s*((?:\|[^|]*)*)""", re.DOTALL)
_SITE: Final = re.compile(r"site\.(?:baseurl|url|github\.url)\s*(?:\|.*)?", re.DOTALL)
_SITE_VALUE: Final = re.compile(r"site\.([A-Za-z_][\w.-]*)((?:\s*\|[^|]*)*)")
_IN_LINK: Final = re.compile(r"""(?:\]\([^()\s]*|\]:[ \t]*<?[^\s<>]*|=["']?[^"'\s<>=]*|<[^\s<>]*)\Z""")
"""The text before what is a URL in Markdown or HTML, or a part of one."""
_PLAIN_FILTERS: Final = re.compile(r"\|\s*(?:escape|strip|strip_html|xml_escape|escape_once)\s*")
_IMAGE_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)$", re.IGNORECASE)
_SOURCES: Final = ("src", "url", "image", "image_path", "file", "path", "img")
_CAPTIONS: Final = ("caption", "title", "description")
_LONGEST: Final = 2_000
"""Characters of the source of a tag that a loss has."""
_ASSIGNED: Final = re.compile(r"""([A-Za-z_][\w-]*)\s*=\s*(["'])([^"']*)\2""")
_PAGE: Final = re.compile(r"(?:page\.)?([A-Za-z_]\w*)")
_WORD: Final = re.compile(r"""["']?([^\s"',]+)""")
_MARKUP: Final = re.compile(r"!?\[([^][]*)\]\([^()]*\)|[*_`]|<[^<>]*>")
"""A link, whose words are the group, or a sign of Markdown."""
_GIVEN: Final = re.compile(r"include\.([\w-]+)((?:\s*\|[^|]*)*)")
_PARAMETER_OF_INCLUDE: Final = re.compile(r"""([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[\w.-]+)""")
_MOST_INCLUDED: Final = 1024 * 1024
_DEEPEST_INCLUDE: Final = 5
_CONSTANTS: Final[dict[str, Any]] = {"true": True, "false": False, "nil": None, "null": None, "blank": [], "empty": []}
_OF_PAGE: Final = frozenset(
    {"url", "date", "id", "content", "excerpt", "collection", "path", "name", "previous", "next", "categories", "tags"}
)
"""What Jekyll itself gives to posts."""
_OF_SITE: Final = frozenset(
    {"posts", "pages", "time", "data", "categories", "tags", "documents", "collections", "static_files", "html_pages"}
    | {"related_posts", "github", "html_files", "url", "baseurl"}
)
_FILTERS_OF_URLS: Final = re.compile(r"\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.\w+)\s*")


def replace_shortcodes(text: str, place: BodyPlace, *, losses: Losses) -> str:
    """Return the text without Hugo's shortcodes."""
    return _HugoText(text, place, losses).replaced() if _HugoText.opening.search(text) else text


def replace_liquid(
    text: str, place: BodyPlace, *, losses: Losses, include: Callable[[str], str | None] | None = None
) -> str:
    """Return the text without tags and outputs of Liquid.

    ``include`` returns the text of a file that Jekyll's tag ``include`` names.
    """
    if not _LiquidText.opening.search(text):
        return text
    return _LiquidText(text, place, losses, _Included(include)).replaced()


class _Template:
    """A text whose tags are replaced, but for those in code."""

    opening: ClassVar[re.Pattern[str]]
    closing_tag: ClassVar[re.Pattern[str]]
    ends: ClassVar[Mapping[str, str]]
    """The end of a tag by its first signs."""
    around: ClassVar[str | None] = None
    """Signs around the words of a tag; default: white space."""

    def __init__(self, text: str, place: BodyPlace, losses: Losses) -> None:
        self._text = text
        self._place = place
        self._losses = losses
        self._code = code_ranges(text)
        self._closings = ClosingTags(text, self.closing_tag)
        self._lines = LineStarts(text)
        self._at = 0
        self._tag_end = 0
        self._jumps: dict[int, int] = {}
        """Where to go on after the end of what is shown of a block, by the places of those ends."""

    def replaced(self) -> str:
        """Return the text without tags."""
        parts: list[str] = []
        while opening := self.opening.search(self._text, self._at):
            start = opening.start()
            parts.append(self._text[self._at : start])
            if start in self._jumps:
                self._at = self._jumps[start]
                continue
            mark = opening[0].removesuffix("-")
            end = self._text.find(self.ends[mark], opening.end())
            if end < 0:
                self._at = start
                break
            words = self._text[opening.end() : end].strip(self.around)
            self._at = self._tag_end = end + len(self.ends[mark])
            shown = self._protected(mark, words)
            if shown is None and (code_end := self._code.end_at(start)) is not None and self._is_code(start, code_end):
                shown, self._at = self._text[start:code_end], code_end
            parts.append(self._shown(mark, words, start) if shown is None else shown)
        return "".join([*parts, self._text[self._at :]])

    def _protected(self, mark: str, words: str) -> str | None:
        """Return what a tag shows that keeps others from being read, in code as well; ``None`` for other tags."""
        raise NotImplementedError

    def _is_code(self, start: int, end: int) -> bool:
        """Return whether no tag of a block of code is to be read."""
        return True

    def _shown(self, mark: str, words: str, start: int) -> str:
        """Return what replaces a tag, and go on after all that it replaces."""
        raise NotImplementedError

    def _lose(self, kind: LossKind, words: str, start: int) -> None:
        self._losses.add(kind, words, self._lines.number_at(start))

    def _lose_tag(self, kind: LossKind, words: str, start: int) -> None:
        """Name a tag with its source, because nothing else has its parameters afterwards."""
        self._lose(kind, f"{words} Its source: {self._source(start)}", start)

    def _source(self, start: int) -> str:
        """Return the source of the tag that begins at a place, in one line."""
        source = " ".join(self._text[start : self._tag_end].split())
        return source if len(source) <= _LONGEST else f"{source[:_LONGEST]}…"


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    name: str
    is_closing: bool
    positional: Sequence[str]
    named: Mapping[str, str]

    def value(self, name: str, place: int | None = None) -> str:
        """Return a parameter by its name or its place, else an empty text."""
        if name in self.named:
            return self.named[name]
        return self.positional[place] if place is not None and place < len(self.positional) else ""


class _HugoText(_Template):
    opening = re.compile(r"\{\{([<%])")
    closing_tag = re.compile(r"\{\{[<%]\s*/\s*([\w./-]+)\s*[>%]\}\}")
    ends: ClassVar = {"{{<": ">}}", "{{%": "%}}"}
    _boxes = 0

    def _protected(self, mark: str, words: str) -> str | None:
        # Hugo shows an escaped shortcode, in code and elsewhere.
        if not words.startswith("/*"):
            return None
        return f"{mark}{words.removeprefix('/*').removesuffix('*/')}{self.ends[mark]}"

    def _shown(self, mark: str, words: str, start: int) -> str:
        tag = _read(words, start)
        pair = None if tag.is_closing else self._closings.after(self._at, tag.name)
        if tag.name in {"highlight", "comment"} and pair:
            inner, self._at = self._text[self._at : pair[0]], pair[1]
            return fence(inner, tag.value("lang", 0)) if tag.name == "highlight" else ""
        if tag.name == "details":
            return self._box(tag, has_end=pair is not None)
        if tag.is_closing:
            return ""
        if tag.name in {"ref", "relref"}:
            return self._reference(tag)
        if tag.name == "param":
            return self._value_of(tag)
        if tag.name == "figure":
            return _figure(tag)
        url = _embedded(tag)
        if url:
            self._lose_of(tag, LossKind.EMBED, "a link to it remains")
            return link_markdown(tag.value("title") or url, url)
        if picture := _picture(tag.named):
            self._lose_of(tag, LossKind.SHORTCODE, "its picture remains")
            return picture
        self._lose_of(tag, LossKind.SHORTCODE, "left out, the text in it remains" if pair else "left out")
        return ""

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
        found = self._place.find_page(wanted) if wanted else ""
        if found is None:
            self._lose_of(tag, LossKind.LINK, f"the file {wanted[:200]!r} was not found")
            return f"{wanted}{mark}{fragment}"
        target = f"{found}{mark}{fragment}"
        before = self._text[max(0, tag.start - _LONGEST) : tag.start]
        url = self._place.page_url(found) if found and not _IN_LINK.search(before) else None
        if not url:
            return target
        # In a text, readers saw the URL of the page.
        parts = split_or_none(url)
        shown = parts.path if tag.name == "relref" and parts else url
        return link_markdown(f"{shown}{mark}{fragment}", target)

    def _value_of(self, tag: _Tag) -> str:
        name = tag.value("name", 0)
        value = self._place.parameter(name)
        value = value_at(self._place.values, name) if value is None else value
        if value is None:
            self._lose_of(tag, LossKind.SHORTCODE, f"left out, {tag.value('name', 0)[:60]!r} has no value")
        return value or ""

    def _lose_of(self, tag: _Tag, kind: LossKind, words: str) -> None:
        self._lose_tag(kind, f"The shortcode {tag.name[:60]}: {words}.", tag.start)


def _read(inside: str, start: int) -> _Tag:
    is_closing = inside.startswith("/")
    words = inside.strip("/").strip()
    name, _, rest = words.partition(" ") if " " in words else re.split(r"(\s)", f"{words}\n", maxsplit=1)
    found = [(key, _unquoted(value)) for key, value in _PARAMETER.findall(rest)]
    positional = [value for key, value in found if not key]
    return _Tag(start, name, is_closing, positional, {key: value for key, value in found if key})


def _unquoted(value: str) -> str:
    if value[:1] == "`":
        return value[1:-1]
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value[:1] == '"' else value


def _figure(tag: _Tag) -> str:
    """Return the image with its caption, of which Hugo reads ``caption`` and ``attr`` as Markdown."""
    credit, credit_url = tag.value("attr"), tag.value("attrlink")
    credit = link_markdown(credit, credit_url) if credit and credit_url else credit
    caption = " ".join(part for part in (tag.value("title"), tag.value("caption"), credit) if part)
    is_plain = _MARKUP.search(caption) is None
    alt = tag.value("alt") or _MARKUP.sub(r"\1", tag.value("caption"))
    shown = image_markdown(alt, tag.value("src", 0), caption if is_plain else "")
    target = tag.value("link")
    shown = f"[{shown}]({target})" if target else shown
    # The title of an image is text only.
    return shown if is_plain else f"\n\n{shown}\n\n{caption}\n\n"


def _picture(named: Mapping[str, str]) -> str:
    """Return the picture that the parameters of an unknown tag name, if any."""
    source = next((named[name] for name in _SOURCES if _IMAGE_FILE.search(named.get(name, ""))), "")
    if not source or re.search(r"[\s<>{}]", source):
        return ""
    caption = next((named[name] for name in _CAPTIONS if named.get(name)), "")
    return image_markdown(named.get("alt", "") or caption, source, caption)


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


@dataclass(slots=True)
class _Included:
    """The files that a text includes, and what it gives to them."""

    read: Callable[[str], str | None] | None
    """``None`` for other programs than Jekyll, whose names of values are others."""
    values: Mapping[str, Any] | None = None
    """The parameters; ``None`` in a text that is no included file."""
    depth: int = 0
    left: list[int] = field(default_factory=lambda: [_MOST_INCLUDED])
    """How many characters can still be included in a body."""


class _LiquidText(_Template):
    opening = re.compile(r"\{\{-?|\{%-?")
    closing_tag = re.compile(r"\{%-?\s*(end\w+)\s*-?%\}")
    ends: ClassVar = {"{{": "}}", "{%": "%}"}
    around = "- \t\n"

    def __init__(self, text: str, place: BodyPlace, losses: Losses, included: _Included) -> None:
        super().__init__(text, place, losses)
        self._assigned: dict[str, str] = {}
        """The plain texts that tags assigned to names."""
        self._included = included
        self._conditions = conditions_in(text, lambda start: self._code.end_at(start) is not None)

    def _protected(self, mark: str, words: str) -> str | None:
        name = _first_word(words)
        return (self._up_to(f"end{name}") or "") if mark == "{%" and name in _VERBATIM else None

    def _is_code(self, start: int, end: int) -> bool:
        return not any(f"{name} %}}" in self._text[start:end] for name in _VERBATIM)

    def _shown(self, mark: str, words: str, start: int) -> str:
        if mark == "{{":
            return self._output(words, start)
        name = _first_word(words)
        return self._tag(name, words.removeprefix(name).strip(), start)

    def _up_to(self, closing: str) -> str | None:
        """Return the text before a closing tag, and go on after it."""
        found = self._closings.after(self._at, closing)
        if found is None:
            return None
        inner = self._text[self._at : found[0]]
        self._at = found[1]
        return inner

    def _output(self, inside: str, start: int) -> str:
        literal = _LITERAL.fullmatch(inside)
        if literal and not _FILTERS_OF_URLS.sub("", literal[3]).strip():
            return f"{self._place.base}{literal[2]}" if literal[3] and literal[2].startswith("/") else literal[2]
        if _SITE.fullmatch(inside):
            return self._place.base
        field, of_site = _PAGE.fullmatch(inside), _SITE_VALUE.fullmatch(inside)
        value = self._place.parameter(field[1]) if field else None
        if of_site and not _PLAIN_FILTERS.sub("", of_site[2]).strip():
            value = value_at(self._place.values, of_site[1])
        if value is None and inside == "page.url" and self._place.page_path:
            value = self._place.page_path.removeprefix(self._place.base)
        if value is None:
            value = self._assigned.get(inside)
        if value is None and (given := _GIVEN.fullmatch(inside)) and self._included.values is not None:
            value = self._given(given[1], given[2])
        if value is None:
            self._lose(LossKind.SHORTCODE, f"The output {self._source(start)} is left out.", start)
        return value or ""

    def _given(self, name: str, filters: str) -> str | None:
        """Return what a parameter of an included file shows; ``None`` if that is not known."""
        value = (self._included.values or {}).get(name)
        left = _FILTERS_OF_URLS.sub("", _PLAIN_FILTERS.sub("", filters)).strip()
        if left or (value is not None and not isinstance(value, str | int)):
            return None
        shown = "" if value is None else str(value)
        return f"{self._place.base}{shown}" if _FILTERS_OF_URLS.search(filters) and shown.startswith("/") else shown

    def _value_of(self, expression: str) -> Any:
        """Return the value of an expression in a condition, ``UNKNOWN`` if it is not known."""
        if expression in _CONSTANTS:
            return _CONSTANTS[expression]
        if literal := _LITERAL.fullmatch(expression):
            return literal[2] if not literal[3] else UNKNOWN
        if re.fullmatch(r"-?[0-9]{1,9}", expression):
            return int(expression)
        of, _, name = expression.partition(".")
        if not re.fullmatch(r"[\w-]+(?:\.[\w-]+)?", expression):
            return UNKNOWN
        if of == "include" and self._included.values is not None:
            return self._included.values.get(name)
        if self._included.read is None:
            return self._assigned.get(expression, self._place.metadata.get(expression.lower(), UNKNOWN))
        if of == "page" and name and name not in _OF_PAGE:
            return self._place.metadata.get(name.lower())
        if of == "site" and name and name not in {*_OF_SITE, *nested_map(self._place.values, "collections")}:
            return self._place.values.get(name.lower())
        return self._assigned.get(expression, UNKNOWN)

    def _chosen(self, block: Condition) -> str | None:
        """Go on with the branch that readers saw; return ``None`` if that is not known."""
        try:
            branch = chosen_branch(block, self._value_of)
        except LookupError:
            return None
        self._at = branch.start if branch else block.end
        if branch:
            self._jumps[branch.end] = block.end
        return ""

    def _include(self, rest: str) -> str | None:
        """Return what an included file shows; ``None`` if that is not known without running it."""
        name, _, given = rest.partition(" ")
        is_deep = self._included.depth >= _DEEPEST_INCLUDE
        text = self._included.read(name) if self._included.read and not is_deep and ".." not in name else None
        if text is None or len(text) > self._included.left[0]:
            return None
        self._included.left[0] -= len(text) + 1
        values = {key: self._value_of(value) for key, value in _PARAMETER_OF_INCLUDE.findall(given)}
        if any(value is UNKNOWN for value in values.values()) or _PARAMETER_OF_INCLUDE.sub("", given).strip():
            return None
        found = Losses()
        inner = replace(self._included, values=values, depth=self._included.depth + 1)
        shown = _LiquidText(text, self._place, found, inner).replaced()
        return None if found.found else shown.strip("\n")

    def _tag(self, name: str, rest: str, start: int) -> str:
        block = self._conditions.get(start)
        if block and (chosen := self._chosen(block)) is not None:
            return chosen
        if name in {"include", "include_cached"} and (included := self._include(rest)) is not None:
            return included
        if name == "highlight":
            inner = self._up_to("endhighlight")
            if inner is not None:
                return "\n" + fence(inner, rest.partition(" ")[0]) + "\n"
        if name in {"post_url", "link"} and rest:
            return self._reference(rest, start)
        if name == "gist" and (user := _WORD.match(rest)):
            url = f"https://gist.github.com/{user[1]}"
            self._lose_tag(LossKind.EMBED, "The tag gist: a link to it remains.", start)
            return link_markdown(url, url)
        if name in _UNSEEN:
            # What readers do not see either.
            if "=" not in rest:
                self._up_to(f"end{name}")
            elif assigned := _ASSIGNED.fullmatch(rest):
                self._assigned[assigned[1]] = assigned[3]
        elif name == "include" and (picture := self._picture_of(rest)):
            self._lose_tag(LossKind.SHORTCODE, "The tag {% include %} is left out, its picture remains.", start)
            return picture
        elif not name.startswith("end"):
            self._lose_tag(LossKind.SHORTCODE, f"The tag {{% {name[:60]} %}} is left out.", start)
        return ""

    def _picture_of(self, rest: str) -> str:
        """Return the picture that the parameters of an included file name by its path from the root, or its URL."""
        named = {key: _unquoted(value).strip("'") for key, value in _PARAMETER.findall(rest) if key}
        whole = {key: value for key, value in named.items() if key not in _SOURCES or value.startswith(("/", "http"))}
        return _picture(whole)

    def _reference(self, rest: str, start: int) -> str:
        wanted, mark, fragment = rest.strip("\"' ").partition("#")
        found = self._place.find_page(wanted)
        if found is None:
            words = f"The file {wanted[:200]!r}, to which a link leads, was not found."
            self._lose(LossKind.LINK, words, start)
        return f"{found or wanted}{mark}{fragment}"


def _first_word(words: str) -> str:
    return words.partition(" ")[0].partition("\n")[0]
