"""Versions that are withheld from the public history, and shown again."""

from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.errors import NotFound, Refusal, ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.history import PublicVersionRef, WithholdVersion
from blog_engine.models import AppendOnlyViolation, ChainLink, Post, WithheldVersion
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, NOW, approve, save, update

pytestmark = pytest.mark.django_db

VERA = Actor("Vera Example", kind=ActorKind.PERSON, user_id=7)


@pytest.fixture
def versions() -> list[str]:
    """The identifiers of the two versions of a public post."""
    post = save(title="Bells", body="One.", publish=True).post
    old = post.current_revision_identifier
    update(post, body="Two.", change="substantive")
    return [old, Post.objects.get().current_revision_identifier]


def withhold(identifier: str, *, actor: Actor = VERA, key: str = "bells", **fields: Any) -> bool:
    data = parse(WithholdVersion, {"reason": "A court order"} | fields, fixed={"id": key, "identifier": identifier})
    return services.withhold_version(data, actor=actor, now=LATER)


def show(identifier: str, *, actor: Actor = VERA) -> bool:
    return services.show_version(PublicVersionRef(id="bells", identifier=identifier), actor=actor, now=LATER)


def acts() -> list[tuple[Any, ...]]:
    rows = WithheldVersion.objects.order_by("pk")
    return list(rows.values_list("identifier", "is_withheld", "reason", "actor", "actor_kind", "actor_id"))


@requirement("public-history.withheld.record")
def test_each_act_is_recorded_and_the_chain_stays(versions: list[str]) -> None:
    old, _ = versions
    links = ChainLink.objects.count()

    done = [withhold(old), show(old), withhold(old, reason="Again")]

    person = ("Vera Example", "person", "user:7")
    assert done == [True, True, True]
    assert acts() == [(old, True, "A court order", *person), (old, False, "", *person), (old, True, "Again", *person)]
    assert ChainLink.objects.count() == links


@requirement("public-history.withheld.repeated")
def test_what_is_so_already_is_not_recorded_again(versions: list[str]) -> None:
    old, _ = versions

    assert [show(old), withhold(old), withhold(old, reason="Other"), show(old), show(old)] == [
        *(False, True, False, True, False)
    ]
    assert len(acts()) == 2


@requirement("public-history.withheld.present", "public-history.withheld")
def test_what_is_public_now_never_was_or_has_no_reason_is_refused(versions: list[str]) -> None:
    old, present = versions
    draft = save(title="Draft").post
    approve(draft, now=NOW)
    refused: list[tuple[dict[str, Any], type[Refusal]]] = [
        ({"identifier": present}, ValidationFailed),
        ({"identifier": "0" * 64}, NotFound),
        ({"identifier": ""}, NotFound),
        ({"identifier": draft.current_revision_identifier, "key": "draft"}, NotFound),
        ({"identifier": old, "key": "none"}, NotFound),
        ({"identifier": old, "reason": " "}, ValidationFailed),
        ({"identifier": old, "reason": "x" * 256}, ValidationFailed),
        ({"identifier": old, "actor": AGENT}, ScopeRequired),
    ]

    for fields, refusal in refused:
        with pytest.raises(refusal):
            withhold(**fields)
    with pytest.raises(ScopeRequired):
        show(old, actor=AGENT)
    assert acts() == []


@requirement("public-history.withheld.record")
def test_acts_are_append_only(versions: list[str]) -> None:
    withhold(versions[0])
    act = WithheldVersion.objects.get()

    with pytest.raises(AppendOnlyViolation):
        act.delete()
    with pytest.raises(AppendOnlyViolation):
        WithheldVersion.objects.update(reason="Another")
