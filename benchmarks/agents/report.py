"""Print what a run cost as a Markdown table, or two runs beside each other.

``python -m benchmarks.agents.report FOLDER [LATER_FOLDER]``. A task that only one version can do in full is left out of
a sum with ``--without 8 9``.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.agents.call import TASKS
from benchmarks.agents.site import Folder

LISTING: Final = "tools/list"


class Cost(NamedTuple):
    """The calls of a task."""

    calls: int
    refused: int
    sent: int
    """Tokens of the arguments, which the model writes."""
    read: int
    """Tokens of the answers, which the model reads."""

    @property
    def total(self) -> int:
        """Tokens in both directions."""
        return self.sent + self.read


def token_counter() -> tuple[str, Callable[[str], int]]:
    """Return the name of the way in which tokens are counted, and the function that counts those of a text."""
    try:
        from bpe_openai import get_encoding
    except ImportError:
        return "characters / 4", lambda text: round(len(text) / 4)
    encoding = get_encoding("o200k_base")
    return "o200k_base", lambda text: len(encoding.encode(text))


def costs_of(lines: Iterable[dict[str, Any]], count: Callable[[str], int]) -> dict[str, Cost]:
    """Return the cost of each task by its number, and that of one listing of the tools."""
    of_task: dict[str, list[dict[str, Any]]] = {name: [] for name in (LISTING, *TASKS)}
    for line in lines:
        if line["tool"] == LISTING:
            # A client lists them once in a session.
            of_task[LISTING] = [line]
        else:
            of_task[line["task"]].append(line)
    return {
        name: Cost(
            len(calls),
            sum(call["is_error"] for call in calls),
            sum(count(call["sent"]) for call in calls if call["sent"]),
            sum(count(call["answer"]) for call in calls),
        )
        for name, calls in of_task.items()
    }


def table(costs: dict[str, Cost], *, without: Sequence[str]) -> str:
    """Return the costs of one run; one of the sums leaves some tasks out."""
    rows = [
        f"| {name} | {' | '.join(f'{number:,}' for number in (*cost, cost.total))} |"
        for name, cost in _with_sums(costs, without)
    ]
    head = ["| Task | Calls | Refused | Sent | Read | Total |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    return "\n".join([*head, *rows])


def comparison(before: dict[str, Cost], after: dict[str, Cost], *, without: Sequence[str]) -> str:
    """Return the costs of two runs, and those of the later one as a share of the earlier one."""
    pairs = zip(_with_sums(before, without), _with_sums(after, without), strict=True)
    rows = [
        f"| {name} | {old.calls} | {new.calls} | {old.total:,} | {new.total:,} | {_share(old.total, new.total)} |"
        for (name, old), (_, new) in pairs
    ]
    head = "| Task | Calls before | after | Tokens before | after | Share |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: |", *rows])


def _with_sums(costs: dict[str, Cost], without: Sequence[str]) -> list[tuple[str, Cost]]:
    tasks = {name: cost for name, cost in costs.items() if name != LISTING}
    sums = {"ten tasks": list(tasks.values()), "ten tasks and tools/list": list(costs.values())}
    if without:
        sums[f"without {', '.join(without)}"] = [cost for name, cost in tasks.items() if name not in without]
    summed = [(name, Cost(*map(sum, zip(*some, strict=True)))) for name, some in sums.items()]
    return [*tasks.items(), (LISTING, costs[LISTING]), *summed]


def _share(old: int, new: int) -> str:
    return f"{100 * new / old:.0f} %" if old else "none"


def main() -> None:
    """Print the table of one run, or of two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="one or two runs")
    parser.add_argument("--without", nargs="+", choices=TASKS, default=[], help="also sum up all tasks but these")
    options = parser.parse_args()
    name, count = token_counter()
    runs = [
        costs_of(map(json.loads, Folder(path).calls.read_text("utf-8").splitlines()), count) for path in options.folders
    ]
    print(f"Tokens: {name}.\n")
    if len(runs) == 1:
        print(table(runs[0], without=options.without))
    else:
        print(comparison(*runs[:2], without=options.without))


if __name__ == "__main__":
    main()
