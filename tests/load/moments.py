"""What writers stored when, and what readers may therefore see."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

Seen = frozenset[tuple[str, int]]
"""What a page shows: subjects such as ``Pier 3``, and their numbers."""


@dataclass
class State:
    """What one write stored; its commit was between the two times."""

    number: int
    is_public: bool
    begun: float
    ended: float | None = None


class Subject:
    """A post or a category, with the states that its only writer gave it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.states: list[State] = []

    @property
    def number(self) -> int:
        """The number of the last write."""
        return self.states[-1].number if self.states else 0

    @contextmanager
    def writing(self, *, is_public: bool = True, keeps_number: bool = False) -> Iterator[str]:
        """Note a write, which the block makes with the text that it gets."""
        state = State(self.number + (not keeps_number), is_public, time.monotonic())
        self.states.append(state)
        yield f"{self.name} at tide {state.number}"
        state.ended = time.monotonic()

    def possible(self, begin: float, end: float) -> list[State]:
        """Return the states of the moments between two times."""
        sure = [place for place, state in enumerate(self.states) if state.ended is not None and state.ended <= begin]
        return [state for state in self.states[sure[-1] if sure else 0 :] if state.begun <= end]


@dataclass
class Scene:
    """The subjects, the clients, and what readers saw that no moment explains."""

    origin: str
    posts: list[Subject]
    categories: list[Subject]
    end: float = 0.0
    wrong: list[str] = field(default_factory=list)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)

    def check(self, path: str, seen: Seen, *, begin: float, end: float, needed: list[Subject]) -> None:
        """Note each number that is too old or too new, and each needed post that is missing or should be."""
        for subject in (*self.posts, *self.categories):
            possible = subject.possible(begin, end)
            shown = {number for name, number in seen if name == subject.name}
            allowed = {state.number for state in possible if state.is_public}
            if shown - allowed:
                self.wrong.append(f"{path}: {subject.name} at {sorted(shown)}, possible {sorted(allowed)}")
            if subject in needed and not shown and all(state.is_public for state in possible):
                self.wrong.append(f"{path}: {subject.name} is missing, possible {sorted(allowed)}")

    def live(self, *actors: Callable[[], None]) -> None:
        """Let each actor act again and again until the end."""

        def go_on(actor: Callable[[], None]) -> None:
            try:
                while time.monotonic() < self.end:
                    actor()
            except BaseException:
                self.end = 0
                raise

        with ThreadPoolExecutor(max_workers=len(actors)) as pool:
            for done in [pool.submit(go_on, actor) for actor in actors]:
                done.result()
