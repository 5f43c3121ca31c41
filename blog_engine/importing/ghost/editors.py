"""The documents of Ghost's two editors, Lexical and mobiledoc, as HTML, for posts whose HTML is not in the export."""

import json
from collections.abc import Callable
from html import escape
from typing import Any, Final

from blog_engine.importing.ghost.payloads import render_card
from blog_engine.importing.source import Losses, LossKind

_DEEPEST: Final = 60
"""Levels of a document that are read."""
_FORMATS: Final = ((16, "code"), (64, "sup"), (32, "sub"), (8, "u"), (4, "s"), (128, "mark"), (2, "em"), (1, "strong"))
"""Lexical's bits for the format of a text, from the inner element to the outer one."""
_MARKUPS: Final = frozenset({"strong", "b", "em", "i", "s", "u", "code", "sub", "sup", "mark", "del", "a"})
_SECTIONS: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "aside"})


def render_lexical(document: str, *, losses: Losses) -> str | None:
    """Return a document of Lexical as HTML; ``None``, with a loss, if it cannot be read."""
    return _rendered(document, "Lexical", _lexical, losses)


def render_mobiledoc(document: str, *, losses: Losses) -> str | None:
    """Return a document of mobiledoc as HTML; ``None``, with a loss, if it cannot be read."""
    return _rendered(document, "mobiledoc", _mobiledoc, losses)


def _rendered(document: str, editor: str, render: Callable[[Any, Losses], str], losses: Losses) -> str | None:
    try:
        return render(json.loads(document), losses)
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError):
        # Whatever else is in it is no document of that editor.
        losses.add(LossKind.HTML, f"Its {editor} document cannot be read.")
        return None


def _lexical(document: Any, losses: Losses) -> str:
    return "".join(_node(child, losses, 0) for child in document["root"]["children"])


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


def _mobiledoc(document: Any, losses: Losses) -> str:
    return "".join(_section(section, document, losses) for section in document["sections"])


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
