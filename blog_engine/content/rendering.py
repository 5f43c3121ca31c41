"""Render a body to safe HTML with headings, figures and text direction."""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from blog_engine.content._blocks import annotate, dress_code_blocks, mark_external_links, read_links, wrap_tables
from blog_engine.content._markdown import MAX_MARKUP, Compiled, compile_markdown, try_plugin
from blog_engine.content._tokens import BodyText
from blog_engine.content.direction import mark_direction
from blog_engine.content.embeds import dress_embeds, wrap_diagrams
from blog_engine.content.faults import Prose, prose_of
from blog_engine.content.figures import dress_images
from blog_engine.content.formulas import dress_formulas
from blog_engine.content.headings import Heading, SourceHeading, dress_headings, read_headings
from blog_engine.content.html import Element, walk
from blog_engine.content.image_notes import note_images
from blog_engine.content.options import MarkdownPlugin, RenderOptions
from blog_engine.content.plain_text import check_markup
from blog_engine.content.sanitize import (
    lost_in_html,
    normalize,
    sanitize_compiled,
    sanitize_sent,
    write_clean_html,
)
from blog_engine.enums import BodyFormat

_SAMPLE: Final = """# A *title* and `code`

Text with **strong**, ~~gone~~ and ==marked== words, a [link](/a "title"), <https://blog.example/>,
![a picture](/b.png), a hard  
break, a formula $x^2$, <kbd>Esc</kbd>, 10 % and a note[^1].

> A quote
> - with a list
>   1. and a number
> - [x] done

| A | B |
| - | -: |
| 1 | 2 |

```python title="a.py" {1}
print("a")
```

    indented

$$
\\frac{1}{2}
$$

Term
: Definition

<details>
<summary>More</summary>

Hidden

</details>

---

::: name
A container
:::

[^1]: The note.
"""
"""Markdown on which plugins are tried."""


@dataclass(frozen=True, slots=True)
class BodyImage:
    """An image as the author wrote it; ``alt`` is empty if the author gave none."""

    src: str
    alt: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered body, and facts about its source."""

    html: str
    """The HTML that pages show."""
    headings: tuple[Heading, ...]
    """The headings of ``html``."""
    source_headings: tuple[SourceHeading, ...]
    """The headings of the sanitised source, with the author's levels."""
    images: tuple[BodyImage, ...]
    """The images of the sanitised source, in document order."""
    links: tuple[str, ...]
    """The distinct link targets of the sanitised source, in document order."""
    dropped_html: tuple[str, ...]
    """The raw HTML that is not shown: fragments of a Markdown source, start tags of an HTML source."""
    unusable_urls: tuple[str, ...]
    """The images that are not shown and the links that lead nowhere because of their URLs, as they can be written."""
    prose: Prose
    """What the sanitised source says in own words."""
    unreadable_tex: tuple[str, ...]
    """The formulas that are shown as TeX because they cannot be read, or that begin with ``$$`` and do not end."""
    lone_notes: tuple[str, ...] = ()
    """Marks of footnotes without a note, and notes that are not shown, as ``Compiled`` has them."""
    is_hard_wrapped: bool = False
    """Whether the lines of a Markdown source are wrapped at a column, as editors do."""
    text: BodyText | None = None
    """The texts as ``texts_of_body`` returns them; ``None`` if the source must be parsed again for them."""
    has_failed_plugins: bool = False
    """Whether a Markdown plugin of the host failed, so that the HTML is without plugins."""


def render(body: str, *, body_format: BodyFormat, options: RenderOptions) -> Rendered:
    """Return the body as safe HTML5; the output depends on the arguments only."""
    match body_format:
        case BodyFormat.MARKDOWN:
            return _of_markdown(_compiled(body, options), options=options)
        case BodyFormat.RICH_TEXT:
            lost = lost_in_html(body)
            return _of_tree(
                sanitize_sent(body), options=options, dropped_html=lost.elements, unusable_urls=lost.unusable_urls
            )
        case _:
            assert_never(body_format)


