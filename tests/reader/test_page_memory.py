"""The memory of kept pages: its bound, and one rendering at a time."""

from collections.abc import Hashable
from threading import Barrier, Event

import pytest
from django.test import override_settings

from blog_engine.reader.page_cache import KeptPage, PageMemory
from tests.concurrency.races import together
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import ask

PAGE_BYTES = 10_000


def page(text: bytes = b"", *, version: str = "a", made_at: float = 0, ends_at: float = 60) -> KeptPage:
    content = text or b"x" * (PAGE_BYTES - 2048)
    return KeptPage(version, content, {}, modified=None, shown_post=None, made_at=made_at, ends_at=ends_at)


def found(memory: PageMemory, *keys: Hashable) -> list[Hashable]:
    return [key for key in keys if memory.find(key, "a", now=0)]


@requirement("page-cache.bytes")
def test_the_page_that_was_not_used_for_longest_makes_room() -> None:
    memory = PageMemory(4 * PAGE_BYTES)
    for key in "abcd":
        memory.keep(key, page())
    found(memory, "a")

    memory.keep("e", page())

    assert found(memory, *"abcde") == list("acde")


@requirement("page-cache.bytes")
def test_a_page_of_another_version_takes_the_room_of_the_old_one() -> None:
    memory = PageMemory(4 * PAGE_BYTES)
    for key in "abcd":
        memory.keep(key, page())

    for _ in range(3):
        memory.keep("a", page(version="b"))

    assert found(memory, *"abcd") == list("bcd")
    assert memory.find("a", "b", now=0)


@requirement("page-cache.bytes")
def test_a_page_larger_than_a_quarter_of_the_memory_is_not_kept() -> None:
    memory = PageMemory(4 * PAGE_BYTES)
    memory.keep("a", page())

    memory.keep("a", page(b"x" * PAGE_BYTES))

    assert found(memory, "a") == []


def test_a_page_is_valid_from_when_it_was_made_until_its_end() -> None:
    kept = page(made_at=10, ends_at=20)

    assert [kept.is_valid("a", now=now) for now in (9, 10, 19.9, 20)] == [False, True, True, False]
    assert not kept.is_valid("b", now=10)


@requirement("page-cache.stampede")
@pytest.mark.django_db(transaction=True)
def test_readers_who_come_together_wait_for_one_rendering() -> None:
    save(title="Quay", publish=True)
    start = Barrier(6)

    def read() -> tuple[int, bytes]:
        start.wait(10)
        asked = ask("/blog/quay")
        return asked.queries, asked.response.content

    # Forgets all pages and the memory that has them.
    with override_settings(BLOG_ENGINE=blog_settings()):
        answers = together(*[read] * 6)

    queries = sorted(number for number, _ in answers)
    assert queries[:5] == [1] * 5
    assert queries[5] > 1
    assert len({content for _, content in answers}) == 1


@requirement("page-cache.stampede")
def test_those_who_waited_for_a_page_that_is_not_kept_go_on_together() -> None:
    memory, inside, entered = PageMemory(PAGE_BYTES), Event(), Barrier(4)

    def first() -> None:
        with memory.turn("a", "v"):
            inside.set()
            waiting.wait(0.2)

    def next_one() -> None:
        assert inside.wait(10)
        with memory.turn("a", "v"):
            # Passes only if all three are in the block at once.
            entered.wait(10)

    def other_version() -> None:
        assert inside.wait(10)
        with memory.turn("a", "w"):
            entered.wait(10)

    waiting = Event()
    together(first, next_one, next_one, next_one, other_version)
