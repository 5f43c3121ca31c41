"""Marks of kramdown and of Python-Markdown's extensions that readers do not see, such as ``{: .class}``."""

import re
from dataclasses import replace
from typing import Final

from blog_engine.importing.markdown.dialects import KRAMDOWN_MARK, Dialect, MarkdownInHtml
from blog_engine.importing.markdown.inline_marks import with_inline_marks
from blog_engine.importing.markdown.text import (
    ClosingTags,
    LeftOut,
    blocks_in,
    change_outside_code,
    code_ranges,
    leave_out_and_name,
)
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_EXTENSION: Final = re.compile(r"\{::(comment|nomarkdown|options)((?:[^{}\"]|\"[^\"\n]*\"){0,200})\}")
_END: Final = re.compile(r"\{:/(comment|nomarkdown|options|)\}")
_PARSES_HTML: Final = re.compile(r"parse_block_html=[\"']?true")
_CONTENTS: Final = re.compile(
    r"^(?:[*+-]|[0-9]+\.)[ \t]+\S.*\n\{:[ \t]*toc[^{}\n]*\}[ \t]*$|^\[(?:TOC|\[_?TOC_?\])\][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ABBREVIATION: Final = re.compile(r"^ {0,3}\*\[[^\]\n]+\]:[^\n]*$", re.MULTILINE)
_GUILLEMETS: Final = re.compile(r"(?<![\\<])<<(?=[^\s<>])([^<>\n]{1,500}?)(?<=[^\s<>])>>(?!>)")
_LABEL: Final = re.compile(r"^[ \t>]*\[(?!\^)([^\]\n]+)\]:", re.MULTILINE)
_APART: Final = re.compile(r"(?<!\[[xX ])\](?:[ ]|[ ]*\n[ >]*)\[(?!\^)([^\]\n]+)\](?![:(])")
_LAST_BREAK: Final = re.compile(r"(?<!\\)\\[ \t]*(?=\n[ \t]*\n|\n?\Z)")
_ICON: Final = re.compile(r":(?:octicons|fontawesome|material|simple)-[a-z0-9-]+:[ \t]?")
"""Icons of Material for MkDocs."""
_DEFINITION: Final = re.compile(r"^\{:[\w-]+:[^{}\n]*\}[ \t]*$", re.MULTILINE)
_ATTRIBUTE: Final = r"""(?:[#.][^\s{}#.="']+|[\w:@-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]*)|data-[\w-]+)"""
_LIST: Final = rf"[ \t]*{_ATTRIBUTE}(?:[ \t]*{_ATTRIBUTE}){{0,30}}[ \t]*\}}"
_BLOCK: Final = re.compile(rf"([ \t>]*)(\{{:?{_LIST})[ \t]*")
_SPAN: Final = re.compile(rf"(?:\[\]\(\)|(?<=[\])`*>\"])|(?<=\w_)(?=\{{[:.#\s]))\{{:?{_LIST}")
_KRAMDOWN_BLOCK: Final = re.compile(rf"([ \t>]*)({KRAMDOWN_MARK}[^{{}}\n]*\}})[ \t]*")
_KRAMDOWN_SPAN: Final = re.compile(rf"{KRAMDOWN_MARK}[^{{}}\n]*\}}")
_LANGUAGE: Final = re.compile(r"\.(?:language|lang|highlight)-([\w+#-]+)|\.([\w+#]+)")
_ID: Final = re.compile(r"#([^\s#.{}]+)|(?<![\w-])id=[\"']?([^\s\"'{}]+)")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_NOT_CODE: Final = frozenset({"no", "nolinenos", "highlight", "code", "numberLines"})


def without_dialect_marks(text: str, dialect: Dialect, losses: Losses) -> tuple[str, Dialect]:
    """Return a text without the marks of its dialect, and the dialect as the options in it change it.

    The lines stay where they are. Attributes are named with their source, but for ids, to which links lead, and the
    languages of code.
    """
    if dialect.has_guillemets:
        text = change_outside_code(text, _GUILLEMETS, lambda found: f"\u00ab{found[1]}\u00bb")
    if dialect.inline_elements is not None:
        text = _with_joined_references(text)
    if dialect.attribute_mark == KRAMDOWN_MARK:
        # A line break at the end of a paragraph is none.
        text = change_outside_code(text, _LAST_BREAK, lambda found: "")
    if dialect.has_abbreviations:
        text = leave_out_and_name(
            text, _ABBREVIATION, LossKind.HTML, "An abbreviation is left out, its words remain", losses
        )
    text = with_inline_marks(text, dialect.extensions)
    if dialect.has_admonitions:
        text = leave_out_and_name(text, _ICON, LossKind.HTML, "An icon is left out", losses)
    if dialect.attribute_mark is None:
        return text, dialect
    text = leave_out_and_name(text, _CONTENTS, LossKind.BLOCK, "A generated table of contents is left out", losses)
    if "{::" in text:
        if any(found[1] == "options" and _PARSES_HTML.search(found[2]) for found in _EXTENSION.finditer(text)):
            dialect = replace(dialect, markdown_in_html=MarkdownInHtml.ALWAYS)
        text = _without_extensions(text)
    if "{" not in text:
        return text, dialect
    text = leave_out_and_name(text, _DEFINITION, LossKind.HTML, "Attributes in braces are left out", losses)
    is_kramdown = dialect.attribute_mark == KRAMDOWN_MARK
    text = _with_block_attributes(text, _KRAMDOWN_BLOCK if is_kramdown else _BLOCK, losses)
    return _without_span_attributes(text, _KRAMDOWN_SPAN if is_kramdown else _SPAN, losses), dialect


