"""The blocks of WordPress' editor: what each becomes as HTML."""

import json
import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from typing import Final

from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import padded

_DELIMITER: Final = re.compile(r"\s*(/?)wp:([a-z][a-z0-9_/-]*)(.*?)(/?)\s*", re.DOTALL)
_LIST_TAG: Final = re.compile(r"</?(?:ul|ol|li)(?=[\s>])[^<>]*>", re.IGNORECASE)
_FIGCAPTION: Final = re.compile(r"<figcaption[^<>]*>(.*?)</figcaption>", re.DOTALL | re.IGNORECASE)
_PRE: Final = re.compile(r"</?pre(?=[\s>])[^<>]*>", re.IGNORECASE)
_DEEPEST: Final = 40
_CODE: Final = re.compile(r"code|highlight|syntax")
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,40}")
_TAG: Final = re.compile(r"<[^<>]*>")
_DEEPEST_TEXTS: Final = 8
_LONGEST_TEXTS: Final = 400
_NO_TEXTS: Final = frozenset({"className", "style", "css", "fontFamily", "layout"})
"""Attributes of blocks that readers do not read."""
_LARGEST_REUSED: Final = 256 * 1024

_SHOWN: Final = frozenset(
    {"paragraph", "heading", "list", "list-item", "quote", "code", "preformatted", "pullquote", "table", "image"}
    | {"separator", "spacer", "button", "buttons", "group", "column", "more", "nextpage", "html", "shortcode"}
    | {"freeform", "classic", "audio", "video", "details", "missing", "subhead", "text-columns", "social-links"}
    | {"accordion", "accordion-item", "accordion-heading", "accordion-panel", "math", "row", "stack"}
)
"""Blocks whose HTML is what readers see."""
_LAYOUT: Final = {
    "columns": "columns are below each other now",
    "cover": "the text on the picture is below it now",
    "media-text": "picture and text are below each other now",
}


