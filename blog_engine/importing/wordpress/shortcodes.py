"""The shortcodes of WordPress posts: what each becomes as HTML."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Final

from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts, Ranges, padded

_CODE: Final = re.compile(r"(\[?)\[(/?)([A-Za-z][\w-]{0,60})(?=[\s/\]])([^\[\]]*)\](\]?)")
_ATTRIBUTE: Final = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_MEDIA: Final = re.compile(r"\s*(?:<a(?=\s)[^<>]*>\s*)?<img(?=[\s/>])[^<>]*>(?:\s*</a>)?", re.IGNORECASE)
_SOURCES: Final = ("src", "mp3", "m4a", "ogg", "wav", "mp4", "m4v", "webm", "ogv", "flv")

_PROTECTED: Final = re.compile(r"<(pre|code|script|style|textarea)(?=[\s>])[^<>]*>|<!--", re.IGNORECASE)
_OF_LAYOUT: Final = re.compile(
    r"^(?:vc|et_pb|fusion|av|wpb|tatsu|mk|us|fl)_"
    r"|(?:^|[_-])(?:col(?:umns?|s)?|rows?|sections?|grid|half|thirds?|fourths?|fifths?|sixths?|tabs?|tabgroup|toggles?"
    r"|accordions?|panels?|box|boxes|container|content|block|div|slides?|slider|carousel|list|spoiler)(?:[_-]|\d|$)",
    re.IGNORECASE,
)
_OF_WORDPRESS: Final = frozenset({"caption", "wp_caption", "gallery", "playlist", "audio", "video", "embed"})


@dataclass(frozen=True, slots=True)
class GalleryImage:
    """An image that a gallery shows by its id, or because it was uploaded to the post."""

    url: str
    alt: str
    caption: str


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    name: str
    text: str
    attributes: str
    is_end: bool
    is_escaped: bool
    partner: "_Found | None" = None


def gallery_ids(content: str) -> tuple[set[str], bool]:
    """Return the ids of images that galleries name, and whether one shows all images of its post."""
    ids: set[str] = set()
    shows_all = False
    for found in _CODE.finditer(content):
        if found[3] in {"gallery", "playlist"} and not found[2]:
            named = _attributes(found[4]).get("ids", "")
            ids |= {part.strip() for part in named.split(",") if part.strip()}
            shows_all = shows_all or not named
    return ids, shows_all


class ShortcodeReader:
    """Replaces the shortcodes of a content; what they lose is added to ``losses``.

    A word in brackets counts as a shortcode if it has attributes or an end, has a hyphen or underscore in its name, or
    is one of WordPress. Code stays as it is.
    """

    def __init__(self, images: Mapping[str, GalleryImage], attached: Sequence[GalleryImage], losses: Losses) -> None:
        """Take the pictures of galleries by id, and those of the post."""
        self._images = images
        self._attached = attached
        self._losses = losses
        self._lines = LineStarts("")

    def html(self, content: str) -> str:
        """Return a content without shortcodes. Lines stay where they are."""
        self._lines = LineStarts(content)
        found = _pairs(_all(content))
        used = {one.name for one in found if _is_shortcode(one)}
        out: list[str] = []
        position = 0
        for one in found:
            if one.start < position or one.name not in used:
                continue
            out.append(content[position : one.start])
            if one.is_escaped:
                out.append(one.text[1:-1])
                position = one.end
            else:
                replacement, position = self._replace(one, content)
                out.append(replacement)
        out.append(content[position:])
        return "".join(out)

    def _replace(self, one: _Found, content: str) -> tuple[str, int]:
        """Return the HTML for a shortcode, and the position after what it replaces."""
        line = self._lines.number_at(one.start)
        partner = one.partner
        if one.is_end or one.name not in _OF_WORDPRESS:
            if not one.is_end:
                kept = ": its content was kept" if partner else " was left out"
                self._losses.add(LossKind.SHORTCODE, f"{' '.join(one.text.split())[:200]}{kept}", line)
            return padded("<p>" if _ends_paragraph(one, content) else "", one.text), one.end
        end = partner.end if partner else one.end
        inner = content[one.end : partner.start] if partner else ""
        attributes = _attributes(one.attributes)
        match one.name:
            case "caption" | "wp_caption":
                return _caption(attributes, inner), end
            case "gallery":
                return padded(self._gallery(attributes, line), content[one.start : end]), end
            case "playlist":
                self._losses.add(LossKind.FILE, f"{one.text[:200]} was left out: its files stay at the old blog", line)
                return padded("", content[one.start : end]), end
            case "embed":
                url = unescape(inner.strip() or attributes.get("src", ""))
                self._losses.add(LossKind.EMBED, f"Content of another site is a link now: {url}", line)
                return padded(_link(url), content[one.start : end]), end
            case _:
                url = next((attributes[key] for key in _SOURCES if attributes.get(key)), "")
                tag = f'<{one.name} src="{escape(url)}"></{one.name}>'
                return padded(tag, content[one.start : end]), end

    def _gallery(self, attributes: Mapping[str, str], line: int) -> str:
        named = [part.strip() for part in attributes.get("ids", "").split(",") if part.strip()]
        shown = [self._images[name] for name in named if name in self._images] if named else list(self._attached)
        missing = [name for name in named if name not in self._images]
        if shown:
            message = f"A gallery of {len(shown)} pictures: they are below each other now"
            self._losses.add(LossKind.GALLERY, message, line)
        elif not missing:
            message = "A gallery was left out: the export has no pictures that were uploaded to this post"
            self._losses.add(LossKind.GALLERY, message, line)
        if missing:
            names = ", ".join(missing[:20])
            self._losses.add(LossKind.GALLERY, f"Pictures of a gallery are not in the export: {names}", line)
        return "".join(
            f'<figure><img src="{escape(image.url)}" alt="{escape(image.alt)}">'
            + (f"<figcaption>{image.caption}</figcaption>" if image.caption else "")
            + "</figure>"
            for image in shown
        )


def protected_ranges(source: str) -> Ranges:
    """Return where a source has code, scripts and comments, in which nothing is replaced."""
    ranges: list[tuple[int, int]] = []
    lower = source.lower()
    endless: set[str] = set()
    position = 0
    while found := _PROTECTED.search(source, position):
        end_mark = f"</{found[1].lower()}" if found[1] else "-->"
        end = -1 if end_mark in endless else lower.find(end_mark, found.end())
        if end < 0:
            endless.add(end_mark)
            position = found.end()
            continue
        ranges.append((found.start(), end))
        position = end
    return Ranges(ranges)


def _all(content: str) -> list[_Found]:
    protected = protected_ranges(content)
    found: list[_Found] = []
    for match in _CODE.finditer(content):
        start, end = match.span()
        is_escaped = bool(match[1] and match[5])
        if not is_escaped:
            start, end = start + len(match[1]), end - len(match[5])
        if protected.end_at(start) and not is_escaped:
            continue
        text = content[start:end]
        found.append(_Found(start, end, match[3], text, match[4], bool(match[2]), is_escaped))
    return found


def _pairs(found: list[_Found]) -> list[_Found]:
    """Return what was found, each start with its end."""
    opened: dict[str, list[_Found]] = {}
    for one in found:
        if one.is_escaped:
            continue
        if not one.is_end:
            opened.setdefault(one.name, []).append(one)
        elif opened.get(one.name):
            start = opened[one.name].pop()
            start.partner, one.partner = one, start
    return found


def _is_shortcode(one: _Found) -> bool:
    if one.is_escaped:
        return one.name in _OF_WORDPRESS
    return (
        one.name in _OF_WORDPRESS
        or one.partner is not None
        or "=" in one.attributes
        or "-" in one.name
        or "_" in one.name
    )


def _ends_paragraph(one: _Found, content: str) -> bool:
    """Return whether words would join where a shortcode that encloses text is left out.

    They would between two of them, and beside a part of the page such as a column; all else is inside a sentence.
    """
    if one.partner is None:
        return False
    step, bracket = (1, "[") if one.is_end else (-1, "]")
    place = one.end if one.is_end else one.start - 1
    is_layout = _OF_LAYOUT.search(one.name) is not None
    is_spaced = False
    while 0 <= place < len(content) and content[place] in " \t" and is_layout:
        place, is_spaced = place + step, True
    beside = content[place] if 0 <= place < len(content) else "\n"
    return beside == bracket or (is_layout and not is_spaced and not beside.isspace())


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(text)}


def _caption(attributes: Mapping[str, str], inner: str) -> str:
    media = _MEDIA.match(inner)
    if not media:
        return inner
    caption = attributes.get("caption", "") or inner[media.end() :].strip()
    rest = inner[media.end() :] if attributes.get("caption") else ""
    lines = "\n" * (inner.count("\n") - media[0].count("\n") - caption.count("\n") - rest.count("\n"))
    return f"<figure>{media[0]}<figcaption>{caption}</figcaption></figure>{rest}{lines}"


def _link(url: str) -> str:
    return f'<p><a href="{escape(url)}">{escape(url)}</a></p>' if url.startswith(("http://", "https://")) else ""