def sanitized(body: str, *, body_format: BodyFormat, options: RenderOptions) -> Element:
    """Return the tree of the sanitised source, before headings, images, tables and code get their form on the page."""
    match body_format:
        case BodyFormat.MARKDOWN:
            tree = sanitize_compiled(_compiled(body, options).html, footnote_prefix=options.footnote_prefix)
        case BodyFormat.RICH_TEXT:
            tree = sanitize_sent(body)
        case _:
            assert_never(body_format)
    normalize(tree)
    return tree


def render_new(body: str, *, body_format: BodyFormat, options: RenderOptions) -> Rendered:
    """Return the body as ``render`` does; raise ``TooMuchMarkup`` for one that ``check_markup`` refuses."""
    if body_format is not BodyFormat.MARKDOWN:
        check_markup(body, body_format=body_format)
        return render(body, body_format=body_format, options=options)
    if options.plugins:
        # What a plugin adds does not count.
        check_markup(body, body_format=body_format)
        return render(body, body_format=body_format, options=options)
    compiled = _compiled(body, options, most_markup=MAX_MARKUP)
    return _of_markdown(compiled, options=options)


def plugin_failure(plugin: MarkdownPlugin) -> Exception | None:
    """Return what a plugin raises when a body is parsed and rendered with it, or ``None``."""
    try:
        try_plugin(plugin, _SAMPLE)
    except Exception as failure:
        # A plugin can raise anything.
        return failure
    return None


def _compiled(body: str, options: RenderOptions, *, most_markup: int | None = None) -> Compiled:
    prefix = options.footnote_prefix
    return compile_markdown(
        body,
        hard_breaks=options.hard_breaks,
        footnote_prefix=prefix,
        plugins=options.plugins,
        most_markup=most_markup,
    )


def _of_markdown(compiled: Compiled, *, options: RenderOptions) -> Rendered:
    tree = sanitize_compiled(compiled.html, footnote_prefix=options.footnote_prefix)
    rendered = _of_tree(tree, options=options, dropped_html=compiled.raw_html, unusable_urls=compiled.unusable_urls)
    return replace(
        rendered,
        unreadable_tex=(*rendered.unreadable_tex, *compiled.open_tex),
        lone_notes=compiled.lone_notes,
        is_hard_wrapped=compiled.is_hard_wrapped,
        text=compiled.text,
        has_failed_plugins=compiled.has_failed_plugins,
    )


def _of_tree(
    tree: Element, *, options: RenderOptions, dropped_html: tuple[str, ...], unusable_urls: tuple[str, ...]
) -> Rendered:
    """Return the page of a sanitised tree, which becomes that page, and the facts about it."""
    normalize(tree)
    source_headings, images, links = read_headings(tree), _read_images(tree), read_links(tree)
    prose = prose_of(tree)
    headings, unreadable_tex = _transform(tree, options=options)
    return Rendered(
        html=write_clean_html(tree),
        headings=headings,
        source_headings=source_headings,
        images=images,
        links=links,
        dropped_html=dropped_html,
        unusable_urls=unusable_urls,
        prose=prose,
        unreadable_tex=unreadable_tex,
    )


def _transform(tree: Element, *, options: RenderOptions) -> tuple[tuple[Heading, ...], tuple[str, ...]]:
    """Bring a tree into its form on the page, in place; return its headings and the formulas that cannot be read."""
    labels = options.labels
    annotate(tree, labels=labels)
    dress_images(tree, options=options)
    mark_external_links(tree, site_origin=options.site_origin)
    headings = dress_headings(tree, labels=labels)
    note_images(tree, options=options)
    wrap_tables(tree, labels=labels)
    dress_code_blocks(tree, labels=labels)
    if options.diagrams:
        wrap_diagrams(tree, languages=options.diagrams)
    if options.embeds:
        dress_embeds(tree, providers=options.embeds, labels=labels, id_prefix=options.footnote_prefix)
    mark_direction(tree, direction=options.direction)
    # Last: until here, a formula is code, whose text is its TeX.
    return headings, dress_formulas(tree, labels=labels)


def _read_images(tree: Element) -> tuple[BodyImage, ...]:
    images = (element.attrs for element in walk(tree) if element.name == "img")
    return tuple(BodyImage(attrs["src"], attrs.get("alt", "")) for attrs in images)
