"""Options of rendering, and the bound on markup."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class PictureSource:
    """One ``source`` of a ``picture``: a media type such as ``image/avif`` and its ``srcset``."""

    type: str
    srcset: str


@dataclass(frozen=True, slots=True)
class KnownImage:
    """A stored image: the address browsers fetch, its size in pixels, and variants to choose from (may be none)."""

    path: str
    width: int
    height: int
    sources: tuple[PictureSource, ...] = ()
    sizes: str = ""


@dataclass(frozen=True, slots=True)
class RenderLabels:
    """The few words that rendering adds to a body; the caller gives them in the blog's language.

    Three have a place for what they name, because languages order their words differently.
    """

    copy: str = "Copy"
    copy_code: str = "Copy code"
    code: str = "Code"
    code_in: str = "Code: %(language)s"
    table: str = "Table"
    link_to: str = "Link to %(heading)s"
    footnotes: str = "Footnotes"
    back_to_reference: str = "Back to reference %(number)s"
    alerts: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType(
            {"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution"}
        )
    )


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How to render one body.

    ``site_origin`` is scheme, host and port of the public site, or ``None``. ``mount`` is the mount path without a
    trailing slash, ``script_name`` what the server puts before it. ``footnote_prefix`` starts the ids of footnotes
    (``fn-<post id>-``). ``images`` are the stored images by SHA-256.
    """

    hard_breaks: bool
    site_origin: str | None
    mount: str
    script_name: str
    footnote_prefix: str
    images: Mapping[str, KnownImage]
    labels: RenderLabels = RenderLabels()
    direction: str = "ltr"
    """That of the page around the body, ``ltr`` or ``rtl``."""


class TooMuchMarkup(Exception):
    """A text is past a limit of its format; the message is a sentence that names the limit."""
