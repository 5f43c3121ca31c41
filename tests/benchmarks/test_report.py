"""Tables, growth curves, and the comparison with earlier results."""

from itertools import pairwise
from typing import Any

import pytest
from lxml import etree

from benchmarks.speed.curves import chart, draw, points_of
from benchmarks.speed.report import regressions, tables

SVG = "{http://www.w3.org/2000/svg}"


def result(**ratios: float) -> dict[str, Any]:
    """Results of two sizes with these ratios to the bare view."""
    cases = [
        {"name": name, "variant": "uncached", "python": 1.5, "database": 0.25, "total": ratio, "ratio": ratio}
        for name, ratio in ratios.items()
    ]
    served = {"variant": "uncached", "workers": 5, "memory": 200.0, "cases": []}
    sizes = {"100": {"cases": cases, "served": [served]}, "100000": {"cases": cases, "served": []}}
    versions = {"Python": "3.11"}
    return {"date": "today", "commit": "1a2b", "machine": "one", "versions": versions, "load": 0.5, "sizes": sizes}


@pytest.mark.parametrize(("ratio", "count"), [(8.0, 0), (12.49, 0), (12.51, 2), (40.0, 2)])
def test_a_ratio_may_grow_by_a_quarter(ratio: float, count: int) -> None:
    assert len(regressions(result(article=ratio), result(article=10.0))) == count


def test_a_regression_names_the_case_and_both_ratios() -> None:
    assert regressions(result(article=20.0, index=1.0), result(article=10.0, index=1.0))[1] == (
        "100,000 posts · article · uncached: 20.00 times bare, before 10.00 (+100%)"
    )


def test_only_cases_of_both_results_are_compared() -> None:
    assert regressions(result(article=99.0, index=1.0), result(index=1.0, feed=1.0)) == []
    assert regressions(result(article=99.0), result(article=1.0) | {"sizes": {}}) == []


def test_the_tables_have_every_case() -> None:
    assert "## 100,000 posts" in tables(result(article=20.0))
    assert "| article | uncached | 1.50 | 0.250 | 20 | 20 |" in tables(result(article=20.0))
    assert "gunicorn, 5 workers, uncached: 200.0 MiB (PSS)" in tables(result(article=20.0))


def test_a_chart_has_a_labelled_line_for_each_case() -> None:
    lines = {"article": [(100, 1.0), (100_000, 1.2)], "deep index": [(100, 1.0), (100_000, 40.0)]}

    drawn = etree.fromstring(chart("Times <bare>", lines))

    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    points = [line.attrib["points"].split() for line in drawn.iter(f"{SVG}polyline")]
    assert {"Times <bare>", "100", "100,000", "1", "10", "published posts", "article 1.2", "deep index 40"} <= set(
        texts
    )
    assert points[0][0] == points[1][0] != points[0][1] != points[1][1]
    assert "prefers-color-scheme: dark" in (drawn.findtext(f"{SVG}style") or "")


def test_labels_of_close_lines_do_not_cover_each_other() -> None:
    lines = {name: [(100, 1.0), (1_000, 1.0)] for name in ("a", "b", "c")}

    drawn = etree.fromstring(chart("Close", lines))

    heights = sorted(float(text.attrib["y"]) for text in drawn.iter(f"{SVG}text") if (text.text or "").endswith(" 1"))
    assert [round(after - before) for before, after in pairwise(heights)] == [16, 16]


def test_charts_are_drawn_of_what_was_measured_at_several_sizes(tmp_path: Any) -> None:
    draw(result(article=20.0, index=3.0), tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["speed-pages-uncached.svg"]
    assert points_of(result(article=20.0), "article", "uncached") == [(100, 20.0), (100_000, 20.0)]
