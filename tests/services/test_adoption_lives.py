"""All short lives of an adopted article, against a second, much simpler model of the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, product
from typing import Any

import pytest

from blog_engine.errors import AlreadyChangedInGem
from blog_engine.models import Baseline, Post, Publication, Revision
from blog_engine.rules.revision import revision_identifier
from tests.requirements import requirement
from tests.support.factories import NOW, WHOLE, adopt, approve, declare, publish, unpublish, update
from tests.support.tables import everything_stored

pytestmark = [pytest.mark.django_db, pytest.mark.heavy]

ARTICLES = {"a": WHOLE, "b": WHOLE | {"body": "New from there.", "slug": "ferry-at-night"}}
WORDS = count()
STEPS: dict[str, Callable[[Post], Any]] = {
    "edit": lambda post: update(post, title=f"Title {next(WORDS)}", change="substantive"),
    "tag": lambda post: update(post, tags=["Other"]),
    "approve": approve,
    "declare": declare,
    "publish": publish,
    "unpublish": unpublish,
}


@dataclass
class Life:
    """What decides about the next adoption."""

    article: str | None = None
    is_followed: bool = False
    differs: bool = False

    def live(self, step: str) -> None:
        """Take a step that is no adoption."""
        self.differs |= step in {"tag", "declare"}
        self.is_followed |= step in {"edit", "approve", "unpublish"}

    def adopt(self, article: str) -> str:
        """Adopt an article, and say what becomes of it."""
        if self.is_followed:
            return "refused"
        expected = "new" if self.article is None else "replaced"
        if (self.article, self.differs) == (article, False):
            return "same"
        self.article, self.differs = article, False
        return expected


def adopted_as(article: str) -> str:
    """Adopt an article, and say what became of it; a repeat or a refusal must have written nothing."""
    before = everything_stored()
    try:
        outcome = adopt(ARTICLES[article], now=NOW).baseline or "same"
    except AlreadyChangedInGem:
        outcome = "refused"
    assert (everything_stored() == before) is (outcome in {"same", "refused"})
    return outcome


def assert_history_is_whole(*, is_followed: bool) -> None:
    baseline = Baseline.objects.get()
    revisions = list(Revision.objects.all())
    assert all(revision_identifier(row.payload) == row.identifier for row in revisions)
    assert Publication.objects.filter(entry_type="adopted").get().revision_id == baseline.adopted_revision_id
    assert not Publication.objects.filter(entry_type="first").exists()
    assert is_followed or [row.pk for row in revisions] == [baseline.adopted_revision_id]
    assert is_followed or Post.objects.get().current_revision_identifier == revisions[0].identifier


@requirement("adoption.public")
@pytest.mark.parametrize("steps", list(product([*ARTICLES, *STEPS], repeat=2)), ids="-".join)
def test_every_short_life_ends_as_the_rules_say(steps: tuple[str, ...]) -> None:
    life = Life()

    for step in ("a", *steps, "a", "b", "b"):
        if step in ARTICLES:
            assert adopted_as(step) == life.adopt(step)
        else:
            life.live(step)
            STEPS[step](Post.objects.get())
        assert_history_is_whole(is_followed=life.is_followed)
