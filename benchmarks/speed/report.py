"""Tables of results, and the comparison with earlier ones."""

from collections.abc import Iterator
from typing import Any, Final

TOLERANCE: Final = 0.25
"""By how much a ratio may grow."""

Result = dict[str, Any]


def tables(result: Result) -> str:
    """Return the results as Markdown."""
    blocks = [
        f"{result['date']}, commit {result['commit']}, {result['machine']}, "
        + ", ".join(f"{name} {version}" for name, version in result["versions"].items())
        + f", load average {result['load']}."
    ]
    for size, of_size in result["sizes"].items():
        blocks.append(f"## {int(size):,} posts\n\n{_table_of_cases(of_size['cases'])}")
        blocks += [_table_of_served(served) for served in of_size["served"]]
    return "\n\n".join(blocks) + "\n"


def _table_of_cases(cases: list[Result]) -> str:
    rows = [
        (
            *(case["name"], case["variant"], _number(case["python"]), _number(case["database"])),
            *(_number(case["total"]), _number(case["ratio"])),
        )
        for case in cases
    ]
    return _table(("Request", "Page cache", "Python ms", "Database ms", "Total ms", "Times bare"), rows)


def _table_of_served(served: Result) -> str:
    rows = [
        (
            *(case["name"], str(case["per_second"]), str(case["bare_per_second"]), f"{case['throughput']:.2f}"),
            *(_number(case["worker"]), _number(case["database"]), _number(case["bare_worker"])),
        )
        for case in served["cases"]
    ]
    columns = ("Request", "Per second", "Bare", "Of bare", "Worker ms", "Database ms", "Bare ms")
    title = f"gunicorn, {served['workers']} workers, {served['variant']}: {served['memory']} MiB (PSS)"
    return f"{title}\n\n{_table(columns, rows)}"


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [columns, tuple("---" if number == 0 else "--:" for number in range(len(columns))), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _number(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def regressions(result: Result, earlier: Result) -> list[str]:
    """Return the cases of both results whose ratio grew by more than a quarter."""
    before = dict(_ratios(earlier))
    return [
        f"{' · '.join(key)}: {ratio:.2f} times bare, before {before[key]:.2f} ({ratio / before[key] - 1:+.0%})"
        for key, ratio in _ratios(result)
        if key in before and ratio > before[key] * (1 + TOLERANCE)
    ]


def _ratios(result: Result) -> Iterator[tuple[tuple[str, ...], float]]:
    for size, of_size in result["sizes"].items():
        for case in of_size["cases"]:
            yield tuple(filter(None, (f"{int(size):,} posts", case["name"], case["variant"]))), case["ratio"]
