"""Tables of the clipboard as Markdown can have them: a heading row, one line in a cell, as many cells in each row."""

from collections.abc import Iterator
from typing import Final

from blog_engine.content.html import HEADINGS, INLINE, Element, Node, walk

_MOST_ADDED: Final = 2_000
"""The most empty cells that are added to a paste for cells that span several."""
_GROUPS: Final = frozenset({"thead", "tbody"})


def tidy_tables(tree: Element) -> None:
    """Give tables the form that Markdown has, in place."""
    left = _MOST_ADDED
    for element in (tree, *list(walk(tree))):
        made: list[Node] = []
        for child in element.children:
            if isinstance(child, Element) and child.name == "table":
                rows = list(_rows(child))
                if _is_layout(child, rows):
                    made += [Element("div", {}, cell.children) for row in rows for cell in _cells(row)]
                    continue
                left -= _fill_spans(rows, left)
                for row in rows:
                    for cell in _cells(row):
                        _flatten(cell)
                for cell in _cells(rows[0]) if rows else ():
                    _make_head(cell)
            made.append(child)
        element.children = made


def _rows(table: Element) -> Iterator[Element]:
    for child in table.children:
        if isinstance(child, Element):
            inner = child.children if child.name in _GROUPS else [child]
            yield from (row for row in inner if isinstance(row, Element) and row.name == "tr")


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if isinstance(cell, Element) and cell.name in {"td", "th"}]


def _is_layout(table: Element, rows: list[Element]) -> bool:
    """Return whether a table only places things: it says so, has one cell, or one column with headings or lists."""
    cells = [_cells(row) for row in rows]
    if table.attrs.get("role") == "presentation" or sum(map(len, cells)) == 1:
        return True
    return all(len(row) <= 1 for row in cells) and any(
        one.name in HEADINGS or one.name in {"ul", "ol", "table", "blockquote", "pre"}
        for row in cells
        for cell in row
        for one in walk(cell)
    )


def _fill_spans(rows: list[Element], most: int) -> int:
    """Add empty cells for those that span several columns or rows, in place, and return how many."""
    added = 0
    waiting: dict[int, int] = {}
    """The rows that the cell of a column still spans."""
    for row in rows:
        cells: list[Node] = []
        fresh: dict[int, int] = {}
        for cell in _cells(row):
            while waiting.get(len(cells), 0) and added < most:
                cells.append(Element("td"))
                added += 1
            columns = min(_number(cell, "colspan"), most - added + 1)
            lines = _number(cell, "rowspan")
            place = len(cells)
            cells += [cell, *(Element("td") for _ in range(columns - 1))]
            added += columns - 1
            if lines > 1:
                fresh |= dict.fromkeys(range(place, place + columns), lines)
        while waiting.get(len(cells), 0) and added < most:
            cells.append(Element("td"))
            added += 1
        row.children = cells
        waiting = {place: lines - 1 for place, lines in (waiting | fresh).items() if lines > 1}
    return added


def _number(cell: Element, name: str) -> int:
    value = cell.attrs.pop(name, "1")
    return max(1, int(value)) if value.isascii() and value.isdigit() and len(value) <= 3 else 1


def _flatten(cell: Element) -> None:
    """Make one line of what is in a cell, in place: list items get commas between them."""
    if all(isinstance(child, str) or child.name in INLINE for child in cell.children):
        return
    cell.children = list(_line_of(cell))
    while cell.children and isinstance(last := cell.children[-1], str) and not last.strip(" ,"):
        cell.children.pop()


def _line_of(element: Element) -> Iterator[Node]:
    for child in element.children:
        if isinstance(child, str):
            if child.strip():
                yield child
        elif child.name in INLINE or child.name == "pre":
            yield child
        else:
            yield from _line_of(child)
            yield ", " if child.name == "li" else " "


def _make_head(cell: Element) -> None:
    """Make a cell of the first row a heading, which each table has in Markdown and which is bold by itself."""
    cell.name = "th"
    for names in ({"span"}, {"strong"}):
        cell.children = [
            inner
            for child in cell.children
            for inner in (child.children if isinstance(child, Element) and child.name in names else [child])
        ]
