"""Drawn pictures that the storage did not take: the process keeps them for a minute."""

from threading import Lock
from time import monotonic
from typing import Final

MOST_UNSAVED: Final = 32
"""The pictures of a process, each of up to some 100 kB."""
_SECONDS: Final = 60
"""For how long each is kept before it is drawn and saved again."""


class UnsavedPictures:
    """A few pictures by their digest, in the order in which they were drawn."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, bytes]] = {}
        self._changing = Lock()

    def find(self, digest: str) -> bytes | None:
        """Return a picture that is still kept."""
        with self._changing:
            self._forget_old()
            found = self._kept.get(digest)
        return found[1] if found else None

    def is_full(self) -> bool:
        """Return whether no other picture can be kept now."""
        with self._changing:
            self._forget_old()
            return len(self._kept) >= MOST_UNSAVED

    def keep(self, digest: str, data: bytes) -> None:
        """Keep a picture from now on."""
        with self._changing:
            self._kept.pop(digest, None)
            self._kept[digest] = monotonic() + _SECONDS, data

    def _forget_old(self) -> None:
        now = monotonic()
        for digest in [digest for digest, (ends, _) in self._kept.items() if ends <= now]:
            del self._kept[digest]
