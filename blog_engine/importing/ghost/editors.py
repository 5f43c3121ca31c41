"""The documents of Ghost's two editors, Lexical and mobiledoc, as HTML, for posts whose HTML is not in the export."""

import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt

from blog_engine.importing.source import Losses, LossKind

Payload = Mapping[str, Any]

_FOR_MAIL: Final = frozenset({"email", "email-cta"})
_WITHOUT_TEXT: Final = frozenset({"paywall", "zwnj", "tk"})
_DEEPEST: Final = 60
"""Levels of a document that are read."""
_EDITORS: Final = {"lexical": "Lexical", "mobiledoc": "mobiledoc"}
_FORMATS: Final = ((16, "code"), (64, "sup"), (32, "sub"), (8, "u"), (4, "s"), (128, "mark"), (2, "em"), (1, "strong"))
"""Lexical's bits for the format of a text, from the inner element to the outer one."""
_MARKUPS: Final = frozenset({"strong", "b", "em", "i", "s", "u", "code", "sub", "sup", "mark", "del", "a"})
_SECTIONS: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "aside"})


def render_card(name: str, payload: Payload, *, losses: Losses) -> str:
    """Return the HTML of a card; one of an unknown kind, or only for mail, is named and left out."""
    if name in _WITHOUT_TEXT:
        return ""
    if name in _FOR_MAIL:
        losses.add(LossKind.BLOCK, "A card that only the newsletter shows is left out.")
        return ""
    render = _CARDS.get(name)
    if render is None:
        losses.add(LossKind.BLOCK, f"A card of an unknown kind ({name[:60]}) is left out.")
        return ""
    return render(payload)


def _escaped(payload: Payload, name: str) -> str:
    return escape(_raw(payload, name))


