"""Markdown files as Hugo reads them: front matter, and bodies without what it would take for its own."""

import re
from collections.abc import Iterator
from typing import Any, Final

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from blog_engine.content.code_options import code_attributes, read_code_options
from blog_engine.exporting.targets import quoted

_BLOCKS: Final = MarkdownIt("commonmark", {"maxNesting": 40}).use(footnote_plugin).use(deflist_plugin)
_BLOCKS.disable(["inline", "footnote_tail"])
_SHORTCODE: Final = re.compile(r"\{\{(?=[<%])")
_FENCE: Final = re.compile("`{3,}|~{3,}")
_UNREADABLE: Final = re.compile(r'["\\{}]')
"""What Hugo cannot read in a language or in the name of a file."""


def front_matter(fields: dict[str, Any]) -> str:
    """Return YAML front matter of the fields that have a value."""
    kept = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return "".join(["---\n", *(f"{name}: {quoted(value)}\n" for name, value in kept.items()), "---\n"])


def without_shortcodes(body: str) -> str:
    """Return a body in which Hugo sees no shortcodes: it shows what looks like one as the text that it is."""
    # ``{{</* … */>}}`` would do for a whole shortcode only, and an open ``{{<`` would fail the build.
    return _SHORTCODE.sub("{{< braces >}}", body)


def readable_markdown(body: str) -> str:
    """Return a Markdown body that Hugo can also build itself: without shortcodes, code blocks with its attributes."""
    lines = body.split("\n")
    for number in _fences(body):
        found = _FENCE.search(lines[number])
        if found:
            info = lines[number][found.end() :]
            lines[number] = f"{lines[number][: found.end()]}{hugo_info(info)}{info[len(info.rstrip()) :]}"
    return without_shortcodes("\n".join(lines))


def _fences(body: str) -> Iterator[int]:
    """Yield the index of each line that begins a block of code and has more than its language."""
    if not _FENCE.search(body):
        return
    for token in _BLOCKS.parse(body):
        if token.type == "fence" and token.map and ("{" in token.info or len(token.info.split()) > 1):
            yield token.map[0]


def hugo_info(info: str) -> str:
    """Return the info string of a code block as Hugo reads it: ``python {hl_lines=["2","4-6"] linenos=table}``.

    Unknown words are left out, because Hugo ends with an error when it cannot read braces.
    """
    given = code_attributes(info)
    options, language = read_code_options(given.get("title", "")), given.get("lang", "")
    lines = ",".join(
        f'"{found[0]}-{found[-1]}"' if len(found) > 1 else f'"{found[0]}"' for found in options.marked if found
    )
    attributes = [
        f'title="{options.title}"' if options.title and not _UNREADABLE.search(options.title) else "",
        f"hl_lines=[{lines}]" if lines else "",
        "linenos=table" if options.is_numbered else "",
    ]
    written = " ".join(one for one in attributes if one)
    parts = "" if _UNREADABLE.search(language) else language, written and f"{{{written}}}"
    return " ".join(part for part in parts if part)
