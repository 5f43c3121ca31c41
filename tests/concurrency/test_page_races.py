"""Two writers of one policy page, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.errors import RevisionMismatch, ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from blog_engine.services import SavedPage, save_page
from blog_engine.services._transaction import write_transaction
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

WRITER = Actor("Writer", scopes=["write"])


def save(kind: str = "ai_use", *, actor: Actor = EDITOR, **fields: Any) -> SavedPage:
    return save_page(parse(SavePage, fields, fixed={"kind": kind}), actor=actor, now=NOW)


def save_unless_changed(expected: str, **fields: Any) -> SavedPage:
    return save_page(
        parse(SavePage, fields, fixed={"kind": "ai_use"}), actor=EDITOR, now=LATER, expected_updated_at=expected
    )


def stopping(held: Held, write: Callable[[], SavedPage]) -> SavedPage:
    """Write, and stop before the commit."""
    with write_transaction():
        saved = write()
        held(None, None)
        return saved


def pages() -> list[tuple[str, str, str, str]]:
    return list(PolicyPage.objects.order_by("id").values_list("kind", "slug", "title", "body"))


@requirement("policies.racing")
def test_two_first_writes_make_one_page() -> None:
    held = Held()

    one, two = race(held, lambda: stopping(held, lambda: save(title="One")), lambda: save(title="Two", body="Text."))

    assert (one.created, two.created) == (True, False)
    assert pages() == [("ai_use", "ai-use", "Two", "Text.")]


@requirement("policies.racing")
def test_many_first_writes_make_one_page() -> None:
    outcomes = together(*(lambda number=number: save(title=f"Title {number}") for number in range(6)))

    assert sorted(saved.created for saved in outcomes) == [False] * 5 + [True]
    assert PolicyPage.objects.count() == 1


@requirement("policies.racing")
def test_a_slug_that_another_page_takes_first_is_refused() -> None:
    held = Held()

    one, two = race(
        held,
        lambda: stopping(held, lambda: save("corrections", title="Corrections", slug="rules")),
        lambda: save("editorial", title="Rules", slug="rules"),
    )

    assert (one.page.slug, two) == ("rules", ValidationFailed)
    assert [kind for kind, *_ in pages()] == ["corrections"]


def test_of_many_pages_that_want_one_slug_one_gets_it() -> None:
    kinds = ("responsible_party", "corrections", "editorial", "ai_use")

    outcomes = together(*(lambda kind=kind: save(kind, title="Rules", slug="rules") for kind in kinds))

    assert outcomes.count(ValidationFailed) == 3
    assert PolicyPage.objects.count() == 1


@requirement("policies.racing")
def test_a_writer_who_waits_for_a_publication_finds_a_published_page() -> None:
    save(title="How", body="Reviewed.")
    held = Held()

    published, edited = race(
        held,
        lambda: stopping(held, lambda: save(status="published")),
        lambda: save(actor=WRITER, body="Not reviewed."),
    )

    assert (published.page.status, edited) == ("published", ScopeRequired)
    assert pages() == [("ai_use", "ai-use", "How", "Reviewed.")]


def test_a_writer_who_loses_the_first_write_to_a_publication_is_refused() -> None:
    held = Held()

    published, edited = race(
        held,
        lambda: stopping(held, lambda: save(title="How", body="Reviewed.", status="published")),
        lambda: save(actor=WRITER, title="Not reviewed."),
    )

    assert (published.created, edited) == (True, ScopeRequired)
    assert pages() == [("ai_use", "ai-use", "How", "Reviewed.")]


def test_two_edits_of_one_page_are_both_kept() -> None:
    save(title="How", body="Old.")
    held = Held()

    race(held, lambda: stopping(held, lambda: save(title="New title")), lambda: save(body="New body."))

    assert pages() == [("ai_use", "ai-use", "New title", "New body.")]


@requirement("policies.racing", "desk.policies")
@pytest.mark.parametrize("is_new", [True, False])
def test_of_two_writes_that_know_the_same_page_the_second_is_refused(is_new: bool) -> None:
    seen = "" if is_new else save(title="First").page.updated_at.isoformat()
    held = Held()

    one, two = race(
        held,
        lambda: stopping(held, lambda: save_unless_changed(seen, title="One")),
        lambda: save_unless_changed(seen, title="Two"),
    )

    assert one.page.title == "One"
    assert two == RevisionMismatch
    assert pages() == [("ai_use", "ai-use", "One", "")]