def _with_joined_references(text: str) -> str:
    """Return a text without the space that these dialects allow between the words of a link and its label."""
    labels = {" ".join(label.lower().split()) for label in _LABEL.findall(text)}

    def change(found: re.Match[str]) -> str:
        is_known = " ".join(found[1].lower().split()) in labels
        return f"][{found[1]}]" if is_known else found[0]

    return change_outside_code(text, _APART, change) if labels else text


def _without_extensions(text: str) -> str:
    """Return a text without comments and options of kramdown, and with what it was not to read as Markdown."""
    code, ends = code_ranges(text), ClosingTags(text, _END)
    parts: list[str] = []
    at = 0
    for found in _EXTENSION.finditer(text):
        if found.start() < at or code.end_at(found.start()):
            continue
        end = found.end()
        inner = ""
        if not found[2].endswith("/"):
            closings = [place for name in ("", found[1]) if (place := ends.after(end, name))]
            if closings:
                inner, end = text[end : min(closings)[0]], min(closings)[1]
        lines = "\n" * text.count("\n", found.start(), end)
        parts += [text[at : found.start()], inner if found[1] == "nomarkdown" else lines]
        at = end
    return "".join([*parts, text[at:]])


def _with_block_attributes(text: str, pattern: re.Pattern[str], losses: Losses) -> str:
    """Return a text without lists of attributes in lines of their own: ids go to headings, languages to code."""
    code = code_ranges(text)
    starts = LineStarts(text)
    lines = text.split("\n")
    found = [(number, one) for number, line in enumerate(lines) if (one := pattern.fullmatch(line))]
    found = [(number, one) for number, one in found if not code.end_at(starts.start_of(number))]
    if not found:
        return text
    left_out = LeftOut()
    blocks = {token.map[1]: token for token in blocks_in(text) if token.map and token.type in {"fence", "code_block"}}
    for number, one in reversed(found):
        attributes = one[2]
        lines[number] = one[1].rstrip()
        language = _LANGUAGE.search(attributes)
        given = _ID.search(attributes)
        heading = _heading_beside(lines, number)
        block = blocks.get(number)
        if block and language and not block.info.strip() and (language[1] or language[2]) not in _NOT_CODE:
            _give_language(lines, block.map or [0, 0], language[1] or language[2], is_fence=block.type == "fence")
        elif given and heading is not None and "{" not in lines[heading]:
            lines[heading] = f"{lines[heading].rstrip()} {{{attributes.strip('{:} ')}}}"
        elif given:
            lines[number] = f'<a id="{given[1] or given[2]}"></a>' if number + 1 < len(lines) else ""
        else:
            left_out.add(attributes, number + 1)
    left_out.name(LossKind.HTML, "Attributes in braces are left out", losses)
    return "\n".join(lines)


def _heading_beside(lines: list[str], number: int) -> int | None:
    """Return the number of the line with the words of a heading before or after a line."""
    before = lines[number - 1] if number else ""
    if _HEADING.match(before):
        return number - 1
    if number > 1 and _UNDERLINE.fullmatch(before) and lines[number - 2].strip():
        return number - 2
    is_first = not before.strip()
    return number + 1 if is_first and number + 1 < len(lines) and _HEADING.match(lines[number + 1]) else None


def _give_language(lines: list[str], place: list[int], language: str, *, is_fence: bool) -> None:
    start, end = place
    if is_fence:
        lines[start] = f"{lines[start].rstrip()}{language}"
        return
    while end > start and not lines[end - 1].strip():
        end -= 1
    code = [line[4:] if line.startswith("    ") else line.lstrip() for line in lines[start:end]]
    longest = max((len(run) for line in code for run in re.findall("`+", line)), default=0)
    mark = "`" * max(3, longest + 1)
    lines[start:end] = [f"{mark}{language}\n{code[0]}", *code[1:-1], *(code[-1:] if len(code) > 1 else [])]
    lines[end - 1] += f"\n{mark}"


def _without_span_attributes(text: str, pattern: re.Pattern[str], losses: Losses) -> str:
    if not pattern.search(text):
        return text
    left_out = LeftOut()
    lines = LineStarts(text)

    def change(found: re.Match[str]) -> str:
        given = _ID.search(found[0])
        if given:
            return f'<a id="{given[1] or given[2]}"></a>'
        left_out.add(found[0].removeprefix("[]()"), lines.number_at(found.start()))
        return ""

    changed = change_outside_code(text, pattern, change, formulas=True)
    left_out.name(LossKind.HTML, "Attributes in braces are left out", losses)
    return changed
