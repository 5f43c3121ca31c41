"""Blocks of HTML as kramdown and Python-Markdown read them: from the start tag of an element to its end tag."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block

_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_RAW: Final = frozenset({"script", "style", "textarea"})
_BEGINS: Final = re.compile(r"</?([a-zA-Z][\w:-]*)(?=\s|/?>)")
"""The beginning of a tag; ``<https://…>`` is a link."""
_TAG: Final = re.compile(
    r"<!--|<(/?)([a-zA-Z][\w:-]*)((?:[^>\"'<]++|\"[^\"]{0,5000}\"|'[^']{0,5000}'){0,200}+)>", re.DOTALL
)
_FEW_LINES: Final = 8


def whole_elements_plugin(parser: MarkdownIt, inline_elements: Container[str]) -> None:
    """Let elements that are not inline go on to their end tags, or to the end of the block around them."""

    def read(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:  # noqa: N803
        begin = state.bMarks[startLine] + state.tShift[startLine]
        if state.is_code_block(startLine) or not state.src.startswith("<", begin):
            return False
        if state.src.startswith(("<!", "<?"), begin):
            return html_block(state, startLine, endLine, silent)
        found = _BEGINS.match(state.src, begin)
        if found is None or found[1].lower() in inline_elements:
            return False
        if silent:
            return True
        text, end = _element_at(state, startLine, endLine, inline_elements)
        after = text.find("\n", end)
        whole = text if after < 0 else text[:after]
        state.line = startLine + whole.rstrip("\n").count("\n") + 1
        token = state.push("html_block", "", 0)
        token.map = [startLine, state.line]
        token.content = text[:end]
        token.meta = {"rest": whole[end:].strip()}
        return True

    parser.block.ruler.at("html_block", read, {"alt": ["paragraph", "reference", "blockquote"]})


def _element_at(state: StateBlock, start: int, end: int, inline_elements: Container[str]) -> tuple[str, int]:
    """Return lines from the first one of an element, and where it ends in them."""
    last, wanted = start + 1, _FEW_LINES
    while True:
        while last < end and last < start + wanted and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
            last += 1
        text = state.getLines(start, last, state.blkIndent, True)
        found = end_of_elements(text, inline_elements)
        if found is not None or last < start + wanted:
            return text, len(text.rstrip("\n")) if found is None else found
        wanted *= 2


def tags_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags of HTML outside of comments and scripts; the groups are the slash, the name and the attributes."""
    at = 0
    while found := _TAG.search(text, at):
        if found[0] == "<!--":
            at = text.find("-->", found.end())
            if at < 0:
                return
            continue
        yield found
        at = found.end()
        if found[2].lower() in _RAW and not found[1]:
            closing = re.compile(f"</{found[2]}", re.IGNORECASE).search(text, at)
            if closing is None:
                return
            at = closing.start()


def is_start(tag: re.Match[str]) -> bool:
    """Return whether a tag begins an element that has an end tag."""
    return not tag[1] and tag[2].lower() not in _VOID and not tag[3].endswith("/")


def end_of_elements(text: str, inline_elements: Container[str]) -> int | None:
    """Return where the element ends that a text begins with, and others right after it; ``None`` if it does not."""
    stack: list[str] = []
    counts: Counter[str] = Counter()
    end: int | None = None
    for tag in tags_in(text):
        name = tag[2].lower()
        if (
            end is not None
            and not stack
            and (text[end : tag.start()].strip(" \t") or tag[1] or name in inline_elements)
        ):
            return end
        if is_start(tag):
            stack.append(name)
            counts[name] += 1
        elif tag[1] and counts[name]:
            while (closed := stack.pop()) != name:
                counts[closed] -= 1
            counts[name] -= 1
        if not stack:
            end = tag.end()
    return None if stack else end
