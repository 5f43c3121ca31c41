"""The dialects of Markdown that the programs read, as far as they differ from each other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from blog_engine.importing.heading_ids import FormerIds, IdRule
from blog_engine.importing.markdown.text import AllBut, Blocks
from blog_engine.importing.markdown.typography import (
    ELLIPSES,
    LONG_DASHES,
    MORE_SYMBOLS,
    QUOTES,
    SYMBOLS,
    USUAL,
)

_INLINE: Final = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "button", "cite", "code", "data", "del", "dfn", "em"),
        *("font", "i", "img", "input", "ins", "kbd", "label", "mark", "meter", "q", "rb", "rbc", "rp", "rt", "rtc"),
        *("ruby", "s", "samp", "select", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var"),
        "wbr",
    }
)


_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "canvas", "center", "colgroup", "dd", "details", "div"),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "group", "h1", "h2", "h3", "h4", "h5"),
        *("h6", "header", "hgroup", "hr", "html", "iframe", "legend", "li", "main", "map", "math", "menu", "nav"),
        *("noscript", "object", "ol", "option", "output", "p", "pre", "progress", "script", "search", "section"),
        *("style", "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "video"),
    }
)
"""The elements that begin a block in Python-Markdown; all others are a part of a paragraph."""
_LINE_COMMENT: Final = re.compile(r"(?m)^\s*//.*$")
_TYPOGRAPHER: Final = re.compile(r"\btypographer\s*:\s*true\b")
_BREAKS: Final = re.compile(r"\bbreaks\s*:\s*true\b")
KRAMDOWN_MARK: Final = r"\{:(?![:/])"
"""What a list of attributes begins with in kramdown, as a regular expression."""


class MarkdownInHtml(StrEnum):
    """The elements of HTML in which text is Markdown, beside the blocks between empty lines of CommonMark."""

    NEVER = "never"
    WHERE_ASKED = "where asked"
    """In elements with the attribute ``markdown``, whose value is not 0."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The Markdown that a program reads; the default is CommonMark with tables and ``~~``."""

    has_raw_html: bool = True
    """Whether readers saw raw HTML."""
    has_hard_breaks: bool = False
    """Whether each end of a line was a line break."""
    has_attributes: bool = False
    """Whether ``{#id .class}`` after a heading are its attributes."""
    inline_elements: frozenset[str] | AllBut | None = None
    """The elements that begin no block, if all others go on to their end tags; in CommonMark to an empty line."""
    markdown_in_html: MarkdownInHtml = MarkdownInHtml.NEVER
    raw_elements: frozenset[str] = frozenset()
    """Elements within a line in which no Markdown is read."""
    strikes: frozenset[str] = frozenset({"~~"})
    """The signs around text that is struck through."""
    has_marks: bool = False
    """Whether ``==`` marks text."""
    has_definitions: bool = True
    """Whether a line that begins with a colon defines the line before."""
    has_abbreviations: bool = False
    """Whether ``*[HTML]: words`` is the definition of an abbreviation, which readers do not see."""
    has_guillemets: bool = False
    """Whether ``<<`` and ``>>`` are quotation marks."""
    attribute_mark: str | None = None
    """What the list of attributes of any element begins with, as a regular expression."""
    has_admonitions: bool = False
    """Whether ``!!! note``, ``??? note`` and ``=== "Tab"`` with indented text are boxes."""
    has_containers: bool = False
    """Whether text between lines of ``:::`` is in a box."""
    has_directives: bool = False
    """Whether ``::name{}`` and ``:name[]{}`` are directives as well."""
    has_code_marks: bool = False
    """Whether the first line of code can be its language, as in ``:::python``."""
    typography: frozenset[str] = frozenset()
    """The kinds of signs for which others are shown."""
    extensions: frozenset[str] = frozenset()
    """The last parts of the names of extensions of Python-Markdown."""
    id_rule: IdRule = IdRule.UNKNOWN
    """How ids are made of headings."""
    id_prefix: str = ""
    """What these ids begin with."""
    id_separator: str = "-"
    """What these ids have in place of spaces."""

    @property
    def blocks(self) -> Blocks:
        """The part of it that decides on the blocks of a text."""
        return Blocks(self.inline_elements, self.has_definitions)

    @property
    def ids(self) -> FormerIds:
        """The rule for ids of headings that have none of their own."""
        return FormerIds(self.id_rule, prefix=self.id_prefix, separator=self.id_separator)


COMMON_MARK: Final = Dialect(has_containers=True, has_definitions=False)
"""markdown-it as Eleventy uses it."""
UNKNOWN: Final = Dialect(
    has_attributes=True,
    markdown_in_html=MarkdownInHtml.WHERE_ASKED,
    strikes=frozenset({"~", "~~"}),
    has_marks=True,
    has_abbreviations=True,
    attribute_mark=KRAMDOWN_MARK,
    has_admonitions=True,
    has_containers=True,
)
"""Folders of an unknown program: syntax that no author means as text is read, and nothing is escaped."""
GOLDMARK: Final = Dialect(
    strikes=frozenset({"~", "~~"}),
    has_attributes=True,
    has_guillemets=True,
    typography=USUAL,
    id_rule=IdRule.GOLDMARK,
)
"""Hugo."""
REMARK: Final = Dialect(
    strikes=frozenset({"~", "~~"}),
    has_containers=True,
    has_directives=True,
    has_definitions=False,
    typography=frozenset({QUOTES, LONG_DASHES, ELLIPSES}),
    id_rule=IdRule.GITHUB,
)
"""Astro, with the plugin for directives that its themes have."""
MDX: Final = replace(REMARK, inline_elements=_INLINE, markdown_in_html=MarkdownInHtml.ALWAYS)
"""Files of Markdown with JSX."""
KRAMDOWN: Final = Dialect(
    has_attributes=True,
    inline_elements=_INLINE,
    markdown_in_html=MarkdownInHtml.WHERE_ASKED,
    raw_elements=frozenset({"code", "kbd", "samp", "var"}),
    has_abbreviations=True,
    has_guillemets=True,
    attribute_mark=KRAMDOWN_MARK,
    typography=USUAL,
    id_rule=IdRule.KRAMDOWN_GITHUB,
)
"""Jekyll."""


