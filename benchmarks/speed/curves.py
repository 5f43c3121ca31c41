"""Growth curves as SVG: how often the processor time of a bare view a request takes, by the number of posts.

Both axes are logarithmic. Times themselves would show how fast the machine was at the time.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from pathlib import Path
from typing import Final

from benchmarks.speed.report import Result

_CHARTS: Final = {
    "pages": ("article", "index", "deep index", "category", "feed", "Markdown", "search"),
    "api": ("API list", "API post", "tools/list", "publish", "update", "upload"),
}
_SHOWN: Final = {
    ("pages", "cached"): "kept pages",
    ("pages", "uncached"): "rendered pages",
    ("api", "uncached"): "API and agents",
}
_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 44, 52
_STYLE: Final = """
svg { background: #fff; color: #222 }
.grid { stroke: #ccc; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }
text { font: 13px system-ui, sans-serif; fill: currentColor }
.title { font-size: 15px; font-weight: 600 }
.c0 { stroke: #0b62a4 } .c1 { stroke: #b3541e } .c2 { stroke: #2d7a3a } .c3 { stroke: #8d3fa8 }
.c4 { stroke: #7a6a00 } .c5 { stroke: #b0204c } .c6 { stroke: #00757a }
@media (prefers-color-scheme: dark) {
  svg { background: #16181d; color: #e6e6e6 }
  .grid { stroke: #3c4048 }
  .c0 { stroke: #6db4f0 } .c1 { stroke: #f0a36d } .c2 { stroke: #7fd08c } .c3 { stroke: #d39ae8 }
  .c4 { stroke: #d6c64a } .c5 { stroke: #f58aa8 } .c6 { stroke: #5fd0d4 }
}
"""

Points = list[tuple[int, float]]


def draw(result: Result, folder: Path) -> None:
    """Write a chart for each page cache variant and each kind of request that was measured at several sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    for variant in ("cached", "uncached"):
        for name, cases in _CHARTS.items():
            lines = {case: points for case in cases if len(points := points_of(result, case, variant)) > 1}
            # Requests that the page cache never keeps belong to the uncached ones.
            if lines and not (variant == "cached" and name == "api"):
                title = f"Processor time as a multiple of a bare view, {_SHOWN[name, variant]}"
                (folder / f"speed-{name}-{variant}.svg").write_text(chart(title, lines), "utf-8")


def points_of(result: Result, name: str, variant: str) -> Points:
    """Return the ratios of a case by the number of posts."""
    allowed = {variant, ""} if variant == "uncached" else {variant}
    return sorted(
        (int(size), case["ratio"])
        for size, of_size in result["sizes"].items()
        for case in of_size["cases"]
        if case["name"] == name and case["variant"] in allowed
    )


def chart(title: str, lines: dict[str, Points]) -> str:
    """Return an SVG with a labelled line for each case."""
    values = [value for points in lines.values() for _, value in points]
    sizes = sorted({size for points in lines.values() for size, _ in points})
    axes = _Axes(sizes, floor(log10(min(values))), ceil(log10(max(values))))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">',
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="24">{escape(title)}</text>',
        *axes.grid(),
    ]
    labels = _spread([axes.y(points[-1][1]) for points in lines.values()])
    for number, ((name, points), label) in enumerate(zip(lines.items(), labels, strict=True)):
        path = " ".join(f"{axes.x(size):.1f},{axes.y(value):.1f}" for size, value in points)
        end = axes.x(points[-1][0])
        parts += [
            f'<polyline class="line c{number}" points="{path}"/>',
            f'<line class="c{number}" x1="{end + 2:.1f}" y1="{axes.y(points[-1][1]):.1f}" '
            f'x2="{end + 18:.1f}" y2="{label:.1f}"/>',
            f'<text x="{end + 22:.1f}" y="{label + 4:.1f}">{escape(name)} {points[-1][1]:.3g}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Axes:
    def __init__(self, sizes: Sequence[int], least: int, most: int) -> None:
        self._sizes, self._least, self._most = sizes, least, max(most, least + 1)

    def x(self, size: int) -> float:
        first, last = log10(self._sizes[0]), log10(self._sizes[-1])
        return _LEFT + (log10(size) - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (log10(value) - self._least) / (self._most - self._least)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> Iterator[str]:
        """Yield the lines and labels of both axes."""
        for power in range(self._least, self._most + 1):
            y = self.y(10**power)
            yield f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
            yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
        for size in self._sizes:
            x = self.x(size)
            yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_HEIGHT - _BOTTOM}"/>'
            yield f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{size:,}</text>'
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        yield f'<text x="{middle:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">published posts</text>'


def _spread(heights: Sequence[float]) -> list[float]:
    """Return the heights moved apart, so that no label covers another."""
    spread = list(heights)
    order = sorted(range(len(spread)), key=spread.__getitem__)
    for before, after in pairwise(order):
        spread[after] = max(spread[after], spread[before] + 16)
    return spread
