"""What becomes of the elements of another blog's HTML."""

from typing import Final

from blog_engine.content.sanitize import TAGS

SAME: Final = {
    **{"b": "strong", "i": "em", "cite": "em", "dfn": "em", "s": "del", "strike": "del"},
    **{"tt": "code", "tfoot": "tbody", "listing": "pre", "xmp": "pre", "menu": "ul", "dir": "ul", "center": "div"},
    **{"address": "div", "article": "div", "aside": "div", "body": "div", "caption": "p", "fieldset": "div"},
    **{"footer": "div", "form": "div", "header": "div", "hgroup": "div", "html": "div", "main": "div", "nav": "div"},
    **{"blocks": "div", "dialog": "div", "legend": "p", "search": "div"},
}
"""Elements that look the same as another one, or only group others."""

CHANGED: Final = {
    **{"samp": "code", "var": "em"},
    **dict.fromkeys(["u", "ins", "small", "big", "abbr", "acronym", "ruby", "rt", "bdo", "font"], "span"),
    "blink": "span",
    "marquee": "div",
}
"""Elements that readers see otherwise than there; each is a loss."""

HOW: Final = {
    **{"span": "only its text is kept", "div": "only its content is kept", "code": "shown as code"},
    "em": "shown as emphasis",
}

WITHOUT_MEANING: Final = frozenset(
    {"time", "data", "label", "bdi", "picture", "source", "track", "colgroup", "col", "wbr", "rp", "rb", "nobr"}
    | {"head", "meta", "base", "link", "param", "figure", "hr", "br"}
)
DROPPED: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "math", "canvas", "select", "textarea", "button", "map", "title"}
    | {"meter", "progress", "datalist", "frameset", "applet", "output"}
)
"""Elements whose content is left out as well."""
KNOWN: Final = TAGS | SAME.keys() | CHANGED.keys() | WITHOUT_MEANING | {"q"}
PLAYERS: Final = {"iframe": "src", "object": "data", "audio": "src", "video": "src"}
VOID_PLAYERS: Final = {"embed": "src", "frame": "src"}
VOID_CONTROLS: Final = frozenset({"input", "area", "keygen"})