def python_markdown(
    *,
    extensions: frozenset[str] = frozenset({"extra", "codehilite"}),
    is_smart: bool = False,
    toc: Mapping[str, Any] | None = None,
) -> Dialect:
    """Return the dialect of Python-Markdown with extensions, by the last part of their names; default: Pelican's.

    ``is_smart`` shows quotation marks and dashes as another program behind it does. ``toc`` are the options of the
    extension that makes ids of headings.
    """
    toc = toc or {}
    names = {name.rpartition(".")[2] for name in extensions}
    has_extra = "extra" in names
    tildes = frozenset({"~~"}) if names & {"tilde", "betterem", "delete"} else frozenset[str]()
    return Dialect(
        has_attributes=has_extra or "attr_list" in names,
        inline_elements=AllBut(_BLOCKS),
        markdown_in_html=MarkdownInHtml.WHERE_ASKED,
        strikes=tildes,
        has_marks="mark" in names,
        has_definitions=has_extra or "def_list" in names,
        has_abbreviations=has_extra or "abbr" in names,
        attribute_mark=r"\{:?(?![:/{%])" if has_extra or "attr_list" in names else None,
        # Without the extension readers saw the signs, which no author meant.
        has_admonitions=True,
        has_code_marks=True,
        typography=(USUAL if is_smart or "smarty" in names else frozenset())
        | ({MORE_SYMBOLS} if "smartsymbols" in names else set()),
        extensions=frozenset(names),
        id_rule=_rule_of_toc(toc.get("slugify")),
        id_separator=str(toc.get("separator") or "-"),
    )


def _rule_of_toc(slugify: Any) -> IdRule:
    """Return the rule of a function that ``slugify`` of the extension ``toc`` names, or of its arguments."""
    if isinstance(slugify, Mapping):
        given = slugify.get("kwds")
        return IdRule.PYMDOWN if isinstance(given, Mapping) and given.get("case") == "lower" else IdRule.UNKNOWN
    name = str(slugify or "slugify").rpartition(".")[2]
    return {"slugify": IdRule.PYTHON, "slugify_unicode": IdRule.PYTHON_UNICODE, "uslugify": IdRule.PYMDOWN}.get(
        name, IdRule.UNKNOWN
    )


def markdown_it(configuration: str) -> Dialect:
    """Return the dialect of markdown-it with the plugins that a configuration in JavaScript names."""
    text = _LINE_COMMENT.sub("", configuration)
    has = {name for name in ("attrs", "abbr", "deflist", "mark", "sub", "sup") if f"markdown-it-{name}" in text}
    signs = {"sub": "tilde", "sup": "caret"}
    return replace(
        COMMON_MARK,
        has_hard_breaks=_BREAKS.search(text) is not None,
        has_attributes="attrs" in has,
        attribute_mark=r"\{(?![:{%])" if "attrs" in has else None,
        has_marks="mark" in has,
        has_definitions="deflist" in has,
        has_abbreviations="abbr" in has,
        typography=USUAL | {SYMBOLS} if _TYPOGRAPHER.search(text) else frozenset(),
        extensions=frozenset(signs[name] for name in has & signs.keys()),
    )


def dialect_of_jekyll(configuration: Mapping[str, Any]) -> Dialect:
    """Return the dialect that a configuration of Jekyll chooses: kramdown for GitHub, kramdown or CommonMark."""
    if "kramdown" not in str(configuration.get("markdown") or "kramdown").lower():
        return replace(
            GOLDMARK,
            has_attributes=False,
            has_guillemets=False,
            has_definitions=False,
            typography=frozenset(),
            id_rule=IdRule.GITHUB,
        )
    found = configuration.get("kramdown")
    options = found if isinstance(found, Mapping) else {}
    typography = set(USUAL)
    # Its quotation marks can be those of the keyboard.
    if str(options.get("smart_quotes") or "").replace(" ", "") == "apos,apos,quot,quot":
        typography.discard(QUOTES)
    if "no_auto_typographic" in str(options.get("gfm_quirks")):
        typography &= {QUOTES}
    is_github = str(options.get("input") or "GFM").upper() == "GFM"
    return replace(
        KRAMDOWN,
        typography=frozenset(typography),
        strikes=KRAMDOWN.strikes if is_github else frozenset(),
        id_rule=IdRule.KRAMDOWN_GITHUB if is_github else IdRule.KRAMDOWN,
        id_prefix=str(options.get("auto_id_prefix") or ""),
        markdown_in_html=MarkdownInHtml.ALWAYS
        if options.get("parse_block_html") is True
        else KRAMDOWN.markdown_in_html,
    )
