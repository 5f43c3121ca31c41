"""A model of the contract of redirects."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tests.contract.life_records import Life, Refused, path_of

FOLLOWING = {"slug_change", "unpublish", "removal", "adoption"}
ORIGIN = "https://example.com"


@dataclass
class Redirect:
    """A redirect: its path as written, its target, what created it, and its post."""

    spelled: str
    target: str | None
    source: str
    owner: Life | None
    day: str | None = None
    """Only when the test knows it."""
    by_adoption: bool = False
    """Whether an adoption moved the article."""


class Addresses:
    """The redirects by decoded path."""

    def __init__(self) -> None:
        self.rows: dict[str, Redirect] = {}

    def of(self, post: Life) -> list[Redirect]:
        """Return the redirects of a post."""
        return [row for row in self.rows.values() if row.owner is post]

    def add(self, sent: dict[str, Any], *, stored: Iterable[Life], owner: Life | None) -> bool:
        """``POST /redirects``; return whether the redirect is new."""
        here = plain(sent["old_path"])
        if without_format(here) in {post.path for post in stored}:
            raise Refused(409, "slug_reserved")
        target, row = sent.get("new_path"), self.rows.get(here)
        if target is not None:
            target = self.end(target, start=here, field="new_path")
        if row is not None:
            if (row.target, row.owner) != (target, owner) or sent.get("occurred_on") not in {None, row.day}:
                raise Refused(422, "validation_failed", ["old_path"])
            return False
        self.retarget(here, target)
        self.rows[here] = Redirect(sent["old_path"], target, "manual", owner, sent.get("occurred_on"))
        return True

    def end(self, sent: str, *, start: str, field: str) -> str | None:
        """Return where a target finally leads."""
        current = path_of(sent) if "/" not in sent else sent.removeprefix(ORIGIN)
        seen = {without_format(start)}
        while True:
            here = plain(without_query(current))
            if without_format(here) in seen:
                raise Refused(422, "validation_failed", [field])
            seen.add(without_format(here))
            row = self.rows.get(here) or self.rows.get(without_format(here))
            if row is None or row.target is None:
                return None if row else current
            current = row.target

    def withdraw(self, post: Life, target: str | None, source: str) -> None:
        """Remove the post from its path."""
        self.lead(post.path, target, source, post)

    def move(self, post: Life, old: str, *, by_adoption: bool = False) -> None:
        """Move a public post to a new slug."""
        self.lead(path_of(old), post.path, "slug_change", post, by_adoption=by_adoption)

    def come_back(self, post: Life) -> None:
        """Publish the post at its slug: its other paths redirect there."""
        if (row := self.rows.get(post.path)) and row.owner is post:
            del self.rows[post.path]
        for row in self.of(post):
            if row.source in FOLLOWING:
                row.target = post.path

    def lead(self, old: str, new: str | None, source: str, owner: Life, **more: Any) -> None:
        """Redirect a path, and everything that led to it."""
        self.retarget(old, new)
        if old in self.rows:
            self.rows[old].target = new
        else:
            self.rows[old] = Redirect(old, new, source, owner, **more)

    def retarget(self, target: str, new: str | None) -> None:
        for row in self.rows.values():
            if row.target is not None and plain(without_query(row.target)) == target:
                row.target = new


def plain(path: str) -> str:
    """Return the decoded path."""
    return unquote(path).rstrip("/") or "/"


def without_format(path: str) -> str:
    """Return the path of the page without the suffix of a format."""
    return path.removesuffix(".md").removesuffix(".html") if path.startswith("/blog/") else path


def without_query(target: str) -> str:
    return target.split("#")[0].split("?")[0]
