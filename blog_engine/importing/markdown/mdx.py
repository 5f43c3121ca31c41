"""MDX: Markdown with components and expressions of JavaScript, none of which is run."""

import re
from typing import Final

from blog_engine.importing.markdown.generator import BodyPlace
from blog_engine.importing.markdown.text import blocks_in, code_ranges, image_markdown
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_MODULE: Final = re.compile(r"(?m)^(?:import|export)\b[^\n]*(?:\n(?![ \t]*\n)[ \t}\])][^\n]*)*")
_IMPORTED: Final = re.compile(r"""^import\s+(\w+)\s+from\s+["']([^"'\n]+)["']""", re.MULTILINE)
_SIGN: Final = re.compile(r"\\.|\{|<(?=/?[A-Za-z>])")
_NAME: Final = re.compile(r"</?([A-Za-z][\w.]*(?:-[\w.]+)*)?(?=[\s/>{])")
_IN_BRACES: Final = re.compile(r"""[{}"'`]|//|/\*""")
_IN_TAG: Final = re.compile(r"""[{"'>]""")
_COMMENT: Final = re.compile(r"\s*/\*.*\*/\s*", re.DOTALL)
_LITERAL: Final = re.compile(r"""\s*(?:(["'`])((?:(?!\1)[^\\$]|\$(?!\{))*)\1|(-?[0-9]+(?:\.[0-9]+)?))\s*""", re.DOTALL)
_FIELD: Final = re.compile(r"\s*(?:props\.)?frontmatter\.(\w+)\s*")
_PROPERTY: Final = re.compile(
    r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`{}]*)["'`]\s*\}|\{\s*([\w.]+)\s*\}))?"""
)
_IMAGES: Final = frozenset({"Image", "Img", "Picture", "Figure"})
_HTML_NAMES: Final = {"classname": "class", "htmlfor": "for", "srcset": "srcset"}
_LONGEST: Final = 20_000
"""Characters of one tag or expression."""
_MOST_OPEN: Final = 50
"""Tags and expressions that do not end; signs after that many are text."""


def without_jsx(text: str, place: BodyPlace, losses: Losses) -> str:
    """Return a body of MDX without JavaScript and components; the text in these remains.

    Literal expressions, values of the front matter and images are shown; everything else is named with its source.
    """
    text = _Jsx(text, place, losses).replaced()
    # Indented text is no code in MDX.
    lines = text.split("\n")
    for token in blocks_in(text):
        if token.type == "code_block" and token.map:
            start, end = token.map
            lines[start:end] = [line.strip() for line in lines[start:end]]
    return "\n".join(lines)


class _Jsx:
    def __init__(self, text: str, place: BodyPlace, losses: Losses) -> None:
        self._place = place
        self._losses = losses
        self._imports = dict(_IMPORTED.findall(text))
        self._text = text
        self._lines = LineStarts(text)
        self._code = code_ranges(text, has_indented=False)
        self._parts: list[str] = []
        self._open = 0

    def replaced(self) -> str:
        """Return the text without JavaScript."""
        text = self._text
        at = 0
        modules = {
            found.start(): found.end() for found in _MODULE.finditer(text) if not self._code.end_at(found.start())
        }
        for start, end in modules.items():
            self._lose("Lines of JavaScript are left out", text[start:end], start)
        starts = re.compile(rf"(?P<module>(?m:^)(?:import|export)\b)|{_SIGN.pattern}", re.DOTALL)
        while found := starts.search(text, at):
            start = found.start()
            code_end = self._code.end_at(start)
            if code_end is not None:
                self._parts.append(text[at:code_end])
                at = code_end
                continue
            self._parts.append(text[at:start])
            if found["module"] and start in modules:
                at = modules[start]
                self._keep_lines(text[start:at])
            elif found[0] == "{":
                at = self._expression(start)
            elif found[0] == "<":
                at = self._tag(start)
            else:
                self._parts.append(found[0])
                at = found.end()
        return "".join([*self._parts, text[at:]])

    def _expression(self, start: int) -> int:
        end = _end_of_braces(self._text, start) if self._open < _MOST_OPEN else None
        if end is None:
            self._open += 1
            self._parts.append("\\{")
            return start + 1
        source = self._text[start:end]
        inside = source[1:-1]
        literal, field = _LITERAL.fullmatch(inside), _FIELD.fullmatch(inside)
        value = self._place.parameter(field[1]) if field else None
        if literal:
            self._parts.append(literal[2] if literal[3] is None else literal[3])
        elif value is not None:
            self._parts.append(value)
        else:
            if inside.strip() and not _COMMENT.fullmatch(inside):
                self._lose("An expression of JavaScript is left out", source, start)
            self._keep_lines(source)
        return end

    def _tag(self, start: int) -> int:
        name = _NAME.match(self._text, start)
        end = _end_of_tag(self._text, start) if name and self._open < _MOST_OPEN else None
        if name is None or end is None:
            self._open += 1 if name else 0
            self._parts.append("<")
            return start + 1
        source = self._text[start:end]
        properties = {key: self._value(values) for key, *values in _PROPERTY.findall(source[len(name[0]) :])}
        if name[1] and (name[1] in _IMAGES or name[1] == "img") and properties.get("src"):
            shown = image_markdown(
                properties.get("alt") or "", properties["src"] or "", properties.get("caption") or ""
            )
            self._parts.append(shown)
            self._keep_lines(source)
        elif name[1] and name[1][0].islower() and "." not in name[1]:
            self._parts.append(
                _html_tag(name, source, properties) if "{" in source or "className" in source else source
            )
        else:
            if name[1] and not source.startswith("</"):
                self._lose(f"The component {name[1][:60]} is left out; text in it remains", source, start)
            self._keep_lines(source)
        return end

    def _value(self, values: list[str]) -> str | None:
        """Return the text of a property; of the name of an imported file its path."""
        double, single, literal, variable = values
        if variable:
            return self._imports.get(variable.removesuffix(".src"))
        return double or single or literal

    def _keep_lines(self, source: str) -> None:
        self._parts.append("\n" * source.count("\n"))

    def _lose(self, words: str, source: str, start: int) -> None:
        self._losses.add(LossKind.SHORTCODE, f"{words}: {' '.join(source.split())}", self._lines.number_at(start))


def _html_tag(name: re.Match[str], source: str, properties: dict[str, str | None]) -> str:
    """Return a tag of HTML without expressions, and with the names of HTML."""
    shown = (f' {_HTML_NAMES.get(key.lower(), key)}="{value}"' for key, value in properties.items() if value)
    return f"{name[0]}{''.join(shown)}{' /' if source.endswith('/>') else ''}>"


def _end_of_braces(text: str, start: int) -> int | None:
    """Return the place after an expression in braces; ``None`` if it does not end."""
    depth, at = 0, start
    while found := _IN_BRACES.search(text, at, start + _LONGEST):
        sign, at = found[0], found.end()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if not depth:
                return at
        else:
            after = _after_text(text, sign, at)
            if after is None:
                return None
            at = after
    return None


def _end_of_tag(text: str, start: int) -> int | None:
    at = start + 1
    while found := _IN_TAG.search(text, at, start + _LONGEST):
        if found[0] == ">":
            return found.end()
        after = _end_of_braces(text, found.start()) if found[0] == "{" else _after_text(text, found[0], found.end())
        if after is None:
            return None
        at = after
    return None


def _after_text(text: str, sign: str, at: int) -> int | None:
    """Return the place after a text or comment of JavaScript."""
    end = {"//": "\n", "/*": "*/"}.get(sign, sign)
    while (place := text.find(end, at, at + _LONGEST)) >= 0:
        if text[place - 1] != "\\" or sign in {"//", "/*"}:
            return place + len(end)
        at = place + 1
    return None
