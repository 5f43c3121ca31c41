"""Liquid and Nunjucks in Markdown, as Jekyll and Eleventy use them: what can be read without running it."""

import re
from collections.abc import Callable
from typing import Final

from blog_engine.importing.markdown.text import ClosingTags, CodeRanges, LineStarts, fence, link_markdown
from blog_engine.importing.source import Losses, LossKind

_OPENING: Final = re.compile(r"\{\{-?|\{%-?")
_CLOSING_TAG: Final = re.compile(r"\{%-?\s*(end\w+)\s*-?%\}")
_VERBATIM: Final = frozenset({"raw", "verbatim"})
_UNSEEN: Final = frozenset({"comment", "assign", "capture", "set"})
_LITERAL: Final = re.compile(r"""(["'])(.*?)\1\s*((?:\|[^|]*)*)""", re.DOTALL)
_SITE: Final = re.compile(r"site\.(?:baseurl|url|github\.url)\s*(?:\|.*)?", re.DOTALL)
_PAGE: Final = re.compile(r"(?:page\.)?([A-Za-z_]\w*)")
_WORD: Final = re.compile(r"""["']?([^\s"',]+)""")
_FILTERS_OF_URLS: Final = re.compile(r"\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.\w+)\s*")


def replace_liquid(
    text: str,
    *,
    losses: Losses,
    base: str,
    page: Callable[[str], str | None],
    parameter: Callable[[str], str | None],
) -> str:
    """Return the text without tags and outputs of Liquid.

    ``base`` is the path of the home page, ``page`` returns the file that a link names, and ``parameter`` a value of the
    front matter.
    """
    if not _OPENING.search(text):
        return text
    return _Template(text, losses, base, page, parameter).replaced()


class _Template:
    def __init__(
        self,
        text: str,
        losses: Losses,
        base: str,
        page: Callable[[str], str | None],
        parameter: Callable[[str], str | None],
    ) -> None:
        self._text = text
        self._losses = losses
        self._base = base
        self._page = page
        self._parameter = parameter
        self._code = CodeRanges(text)
        self._closings = ClosingTags(text, _CLOSING_TAG)
        self._lines = LineStarts(text)
        self._at = 0

    def replaced(self) -> str:
        parts: list[str] = []
        while opening := _OPENING.search(self._text, self._at):
            start = opening.start()
            parts.append(self._text[self._at : start])
            closing = "}}" if opening[0].startswith("{{") else "%}"
            end = self._text.find(closing, opening.end())
            if end < 0:
                self._at = start
                break
            inside = self._text[opening.end() : end].strip("- \t\n")
            self._at = end + 2
            name = inside.partition(" ")[0].partition("\n")[0]
            if closing == "%}" and name in _VERBATIM:
                # What it protects is shown as it is, in code as well.
                parts.append(self._up_to(f"end{name}") or "")
            elif (code_end := self._code.end_at(start)) is not None and not self._protects(start, code_end):
                parts.append(self._text[start:code_end])
                self._at = code_end
            elif closing == "}}":
                parts.append(self._output(inside, start))
            else:
                parts.append(self._tag(name, inside.removeprefix(name).strip(), start))
        return "".join([*parts, self._text[self._at :]])

    def _protects(self, start: int, end: int) -> bool:
        """Return whether more of this code is to be read, because a part of it is protected."""
        return any(f"{name} %}}" in self._text[start:end] for name in _VERBATIM)

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
            return f"{self._base}{literal[2]}" if literal[3] and literal[2].startswith("/") else literal[2]
        if _SITE.fullmatch(inside):
            return self._base
        field = _PAGE.fullmatch(inside)
        value = self._parameter(field[1]) if field else None
        if value is None:
            self._name(start, f"The output {{{{ {inside[:60]} }}}} is left out.")
        return value or ""

    def _tag(self, name: str, rest: str, start: int) -> str:
        if name == "highlight":
            inner = self._up_to("endhighlight")
            if inner is not None:
                return "\n" + fence(inner, rest.partition(" ")[0]) + "\n"
        if name in {"post_url", "link"} and rest:
            return self._reference(rest, start)
        if name == "gist" and (user := _WORD.match(rest)):
            url = f"https://gist.github.com/{user[1]}"
            self._losses.add(LossKind.EMBED, "The tag gist: a link to it remains.", self._lines.number_at(start))
            return link_markdown(url, url)
        if name in _UNSEEN:
            # What readers do not see either.
            if "=" not in rest:
                self._up_to(f"end{name}")
        elif not name.startswith("end"):
            self._name(start, f"The tag {{% {name[:60]} %}} is left out.")
        return ""

    def _reference(self, rest: str, start: int) -> str:
        wanted, mark, fragment = rest.strip("\"' ").partition("#")
        found = self._page(wanted)
        if found is None:
            words = f"The file {wanted[:200]!r}, to which a link leads, was not found."
            self._losses.add(LossKind.LINK, words, self._lines.number_at(start))
        return f"{found or wanted}{mark}{fragment}"

    def _name(self, start: int, words: str) -> None:
        self._losses.add(LossKind.SHORTCODE, words, self._lines.number_at(start))
