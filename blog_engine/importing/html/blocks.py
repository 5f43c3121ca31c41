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
class Paragraph:
    spans: tuple[Span, ...]
    align: str = ""
    is_caption: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    level: int
    spans: tuple[Span, ...]
    align: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    language: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Rule:
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """An image on its own, with the link around it and its caption."""

    src: str
    alt: str
    href: str | None = None
    caption: tuple[Span, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple["Block", ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ListBlock:
    items: tuple[tuple["Block", ...], ...]
    start: int | None = None
    """The number of the first item; ``None`` for bullets."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Cell:
    blocks: tuple["Block", ...]
    is_head: bool = False
    align: str = ""


@dataclass(frozen=True, slots=True)
class TableBlock:
    head: tuple[Cell, ...]
    """The cells of the first row if it is a head."""
    rows: tuple[tuple[Cell, ...], ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula on its own, in TeX."""

    tex: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Details:
    """A box that readers open."""

    summary: tuple[Span, ...]
    blocks: tuple["Block", ...]
    is_open: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """A list of terms with their definitions."""

    entries: tuple["DefinedTerm | Definition", ...]
    line: int = field(default=0, compare=False)


Block = Paragraph | HeadingBlock | Code | Formula | Rule | Figure | Quote | Details | ListBlock | Terms | TableBlock
