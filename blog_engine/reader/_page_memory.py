"""Pages in the memory of a process, bounded by bytes."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock
from typing import Final

_OVERHEAD: Final = 2048
"""The bytes of an entry beside its content, about."""
_LARGEST_SHARE: Final = 4
"""A page that takes more than this part of the memory is not kept: it would displace most others."""
_PATIENCE: Final = 10.0
"""The seconds after which a thread renders a page itself that another thread renders."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A whole answer with status 200, and when it is valid."""

    version: str
    content: bytes
    headers: dict[str, str]
    modified: int | None
    """``Last-Modified`` as seconds since the epoch."""
    shown_post: int | None
    """The id of the post whose views are counted."""
    made_at: float
    ends_at: float

    def is_valid(self, version: str, *, now: float) -> bool:
        """Return whether the page may be sent; not before it was made, after a clock was set back."""
        return self.version == version and self.made_at <= now < self.ends_at

    @property
    def size(self) -> int:
        """The bytes that the page takes, about."""
        return len(self.content) + _OVERHEAD


class PageMemory:
    """The pages that were used last, up to ``max_bytes``; threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._size = 0
        self._pages: OrderedDict[Hashable, KeptPage] = OrderedDict()
        self._rendering: dict[Hashable, Event] = {}
        self._lock = Lock()

    def find(self, key: Hashable, version: str, *, now: float) -> KeptPage | None:
        """Return the page at the key, if it is valid."""
        with self._lock:
            page = self._pages.get(key)
            if page is None or not page.is_valid(version, now=now):
                return None
            self._pages.move_to_end(key)
            return page

    def keep(self, key: Hashable, page: KeptPage) -> None:
        """Keep the page in place of the one at the key, and drop those that were not used for longest."""
        with self._lock:
            replaced = self._pages.pop(key, None)
            self._size -= replaced.size if replaced else 0
            if page.size > self._max_bytes // _LARGEST_SHARE:
                return
            self._pages[key] = page
            self._size += page.size
            while self._size > self._max_bytes:
                _, dropped = self._pages.popitem(last=False)
                self._size -= dropped.size

    @contextmanager
    def turn(self, key: Hashable, version: str) -> Iterator[None]:
        """Enter the block alone for a page and version, or after the thread that was in it."""
        wanted = key, version
        with self._lock:
            other = self._rendering.get(wanted)
            mine = Event()
            self._rendering.setdefault(wanted, mine)
        if other is not None:
            # Those who waited enter together: a page that could not be kept must not be rendered one by one.
            other.wait(_PATIENCE)
            yield
            return
        try:
            yield
        finally:
            with self._lock:
                del self._rendering[wanted]
            mine.set()
