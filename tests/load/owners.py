"""Writers that own their posts: no other client writes to them, so the last answer is what must be stored."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.load.faces import Face
from tests.load.readers import Reader
from tests.support.images import encoded, halves

_CATEGORIES = ["Harbours", "Ropes", "Ice"]
_MOST_POSTS = 12


@dataclass
class Memory:
    """What the answers said about one post: its last state, and the records of its writes in order."""

    post: dict[str, Any]
    entries: list[str] = field(default_factory=list)
    approvals: int = 0
    declarations: int = 0
    was_deleted: bool = False
    has_history: bool = False

    def take(self, told: dict[str, Any]) -> None:
        """Remember the envelope of a write."""
        records = told["records"]
        self.post = told["post"]
        self.entries += [records["publication"]] if records["publication"] else []
        self.approvals += 1 if records["approval"] else 0
        self.has_history |= any(records.values())


class Refused(Exception):
    """A refusal that the only writer of a post must not get."""


class Owner:
    """Writes to its posts in random steps."""

    def __init__(self, name: str, face: Face, reader: Reader, *, chance: random.Random) -> None:
        self.name = name
        self.face = face
        self.reader = reader
        self.chance = chance
        self.posts: list[Memory] = []
        self._number = 0

    def step(self) -> None:
        """Make one random step that is possible now."""
        alive = [one for one in self.posts if not one.was_deleted]
        if len(alive) < 2 or (len(alive) < _MOST_POSTS and self.chance.random() < 0.15):
            self._begin()
            return
        memory = self.chance.choice(alive)
        self.chance.choice(_STEPS[memory.post["status"]])(self, memory)

    def look_back(self) -> None:
        """Check that exactly what the answers said is stored."""
        for memory in self.posts:
            found = self.face.call("get_post", id=str(memory.post["id"]))
            if memory.was_deleted:
                assert found["error"]["code"] == "not_found", memory
                continue
            assert without_signed(found) == without_signed(memory.post)
            records = self.face.call("get_post_records", id=str(memory.post["id"]))
            assert [entry["entry_type"] for entry in records["publications"]] == memory.entries
            assert (len(records["approvals"]), len(records["connections"])) == (memory.approvals, memory.declarations)

    def write(self, memory: Memory, tool: str, **arguments: Any) -> bool:
        """Call a tool about a post and keep its answer; return whether it succeeded, not whether it was busy."""
        told = self.face.call(tool, id=str(memory.post["id"]), **arguments)
        if _is_busy(told, of=f"{self.name}: {tool} of {memory.post['slug']}"):
            return False
        memory.take(told)
        return True

    def _begin(self) -> None:
        self._number += 1
        slug = f"{self.name}-{self._number}"
        sent: dict[str, Any] = {
            "title": f"Log {self._number} of {self.name}",
            "slug": slug,
            "external_id": slug,
            "body": self._body(),
            "tags": self.chance.sample(["x", "y", "z", "ice"], k=2),
            "category": self.chance.choice(_CATEGORIES),
            "author": self.chance.choice(["Mina", "Rosa", f"Author {self._number}"]),
            "faq": [{"question": "When?", "answer": f"At {self._number}."}],
        }
        if self.chance.random() < 0.3:
            colour = f"rgb({self._number * 3 % 256},{self.chance.randrange(256)},9)"
            image = self.face.upload(encoded(halves(colour), "PNG"), filename=f"{slug}.png")
            if not _is_busy(image, of="upload"):
                sent |= {"cover_image": {"image_id": image["image_id"]}, "cover_alt": "A quay"}
        told = self.face.call("save_draft", **sent)
        if not _is_busy(told, of=slug):
            assert told["created"] is True
            self.posts.append(Memory(told["post"]))

    def _body(self) -> str:
        return f"Low tide at {self.chance.randrange(10**9)}.\n\n## Rope\n\n" + "The quay was *empty*. " * 40

    def _edit(self, memory: Memory) -> None:
        change = self.chance.choice(["substantive", "maintenance"])
        self.write(memory, "update_post", body=self._body(), change=change, change_description="Another tide.")

    def _file(self, memory: Memory) -> None:
        self.write(memory, "update_post", tags=self.chance.sample(["x", "y", "z"], k=2), featured=False)

    def _correct(self, memory: Memory) -> None:
        self.write(memory, "correct_post", body=self._body(), note="The tide was wrong.")

    def _approve(self, memory: Memory) -> None:
        of = memory.post["revision_identifier"]
        public = memory.post["public_revision_identifier"]
        if memory.post["status"] == "published":
            assert of == public
        self.write(memory, "approve_revision", revision_identifier=of, name="Rosa Reviewer", facts_checked=True)

    def _declare(self, memory: Memory) -> None:
        sent = {"connections": [], "third_party_paid": False, "declared_by": self.name}
        if self.write(memory, "declare_connections", declared_on=date(2026, 1, 1).isoformat(), **sent):
            memory.declarations += 1
            memory.has_history = True

    def _publish(self, memory: Memory) -> None:
        if self.write(memory, "publish_post", change="maintenance"):
            assert memory.post["status"] == "published"
            page = self.reader.open_article(memory.post["slug"], fresh=True)
            # Every worker shows at once what another one stored.
            assert page.status_code == 200, page
            assert memory.post["title"] in page.text

    def _withdraw(self, memory: Memory) -> None:
        if self.write(memory, "unpublish_post"):
            assert self.reader.open_article(memory.post["slug"]).status_code == 410

    def _remove(self, memory: Memory) -> None:
        told = self.face.call("remove_post", id=str(memory.post["id"]))
        if _is_busy(told, of=f"removal of {memory.post['slug']}"):
            return
        if memory.has_history:
            memory.take(told)
            assert memory.post["status"] == "archived"
        else:
            assert told == {}, told
            memory.was_deleted = True

    def _read(self, memory: Memory) -> None:
        found = self.face.call("get_post", id=memory.post["slug"])
        if not _is_busy(found, of="reading"):
            assert without_signed(found) == without_signed(memory.post)


_Step = Callable[[Owner, Memory], None]
_STEPS: dict[str, list[_Step]] = {
    "draft": [Owner._edit, Owner._approve, *[Owner._publish] * 3, Owner._declare, Owner._remove, Owner._read],
    "published": [*[Owner._edit] * 3, Owner._file, Owner._correct, Owner._approve, Owner._declare, Owner._read],
    "archived": [Owner._edit, Owner._file, Owner._publish, Owner._read],
}
_STEPS["published"] += [Owner._withdraw, Owner._remove, Owner._publish]


def without_signed(post: dict[str, Any]) -> dict[str, Any]:
    """Return a full post without the preview link, which is signed each time."""
    return {name: value for name, value in post.items() if name != "preview_url"}


def _is_busy(told: dict[str, Any], *, of: str) -> bool:
    code = told.get("error", {}).get("code")
    if code is not None and code not in {"busy", "unavailable"}:
        raise Refused(f"{of}: {told['error']}")
    return code is not None
