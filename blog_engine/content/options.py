"""Options of rendering."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

RENDERER_VERSION: Final = 10
"""Raised whenever the output changes for the same source; stored renderings of another version are stale."""

MarkdownPlugin: TypeAlias = Callable[["MarkdownIt"], object]
"""Extends the parser that it is called with; what it returns is ignored."""


@dataclass(frozen=True, slots=True)
class PictureSource:
    """A ``source`` of a ``picture``: its media type and ``srcset``."""

    type: str
    srcset: str


@dataclass(frozen=True, slots=True)
class KnownImage:
    """A stored image."""

    path: str
    """The path that browsers request."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    sources: tuple[PictureSource, ...] = ()
    """Variants; empty for an image without."""
    sizes: str = ""
    """The attribute ``sizes`` of each source."""
    original: str = ""
    """The path of the uploaded file; empty for an image that does not link to it."""


class ImageOrigin(NamedTuple):
    """The credit and the source type of a stored image."""

    credit: str
    """The line that credits a person or agency; may be empty."""
    source_type: str | None
    """The term of IPTC, if any."""


@dataclass(frozen=True, slots=True)
class RenderLabels:
    """The texts that rendering adds to a body, in the language of the blog."""

    copy: str = "Copy"
    copy_code: str = "Copy code"
    code: str = "Code"
    code_in: str = "Code: %(language)s"
    table: str = "Table"
    formula: str = "Formula"
    load_video: str = "Load video from %(provider)s"
    load_content: str = "Load content from %(provider)s"
    full_size: str = "Image in full size"
    full_size_of: str = "Image in full size: %(text)s"
    link_to: str = "Link to %(heading)s"
    footnotes: str = "Footnotes"
    back_to_reference: str = "Back to reference %(number)s"
    ai_images: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The words for the source types of images that AI made, changed, or made parts of."""
    alerts: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType(
            {"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution"}
        )
    )


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Options for rendering a body."""

    hard_breaks: bool
    """Whether a newline in a Markdown paragraph is a line break."""
    site_origin: str | None
    """Scheme, host and port of the public site, without trailing slash."""
    mount: str
    """The mount path without trailing slash."""
    script_name: str
    """The prefix that the server strips from paths (``SCRIPT_NAME``)."""
    footnote_prefix: str
    """The start of the ids of footnotes, ``fn-<post id>-``."""
    images: Mapping[str, KnownImage]
    """Stored images by SHA-256."""
    origins: Mapping[str, ImageOrigin] = field(default_factory=lambda: MappingProxyType({}))
    """The origins of stored images by SHA-256."""
    labels: RenderLabels = RenderLabels()
    direction: str = "ltr"
    """The direction of the page around the body, ``ltr`` or ``rtl``."""
    plugins: tuple[MarkdownPlugin, ...] = ()
    """The Markdown plugins of the host."""
    diagrams: frozenset[str] = frozenset()
    """The languages of code blocks that a script of the host draws."""
    embeds: frozenset[str] = frozenset()
    """The providers whose content readers can load."""


class TooMuchMarkup(Exception):
    """A text exceeds a limit of its format; the message names the limit."""
