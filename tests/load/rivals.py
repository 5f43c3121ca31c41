"""Writers that write to the same post at the same moment, through different processes."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.load.faces import Face


class Rivals:
    """Two publish a draft while a third one edits it: all succeed, one after the other."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self._one, self._other, self._third = faces
        self._number = 0

    def step(self) -> None:
        """Run one race, and check the result."""
        self._number += 1
        title = f"Wanted {self._number}"
        draft = self._one.call("save_draft", title=title, slug=f"wanted-{self._number}", body="Mine.")["post"]
        id = str(draft["id"])
        with ThreadPoolExecutor(max_workers=3) as pool:
            race = [
                pool.submit(self._one.call, "publish_post", id=id, category="Ropes"),
                pool.submit(self._other.call, "publish_post", id=id, tags=["ice"]),
                pool.submit(self._third.call, "update_post", id=id, body="Yours.", change="maintenance"),
            ]
        told = [one.result() for one in race]
        self._look_back(id, [answer["records"] for answer in told])

    def _look_back(self, id: str, told: list[dict[str, Any]]) -> None:
        records = self._one.call("get_post_records", id=id)
        entries = [entry["entry_type"] for entry in records["publications"]]

        assert (entries[0], entries.count("first")) == ("first", 1)
        assert Counter(entries) == Counter(one["publication"] for one in told if one["publication"])
        assert len(records["revisions"]) == [one["revision"] for one in told].count("new")
        post = self._other.call("get_post", id=id)
        assert (post["status"], post["body"], post["tags"]) == ("published", "Yours.", ["ice"])
        assert post["category"]["name"] == "Ropes"
        assert post["public_revision_identifier"] == post["revision_identifier"]
