"""The body of a file of Markdown, as the engine reads it."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urljoin

from blog_engine.importing.markdown.formulas import with_dollars
from blog_engine.importing.markdown.html import Dialect, to_our_dialect
from blog_engine.importing.markdown.hugo_shortcodes import replace_shortcodes
from blog_engine.importing.markdown.liquid import replace_liquid
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind
from blog_engine.importing.markdown.text import LineStarts, change_outside_code
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Losses, LossKind

_LARGEST: Final = 1024 * 1024
"""Characters; a larger text is no body here, and is passed on as it is."""
_LINK: Final = re.compile(r"(\]\(\s*<?|^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*<?)([^\s()<>\"]+)", re.MULTILINE)
_KRAMDOWN: Final = re.compile(r"(?m)^[ \t]*\{::?[^{}\n]*\}[ \t]*\n?|\{:[^{}\n]*\}")
_TABLE_OF_CONTENTS: Final = re.compile(
    r"(?m)^[*-][ \t]+\S.*\n\{:[ \t]*toc[^{}\n]*\}[ \t]*\n?|^\[TOC\][ \t]*\n?", re.IGNORECASE
)
_MODULE: Final = re.compile(r"(?m)^(?:import|export)\b[^\n]*(?:\n(?![ \t]*\n)[ \t}\])][^\n]*)*\n?")
_COMPONENT: Final = re.compile(r"</?([A-Z][\w.]*)(?:\{[^{}]*\}|[^<>{}])*>")
_COMMENT: Final = re.compile(r"\{/\*.*?\*/\}", re.DOTALL)
_PELICAN_LINK: Final = re.compile(r"[{|](filename|static|attach|index|author|category|tag)[}|]([^\s()<>\"]*)")
_HAS_ATTRIBUTES: Final = frozenset({SiteKind.HUGO, SiteKind.JEKYLL, SiteKind.PELICAN})


class BodyPlace:
    """The place of one file in its site, as its body needs it."""

    def __init__(
        self,
        site: MarkdownSite,
        path: PurePosixPath,
        *,
        page_path: str | None,
        find_page: Callable[[str], str | None],
        has_file: Callable[[str], bool],
        parameter: Callable[[str], str | None],
    ) -> None:
        """Take the path of the file and of its page.

        ``find_page`` returns the file that a name means, ``has_file`` whether a path relative to this file exists, and
        ``parameter`` a value of the front matter.
        """
        self.site = site
        self.path = path
        self.page_path = page_path
        self.find_page = find_page
        self.has_file = has_file
        self.parameter = parameter


def convert_body(text: str, place: BodyPlace, *, losses: Losses) -> str:
    """Return the body without template tags, raw HTML and attributes; what is lost is named."""
    if len(text) > _LARGEST:
        return text
    text = _without_templates(text, place, losses)
    kind = place.site.kind
    if kind is SiteKind.JEKYLL:
        text = _named_once(
            text, _TABLE_OF_CONTENTS, "A generated table of contents is left out.", losses, LossKind.BLOCK
        )
        text = _named_once(text, _KRAMDOWN, "Attributes in braces are left out.", losses, LossKind.HTML)
    dialect = Dialect(
        has_raw_html=place.site.has_raw_html,
        has_hard_breaks=place.site.has_hard_breaks,
        has_attributes=kind in _HAS_ATTRIBUTES,
    )
    return _with_resolved_links(to_our_dialect(with_dollars(text), dialect, losses=losses), place)


def convert_html(text: str, place: BodyPlace, *, losses: Losses) -> str:
    """Return the body of an HTML file without template tags."""
    return text if len(text) > _LARGEST else _without_templates(text, place, losses)


def _without_templates(text: str, place: BodyPlace, losses: Losses) -> str:
    kind = place.site.kind
    if kind in {SiteKind.HUGO, SiteKind.PLAIN}:
        return replace_shortcodes(text, losses=losses, page=place.find_page, parameter=place.parameter)
    if kind in {SiteKind.JEKYLL, SiteKind.ELEVENTY}:
        return replace_liquid(
            text, losses=losses, base=place.site.path, page=place.find_page, parameter=place.parameter
        )
    if kind is SiteKind.PELICAN:
        return change_outside_code(text, _PELICAN_LINK, lambda found: _pelican_target(found[1], found[2]))
    if place.path.suffix == ".mdx":
        return _without_components(text, losses)
    return text


def _pelican_target(kind: str, path: str) -> str:
    if kind in {"filename", "static", "attach"}:
        return path
    if kind == "index":
        return "/"
    return f"/{kind}/{path.strip('/').lower()}.html"


def _without_components(text: str, losses: Losses) -> str:
    text = _named_once(text, _MODULE, "Lines of JavaScript are left out.", losses, LossKind.SHORTCODE, blank="")
    text = change_outside_code(text, _COMMENT, lambda found: "")
    lines = LineStarts(text)

    def leave_out(found: re.Match[str]) -> str:
        if not found[0].startswith("</"):
            words = f"The component {found[1][:60]} is left out; text in it remains."
            losses.add(LossKind.SHORTCODE, words, lines.number_at(found.start()))
        return ""

    return change_outside_code(text, _COMPONENT, leave_out)


def _named_once(
    text: str, pattern: re.Pattern[str], words: str, losses: Losses, kind: LossKind, *, blank: str = ""
) -> str:
    places: list[int] = []

    def leave_out(found: re.Match[str]) -> str:
        places.append(found.start())
        return blank

    changed = change_outside_code(text, pattern, leave_out)
    if places:
        losses.add(kind, words, LineStarts(text).number_at(places[0]))
    return changed


def _with_resolved_links(text: str, place: BodyPlace) -> str:
    """Make URLs that are relative to the page, not to the file, relative to the root."""

    def resolved(found: re.Match[str]) -> str:
        return f"{found[1]}{beside_page(found[2], place)}"

    return change_outside_code(text, _LINK, resolved)


def beside_page(url: str, place: BodyPlace) -> str:
    """Return a URL relative to the page as a path from the root; one of a file, and an absolute one, as it is."""
    parts = split_or_none(url)
    if parts is None:
        return url
    is_relative = not parts.scheme and not parts.netloc and parts.path and not parts.path.startswith("/")
    if not is_relative or place.page_path is None or place.has_file(parts.path):
        return url
    # More "../" than folders leave no slash.
    return "/" + urljoin(place.page_path, url).lstrip("/")
