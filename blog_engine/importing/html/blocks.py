"""The blocks of a body as readers see them, whether it is HTML or Markdown."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a piece of text, and its link."""

    marks: frozenset[str] = frozenset()
    """Names of elements, and attributes such as ``lang=fr``."""
    is_code: bool = False
    href: str | None = None
    title: str = ""


@dataclass(slots=True)
class Text:
    """Text of one style; white space is one space. Not frozen: there are thousands in a body, and it takes longer."""

    text: str
    style: Style
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Break:
    """A line break."""


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """An image inside a heading, a cell or a caption."""

    src: str
    alt: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Box:
    """The checkbox of a task."""

    is_checked: bool


Span = Text | Break | InlinePicture | Box


@dataclass(frozen=True, slots=True)
class _Placed:
    line: int = field(default=0, compare=False, kw_only=True)
    """Where the block begins in the source; 0 if that is not known."""


@dataclass(frozen=True, slots=True)
class Paragraph(_Placed):
    spans: tuple[Span, ...]
    align: str = ""
    is_caption: bool = False


@dataclass(frozen=True, slots=True)
class HeadingBlock(_Placed):
    level: int
    spans: tuple[Span, ...]
    align: str = ""


@dataclass(frozen=True, slots=True)
class Code(_Placed):
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Rule(_Placed):
    """A line across the page."""


@dataclass(frozen=True, slots=True)
class Figure(_Placed):
    """An image on its own, with the link around it and its caption."""

    src: str
    alt: str
    href: str | None = None
    caption: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote(_Placed):
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class ListBlock(_Placed):
    items: tuple[tuple["Block", ...], ...]
    start: int | None = None
    """The number of the first item; ``None`` for bullets."""


@dataclass(frozen=True, slots=True)
class Cell:
    blocks: tuple["Block", ...]
    is_head: bool = False
    align: str = ""


@dataclass(frozen=True, slots=True)
class TableBlock(_Placed):
    head: tuple[Cell, ...]
    """The cells of the first row if it is a head."""
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Formula(_Placed):
    """A formula on its own, in TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class Details(_Placed):
    """A box that readers open."""

    summary: tuple[Span, ...]
    blocks: tuple["Block", ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Terms(_Placed):
    """A list of terms with their definitions."""

    entries: tuple["DefinedTerm | Definition", ...]


Block = Paragraph | HeadingBlock | Code | Formula | Rule | Figure | Quote | Details | ListBlock | Terms | TableBlock