class BlockReader:
    """Makes HTML of the blocks of a post; what a block loses is added to ``losses``."""

    def __init__(self, reusable: Mapping[str, str], footnotes: str, losses: Losses) -> None:
        """Take the contents of reusable blocks by id, and the custom field ``footnotes``."""
        self._reusable = reusable
        self._footnotes = footnotes
        self._losses = losses
        self._left = _LARGEST_REUSED

    def html(self, content: str) -> str:
        """Return the HTML of a content. Lines stay where they are."""
        out: list[str] = []
        opened: list[tuple[str, dict[str, object], int, int]] = []
        position, line = 0, 1
        while (start := content.find("<!--", position)) >= 0 and (end := content.find("-->", start)) >= 0:
            line += content.count("\n", position, start)
            out.append(content[position:start])
            comment = content[start + 4 : end]
            position = end + 3
            found = _DELIMITER.fullmatch(comment)
            if not found or len(opened) > _DEEPEST:
                out.append("" if found else content[start:position])
            elif found[1]:
                self._close(_short(found[2]), opened, out)
            elif found[4]:
                out.append(self._empty(_short(found[2]), _attributes(found[3]), line))
            else:
                opened.append((_short(found[2]), _attributes(found[3]), len(out), line))
            out.append("\n" * comment.count("\n") if found else "")
            line += comment.count("\n")
        out.append(content[position:])
        return "".join(out)

    def _close(self, name: str, opened: list[tuple[str, dict[str, object], int, int]], out: list[str]) -> None:
        if not opened or opened[-1][0] != name:
            return
        _, attributes, start, line = opened.pop()
        if name in _SHOWN:
            return
        inner = "".join(out[start:])
        del out[start:]
        out.append(self._block(name, attributes, inner, line))

    def _block(self, name: str, attributes: dict[str, object], inner: str, line: int) -> str:
        """Return the HTML of a block that is more than its HTML."""
        if name == "embed" or name.startswith("core-embed/"):
            return self._embed(attributes, inner, line)
        if name == "gallery":
            return self._gallery(inner, line)
        if name == "file":
            url = str(attributes.get("href", ""))
            self._losses.add(LossKind.FILE, f"A file is a link to the old blog: {url}", line)
            first, button, _ = inner.partition('<a href="' + url + '" class="wp-block-file__button')
            return padded(first + "</div>", inner) if button else inner
        if name == "verse":
            lines = _PRE.sub("", inner).strip("\n").split("\n")
            return padded("<p>" + "<br>".join(map(_indented, lines)) + "</p>", inner)
        if name in _LAYOUT:
            self._losses.add(LossKind.BLOCK, f"{name}: {_LAYOUT[name]}", line)
        elif _CODE.search(name) and "<pre" in inner:
            return _with_language(attributes, inner)
        elif name == "footnotes" or inner.strip():
            self._losses.add(LossKind.BLOCK, f"{name} is not known: its content was kept as HTML", line)
        else:
            self._losses.add(LossKind.BLOCK, f"{name} is not known, and has no content", line)
        return inner

    def _empty(self, name: str, attributes: dict[str, object], line: int) -> str:
        """Return the HTML of a block without content of its own."""
        if name == "block":
            return self._reused(str(attributes.get("ref", "")), line)
        if name == "footnotes" and self._footnotes:
            return self._notes(line)
        if name in _SHOWN:
            return ""
        # What WordPress' own blocks have there is only labels.
        texts = " | ".join(_texts_in(attributes)) if "/" in name else ""
        if texts:
            shown = texts if len(texts) <= _LONGEST_TEXTS else f"{texts[:_LONGEST_TEXTS]}…"
            self._losses.add(LossKind.BLOCK, f"{name}: the texts of its settings are not in the post: {shown}", line)
        else:
            self._losses.add(LossKind.BLOCK, f"{name}: WordPress makes its content for each visit", line)
        return ""

    def _reused(self, reference: str, line: int) -> str:
        content = self._reusable.get(reference)
        if content is None:
            self._losses.add(LossKind.BLOCK, f"The reusable block {reference} is not in the export", line)
            return ""
        self._left -= len(content)
        if self._left < 0:
            self._losses.add(LossKind.BLOCK, f"The reusable block {reference} is too long or used too often", line)
            return ""
        # Blocks in it are read without the reusable ones: one that contains itself would never end.
        inner = Losses()
        html = BlockReader({}, "", inner).html(content)
        for loss in inner.found:
            self._losses.add(loss.kind, f"{loss.message} (in the reusable block {reference})", line)
        return html if "<pre" in html else " ".join(html.split("\n"))

    def _notes(self, line: int) -> str:
        try:
            notes = json.loads(self._footnotes)
            items = [str(note["content"]) for note in notes]
        except (ValueError, TypeError, KeyError, RecursionError):
            self._losses.add(LossKind.BLOCK, "footnotes: their texts cannot be read", line)
            return ""
        self._losses.add(LossKind.BLOCK, "footnotes are an ordinary list now", line)
        return "<ol>" + "".join(f"<li>{' '.join(item.split())}</li>" for item in items) + "</ol>"

    def _embed(self, attributes: dict[str, object], inner: str, line: int) -> str:
        url = str(attributes.get("url", ""))
        if not url.startswith(("http://", "https://")):
            self._losses.add(LossKind.EMBED, "An embed without a URL was left out", line)
            return padded("", inner)
        provider = str(attributes.get("providerNameSlug", "")) or "another site"
        self._losses.add(LossKind.EMBED, f"Content of {provider} is a link now: {url}", line)
        caption = _FIGCAPTION.search(inner)
        shown = f"<p>{caption[1]}</p>" if caption else ""
        return padded(f'<p><a href="{escape(url)}">{escape(url)}</a></p>{shown}', inner)

    def _gallery(self, inner: str, line: int) -> str:
        count = len(re.findall(r"<img(?=[\s/>])", inner, re.IGNORECASE))
        self._losses.add(LossKind.GALLERY, f"A gallery of {count} pictures: they are below each other now", line)
        flat = _LIST_TAG.sub("", inner)
        start = flat.find("<figure")
        if start >= 0 and "wp-block-gallery" in flat[start : flat.find(">", start)]:
            end = flat.rfind("</figure>")
            flat = f"{flat[:start]}<div{flat[start + 7 : end]}</div>{flat[end + 9 :]}" if end > start else flat
        mark = flat.rfind("<figcaption")
        if mark >= 0 and "blocks-gallery-caption" in flat[mark : flat.find(">", mark)]:
            flat = f"{flat[:mark]}<p{flat[mark + 11 :]}".replace("</figcaption></div>", "</p></div>")
        return flat


def _short(name: str) -> str:
    return name.removeprefix("core/")


def _attributes(text: str) -> dict[str, object]:
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _with_language(attributes: Mapping[str, object], inner: str) -> str:
    """Return the code of a plugin's block with the language of its attributes."""
    language = next((str(attributes[name]) for name in ("language", "lang") if attributes.get(name)), "")
    if not _LANGUAGE.fullmatch(language):
        return inner
    return inner.replace("<pre", f'<pre class="language-{language.lower()}"', 1)


def _texts_in(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the texts in the attributes of a block: what has words, and is not the name of anything."""
    if isinstance(value, str):
        text = " ".join(unescape(_TAG.sub(" ", value)).split())
        if " " in text and not text.startswith(("{", "[")):
            yield text
    elif depth < _DEEPEST_TEXTS and isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if not str(key).startswith("_") and key not in _NO_TEXTS:
                yield from _texts_in(one, depth + 1)


def _indented(line: str) -> str:
    text = line.lstrip(" ")
    return "&nbsp;" * (len(line) - len(text)) + text