def _raw(payload: Payload, name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _picture(payload: Payload, source: str = "src") -> str:
    url = _escaped(payload, source)
    if not url:
        return ""
    title = _escaped(payload, "title") if source == "src" else ""
    image = f'<img src="{url}" alt="{_escaped(payload, "alt")}"{f" title={chr(34)}{title}{chr(34)}" if title else ""}>'
    link = _escaped(payload, "href")
    return f'<a href="{link}">{image}</a>' if link else image


def _figure(kind: str, content: str, payload: Payload) -> str:
    words = _raw(payload, "caption")
    caption = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure class="kg-card kg-{kind}-card">{content}{caption}</figure>' if content else ""


def _card(kind: str, content: str) -> str:
    return f'<div class="kg-card kg-{kind}-card">{content}</div>'


def _gallery(payload: Payload) -> str:
    images = payload.get("images")
    found = images if isinstance(images, list) else []
    return _figure("gallery", "".join(_picture(image) for image in found if isinstance(image, dict)), payload)


def _code(payload: Payload) -> str:
    language = _escaped(payload, "language")
    chosen = f' class="language-{language}"' if language else ""
    return _figure("code", f"<pre><code{chosen}>{_escaped(payload, 'code')}</code></pre>", payload)


def _markdown(payload: Payload) -> str:
    # Ghost's Markdown cards can hold HTML.
    html: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(_raw(payload, "markdown"))
    return html


def _bookmark(payload: Payload) -> str:
    metadata = payload.get("metadata")
    about = metadata if isinstance(metadata, dict) else payload
    parts = "".join(
        f'<div class="kg-bookmark-{shown}">{_escaped(about, name)}</div>'
        for shown, name in (
            ("title", "title"),
            ("description", "description"),
            ("author", "publisher"),
            ("publisher", "author"),
        )
    )
    return _figure("bookmark", f'<a href="{_escaped(payload, "url")}">{parts}</a>', payload)


def _embed(payload: Payload) -> str:
    inner = _raw(payload, "html")
    url = _escaped(payload, "url")
    if "<a " not in inner and "<iframe" not in inner and url:
        inner = f'<a href="{url}">{url}</a>'
    return _figure("embed", inner, payload)


def _link_button(payload: Payload, words: str, url: str) -> str:
    if not _escaped(payload, url):
        return ""
    return f'<a class="kg-btn" href="{_escaped(payload, url)}">{_escaped(payload, words)}</a>'


def _product(payload: Payload) -> str:
    image = _picture(payload, "productImageSrc")
    title, description = _raw(payload, "productTitle"), _raw(payload, "productDescription")
    button = _link_button(payload, "productButton", "productUrl")
    return _card("product", f"{image}<h4>{title}</h4><div>{description}</div>{button}")


def _file(payload: Payload) -> str:
    title = _escaped(payload, "fileTitle") or _escaped(payload, "fileName")
    inner = f'<div class="kg-file-card-title">{title}</div>'
    caption = f'<div class="kg-file-card-caption">{_escaped(payload, "fileCaption")}</div>'
    return _card("file", f'<a href="{_escaped(payload, "src")}">{inner}{caption}</a>')


_CARDS: Final[dict[str, Callable[[Payload], str]]] = {
    "image": lambda card: _figure("image", _picture(card), card),
    "gallery": _gallery,
    "code": _code,
    "codeblock": _code,
    "markdown": _markdown,
    "card-markdown": _markdown,
    "html": lambda payload: f"\n{_raw(payload, 'html')}\n",
    "hr": lambda payload: "<hr>",
    "horizontalrule": lambda payload: "<hr>",
    "bookmark": _bookmark,
    "embed": _embed,
    "callout": lambda card: _card(
        "callout", f"<div>{_escaped(card, 'calloutEmoji')}</div><div>{_raw(card, 'calloutText')}</div>"
    ),
    "toggle": lambda card: _card(
        "toggle",
        f'<h4 class="kg-toggle-heading-text">{_raw(card, "heading")}</h4>'
        f'<div class="kg-toggle-content">{_raw(card, "content")}</div>',
    ),
    "button": lambda card: _card("button", _link_button(card, "buttonText", "buttonUrl")),
    "product": _product,
    "file": _file,
    "audio": lambda card: _card(
        "audio",
        f'<audio src="{_escaped(card, "src")}"></audio><div class="kg-audio-title">{_escaped(card, "title")}</div>',
    ),
    "video": lambda card: _figure("video", f'<video src="{_escaped(card, "src")}"></video>', card),
    "header": lambda card: _card(
        "header",
        f"<h2>{_raw(card, 'header')}</h2><p>{_raw(card, 'subheader')}</p>"
        + _link_button(card, "buttonText", "buttonUrl"),
    ),
    "signup": lambda card: _card(
        "signup",
        f"<h2>{_raw(card, 'header')}</h2><p>{_raw(card, 'subheader')}</p><p>{_raw(card, 'disclaimer')}</p>",
    ),
    "call-to-action": lambda card: _card(
        "cta",
        f"<div>{_raw(card, 'sponsorLabel') if card.get('hasSponsorLabel') else ''}</div>{_picture(card, 'imageUrl')}"
        f"<div>{_raw(card, 'textValue')}</div>{_link_button(card, 'buttonText', 'buttonUrl')}",
    ),
}


def render_document(editor: str, document: str, *, losses: Losses) -> str | None:
    """Return a document of ``lexical`` or ``mobiledoc`` as HTML; ``None``, with a loss, if it cannot be read."""
    try:
        found = json.loads(document)
        if editor == "lexical":
            return "".join(_node(child, losses, 0) for child in found["root"]["children"])
        return "".join(_section(section, found, losses) for section in found["sections"])
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError):
        # Whatever else is in it is no document of that editor.
        losses.add(LossKind.HTML, f"Its {_EDITORS[editor]} document cannot be read.")
        return None


