"""The data of a Ghost card as the HTML that Ghost makes of it, for posts whose HTML is not in the export."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt

from blog_engine.importing.source import Losses, LossKind

Payload = Mapping[str, Any]

_FOR_MAIL: Final = frozenset({"email", "email-cta"})
_WITHOUT_TEXT: Final = frozenset({"paywall", "zwnj", "tk"})


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


def _words(payload: Payload, name: str) -> str:
    value = payload.get(name)
    return escape(value) if isinstance(value, str) else ""


def _markup(payload: Payload, name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _caption(payload: Payload) -> str:
    caption = _markup(payload, "caption")
    return f"<figcaption>{caption}</figcaption>" if caption else ""


def _picture(payload: Payload, source: str = "src") -> str:
    url = _words(payload, source)
    if not url:
        return ""
    title = _words(payload, "title") if source == "src" else ""
    image = f'<img src="{url}" alt="{_words(payload, "alt")}"{f" title={chr(34)}{title}{chr(34)}" if title else ""}>'
    link = _words(payload, "href")
    return f'<a href="{link}">{image}</a>' if link else image


def _figure(kind: str, content: str, payload: Payload) -> str:
    return f'<figure class="kg-card kg-{kind}-card">{content}{_caption(payload)}</figure>' if content else ""


def _image(payload: Payload) -> str:
    return _figure("image", _picture(payload), payload)


def _gallery(payload: Payload) -> str:
    images = payload.get("images")
    found = images if isinstance(images, list) else []
    return _figure("gallery", "".join(_picture(image) for image in found if isinstance(image, dict)), payload)


def _code(payload: Payload) -> str:
    language = _words(payload, "language")
    chosen = f' class="language-{language}"' if language else ""
    return _figure("code", f"<pre><code{chosen}>{_words(payload, 'code')}</code></pre>", payload)


def _markdown(payload: Payload) -> str:
    # Ghost's Markdown cards can hold HTML.
    html: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(_markup(payload, "markdown"))
    return html


def _bookmark(payload: Payload) -> str:
    metadata = payload.get("metadata")
    about = metadata if isinstance(metadata, dict) else payload
    parts = "".join(
        f'<div class="kg-bookmark-{shown}">{_words(about, name)}</div>'
        for shown, name in (
            ("title", "title"),
            ("description", "description"),
            ("author", "publisher"),
            ("publisher", "author"),
        )
    )
    return _figure("bookmark", f'<a href="{_words(payload, "url")}">{parts}</a>', payload)


def _embed(payload: Payload) -> str:
    inner = _markup(payload, "html")
    url = _words(payload, "url")
    if "<a " not in inner and "<iframe" not in inner and url:
        inner = f'<a href="{url}">{url}</a>'
    return _figure("embed", inner, payload)


def _callout(payload: Payload) -> str:
    emoji = f"<div>{_words(payload, 'calloutEmoji')}</div>"
    return f'<div class="kg-card kg-callout-card">{emoji}<div>{_markup(payload, "calloutText")}</div></div>'


def _toggle(payload: Payload) -> str:
    heading, content = _markup(payload, "heading"), _markup(payload, "content")
    title = f'<h4 class="kg-toggle-heading-text">{heading}</h4>'
    return f'<div class="kg-card kg-toggle-card">{title}<div class="kg-toggle-content">{content}</div></div>'


def _link_button(payload: Payload, words: str, url: str) -> str:
    if not _words(payload, url):
        return ""
    return f'<a class="kg-btn" href="{_words(payload, url)}">{_words(payload, words)}</a>'


def _button(payload: Payload) -> str:
    return f'<div class="kg-card kg-button-card">{_link_button(payload, "buttonText", "buttonUrl")}</div>'


def _product(payload: Payload) -> str:
    image = _picture(payload, "productImageSrc")
    title, description = _markup(payload, "productTitle"), _markup(payload, "productDescription")
    button = _link_button(payload, "productButton", "productUrl")
    return f'<div class="kg-card kg-product-card">{image}<h4>{title}</h4><div>{description}</div>{button}</div>'


def _file(payload: Payload) -> str:
    title = _words(payload, "fileTitle") or _words(payload, "fileName")
    inner = f'<div class="kg-file-card-title">{title}</div>'
    caption = f'<div class="kg-file-card-caption">{_words(payload, "fileCaption")}</div>'
    return f'<div class="kg-card kg-file-card"><a href="{_words(payload, "src")}">{inner}{caption}</a></div>'


def _audio(payload: Payload) -> str:
    title = f'<div class="kg-audio-title">{_words(payload, "title")}</div>'
    return f'<div class="kg-card kg-audio-card"><audio src="{_words(payload, "src")}"></audio>{title}</div>'


def _video(payload: Payload) -> str:
    return _figure("video", f'<video src="{_words(payload, "src")}"></video>', payload)


def _header(payload: Payload) -> str:
    header, below = _markup(payload, "header"), _markup(payload, "subheader")
    button = _link_button(payload, "buttonText", "buttonUrl")
    return f'<div class="kg-card kg-header-card"><h2>{header}</h2><p>{below}</p>{button}</div>'


def _signup(payload: Payload) -> str:
    texts = "".join(f"<p>{_markup(payload, name)}</p>" for name in ("subheader", "disclaimer"))
    return f'<div class="kg-card kg-signup-card"><h2>{_markup(payload, "header")}</h2>{texts}</div>'


def _call_to_action(payload: Payload) -> str:
    label = _markup(payload, "sponsorLabel") if payload.get("hasSponsorLabel") else ""
    inner = f"<div>{label}</div>{_picture(payload, 'imageUrl')}<div>{_markup(payload, 'textValue')}</div>"
    return f'<div class="kg-card kg-cta-card">{inner}{_link_button(payload, "buttonText", "buttonUrl")}</div>'


_CARDS: Final[dict[str, Callable[[Payload], str]]] = {
    "image": _image,
    "gallery": _gallery,
    "code": _code,
    "codeblock": _code,
    "markdown": _markdown,
    "card-markdown": _markdown,
    "html": lambda payload: f"\n{_markup(payload, 'html')}\n",
    "hr": lambda payload: "<hr>",
    "horizontalrule": lambda payload: "<hr>",
    "bookmark": _bookmark,
    "embed": _embed,
    "callout": _callout,
    "toggle": _toggle,
    "button": _button,
    "product": _product,
    "file": _file,
    "audio": _audio,
    "video": _video,
    "header": _header,
    "signup": _signup,
    "call-to-action": _call_to_action,
}