def _node(node: dict[str, Any], losses: Losses, level: int) -> str:
    kind = node["type"].removeprefix("extended-")
    if kind == "text":
        return _lexical_text(node)
    if kind == "linebreak":
        return "<br>"
    if kind == "tab":
        return " "
    if "children" not in node:
        return render_card(kind, node, losses=losses)
    if level > _DEEPEST:
        losses.add(LossKind.BLOCK, f"What is nested more than {_DEEPEST} levels deep is left out.")
        return ""
    inner = "".join(_node(child, losses, level + 1) for child in node["children"])
    return _element(kind, node, inner, losses)


def _lexical_text(node: dict[str, Any]) -> str:
    shown = escape(str(node.get("text", "")), quote=False)
    form = node.get("format")
    for bit, tag in _FORMATS:
        if isinstance(form, int) and form & bit:
            shown = f"<{tag}>{shown}</{tag}>"
    return shown


def _element(kind: str, node: dict[str, Any], inner: str, losses: Losses) -> str:
    if kind == "paragraph":
        return f"<p>{inner}</p>" if inner else ""
    if kind == "heading":
        tag = node.get("tag") if node.get("tag") in _SECTIONS else "h2"
        return f"<{tag}>{inner}</{tag}>"
    if kind in {"quote", "aside"}:
        return f"<blockquote>{inner}</blockquote>"
    if kind == "list":
        tag = "ol" if node.get("listType") == "number" else "ul"
        first = node.get("start")
        start = f' start="{first}"' if tag == "ol" and isinstance(first, int) and first != 1 else ""
        return f"<{tag}{start}>{inner}</{tag}>"
    if kind == "listitem":
        return f"<li>{inner}</li>"
    if kind in {"link", "autolink", "at-link"}:
        url = node.get("url")
        return f'<a href="{escape(url)}">{inner}</a>' if isinstance(url, str) else inner
    losses.add(LossKind.BLOCK, f"A part of an unknown kind ({kind[:60]}): its text remains.")
    return inner


def _section(section: list[Any], document: Any, losses: Losses) -> str:
    kind = section[0]
    if kind == 1:
        tag = "blockquote" if section[1] == "aside" else section[1] if section[1] in _SECTIONS else "p"
        inner = _markers(section[2], document)
        return f"<{tag}>{inner}</{tag}>" if inner else ""
    if kind == 2:
        return f'<figure class="kg-card kg-image-card"><img src="{escape(str(section[1]))}" alt=""></figure>'
    if kind == 3:
        tag = "ol" if section[1] == "ol" else "ul"
        return f"<{tag}>{''.join(f'<li>{_markers(item, document)}</li>' for item in section[2])}</{tag}>"
    if kind == 10:
        name, payload = document["cards"][section[1]][:2]
        return render_card(str(name), payload if isinstance(payload, dict) else {}, losses=losses)
    losses.add(LossKind.BLOCK, "A section of an unknown kind is left out.")
    return ""


def _markers(markers: list[Any], document: Any) -> str:
    parts: list[str] = []
    open_tags: list[str] = []
    for kind, opened, closed, value in markers:
        for number in opened[:_DEEPEST]:
            tag, start = _markup(document["markups"][number])
            open_tags.append(tag)
            parts.append(start)
        if kind == 0:
            parts.append(escape(str(value), quote=False))
        else:
            name, text = document["atoms"][value][:2]
            parts.append("<br>" if name == "soft-return" else escape(str(text), quote=False))
        # Not more than are open.
        ended = [open_tags.pop() for _ in range(min(closed, len(open_tags)))]
        parts.extend(f"</{tag}>" for tag in ended if tag)
    parts.extend(f"</{tag}>" for tag in reversed(open_tags) if tag)
    return "".join(parts)


def _markup(markup: list[Any]) -> tuple[str, str]:
    tag = markup[0] if markup[0] in _MARKUPS else ""
    if tag == "a":
        names = markup[1] if len(markup) > 1 else []
        url = dict(zip(names[::2], names[1::2], strict=False)).get("href", "")
        return tag, f'<a href="{escape(str(url))}">'
    return tag, f"<{tag}>" if tag else ""
