"""Texts of public versions, their differences, what is withheld, and the evidence of the public records."""

import copy
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine import services, verify
from blog_engine.inputs.history import PublicVersionRef, WithholdVersion
from blog_engine.models import ChainLink, Post, Publication, Revision
from blog_engine.queries import public_evidence
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import EDITOR, IMPORTED, LATER, NOW, adopt, approve, declare, propose, reject, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.passkeys import Device, register, sign, signer

WORDS = ("Copper", "Bronze", "Silver")


@pytest.fixture(autouse=True)
def shows_everything(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_history="full")


@pytest.fixture
def post(db: None) -> Post:
    """A post of which three versions were public, one after the other."""
    first, second, third = WORDS
    faq = [{"question": "Why metal?", "answer": "It lasts."}]
    made = save(title=f"Bells of {first}", slug="bells", body=f"Of **{first}**.", faq=faq, publish=True).post
    approve(made)
    update(made, title=f"Bells of {second}", body=f"Of **{second}**.", change="correction", note="Not what we said.")
    update(made, title=f"Bells of {third}", body=f"Of **{third}**.", change="substantive", change_description="Recast.")
    return Post.objects.get(pk=made.pk)


def versions(post: Post) -> list[str]:
    """Return the identifiers of the versions that were public, the oldest first."""
    return list(Publication.objects.filter(post=post.pk).values_list("revision__identifier", flat=True))


def withhold(post: Post, identifier: str, reason: str = "A court order") -> bool:
    data = WithholdVersion(id=str(post.pk), identifier=identifier, reason=reason)
    return services.withhold_version(data, actor=EDITOR, now=LATER)


def show(post: Post, identifier: str) -> bool:
    return services.show_version(PublicVersionRef(id=str(post.pk), identifier=identifier), actor=EDITOR, now=LATER)


def evidence_of(visitor: Visitor, slug: str = "bells") -> dict[str, Any]:
    answer = visitor.get(f"/{slug}/history/evidence.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def faults_in(evidence: dict[str, Any], *published: Any) -> list[str]:
    return list(verify.faults_of(verify.Evidence(evidence, *published)))


@requirement("public-history.version")
def test_a_version_is_shown_as_it_was(visitor: Visitor, post: Post) -> None:
    first, _, third = versions(post)

    page = visitor.page(f"/bells/history/{first}")

    assert page.one("h1").text == "Bells of Copper"
    assert page.one("div", class_="blog-prose").one("strong").text == "Copper"
    assert "Why metal? It lasts." in page.one("section", class_="blog-history__faq").text
    assert page.one("code", class_="blog-history__digest").text == first
    assert page.one("p", class_="blog-history__bar").one("a").attrs["href"] == "/blog/bells"
    assert "It is the present one." in visitor.page(f"/bells/history/{third}").text


@requirement("public-history.version")
def test_a_long_version_is_shown_as_it_was_written(visitor: Visitor, post: Post) -> None:
    text = "**Loud** bells.\n\n" + "Ding dong. " * 6_500
    update(post, body=text, change="substantive")

    page = visitor.page(f"/bells/history/{versions(post)[-1]}")

    assert page.one("pre", class_="blog-history__source").text.startswith("**Loud** bells.")


@requirement("public-history.version")
def test_only_versions_that_were_public_have_a_page(visitor: Visitor, post: Post) -> None:
    propose(post, body="Of tin.", change="maintenance")
    other = save(title="Other", publish=True).post
    draft = save(title="Draft").post
    approve(draft)

    hidden = [
        *Revision.objects.filter(is_proposed=True).values_list("identifier", flat=True),
        other.current_revision_identifier,
        draft.current_revision_identifier,
    ]

    assert len(hidden) >= 3
    assert [visitor.get(f"/bells/history/{identifier}").status_code for identifier in hidden] == [404] * len(hidden)
    assert visitor.get(f"/draft/history/{hidden[-1]}").status_code == 404


@requirement("public-history.changes")
def test_differences_lead_from_one_version_to_the_next(visitor: Visitor, post: Post) -> None:
    first, second, third = versions(post)

    page = visitor.page(f"/bells/history/{first}/{second}")

    assert [part.one("h2").text for part in page.all("section", class_="blog-history__change")] == ["Title", "Text"]
    assert [one.text for one in page.all("del")] == ["Copper", "Copper"]
    assert [one.text for one in page.all("ins")] == ["Bronze", "Bronze"]
    links = [link.attrs["href"] for link in visitor.page("/bells/history").all("a") if link.text == "What changed"]
    assert links == [f"/blog/bells/history/{second}/{third}", f"/blog/bells/history/{first}/{second}"]
    for old, new in [(second, first), (first, third), (first, first), (first, "0" * 64)]:
        assert visitor.get(f"/bells/history/{old}/{new}").status_code == 404


@requirement("public-history.withheld")
def test_a_withheld_version_keeps_its_place_and_nothing_else(visitor: Visitor, post: Post) -> None:
    first, second, third = versions(post)
    withhold(post, second)
    make_checkpoint(now=LATER)

    page = visitor.page("/bells/history")
    data = visitor.get("/bells/history.json").json()

    event = page.one("li", data_blog_version=second)
    assert (
        event.one("p", class_="blog-timeline__withheld").text == "The text of this version is withheld: A court order"
    )
    assert not event.has("a")
    assert not page.one("li", data_blog_version=third).text.count("What changed")
    assert data["events"][1]["version"] == second
    assert data["events"][1] | {"withheld": "A court order", "text_url": None, "changes_url": None} == data["events"][1]
    for path in [second, f"{first}/{second}", f"{second}/{third}"]:
        assert visitor.get(f"/bells/history/{path}").status_code == 404
    whole = "".join(
        visitor.get(f"/bells{path}").content.decode()
        for path in ["", ".md", "/history", "/history.json", "/history/evidence.json", f"/history/{first}"]
    )
    assert "Bronze" not in whole
    assert faults_in(evidence_of(visitor)) == []
    assert show(post, second)
    assert visitor.get(f"/bells/history/{second}").status_code == 200
    assert len(visitor.page("/bells/history").all("p", class_="blog-timeline__withheld")) == 0


@requirement("public-history.withheld.present")
def test_a_withheld_version_that_is_public_again_is_shown_while_it_is(visitor: Visitor, post: Post) -> None:
    first, _, third = versions(post)
    withhold(post, first)
    faq = [{"question": "Why metal?", "answer": "It lasts."}]
    update(post, title="Bells of Copper", body="Of **Copper**.", faq=faq, change="maintenance")
    while_public = visitor.get(f"/bells/history/{first}").status_code

    update(post, body="Of **Gold**.", change="substantive")

    assert while_public == 200
    assert visitor.get(f"/bells/history/{first}").status_code == 404
    assert visitor.get(f"/bells/history/{third}").status_code == 200


def _hidden_kinds(evidence: dict[str, Any]) -> list[str]:
    shown = {entry["position"] for entry in evidence["records"]}
    return [link["kind"] for link in evidence["chain"] if link["position"] not in shown]


@requirement("public-history.evidence", "public-history.evidence.gaps")
def test_the_evidence_has_what_was_public_and_verifies(
    visitor: Visitor, post: Post, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declare(post)
    reject(propose(post, body="Of tin.", change="maintenance"))
    make_checkpoint(now=LATER + timedelta(days=1))
    evidence, published = evidence_of(visitor), visitor.get("/checkpoints/latest").json()
    (tmp_path / "evidence.json").write_text(json.dumps(evidence), "utf-8")
    (tmp_path / "checkpoint.json").write_text(json.dumps(published), "utf-8")

    status = verify.main([str(tmp_path / "evidence.json"), str(tmp_path / "checkpoint.json")])
    said = capsys.readouterr().out

    assert status == 0
    assert evidence["format"] == "blog_engine.public-evidence/1"
    assert len(evidence["chain"]) == ChainLink.objects.filter(post=post.pk).count()
    assert [entry["record"]["kind"] for entry in evidence["records"]].count("publication") == 3
    assert _hidden_kinds(evidence) == ["declaration", "revision", "proposal", "proposal_event"]
    assert {one["identifier"] for one in evidence["payloads"]} == set(versions(post))
    assert "Of these, 4 are not public: the file has only their hashes, and nothing says what is in them." in said
    assert said.count("; not public") + said.count(" not public\n") >= 4


@requirement("public-history.evidence")
def test_the_notes_of_an_imported_approval_are_not_in_the_evidence(visitor: Visitor) -> None:
    adopt(imported_approval=IMPORTED)
    make_checkpoint(now=LATER)

    evidence = evidence_of(visitor, "night-ferry")

    assert _hidden_kinds(evidence) == ["baseline", "approval"]
    assert faults_in(evidence) == []


@requirement("public-history.evidence.gaps")
@pytest.mark.parametrize("lie", ["record", "payload", "link", "removed link", "kind", "moved", "checkpoint"])
def test_a_lie_in_public_evidence_is_found(visitor: Visitor, post: Post, lie: str) -> None:
    declare(post)
    make_checkpoint(now=LATER)
    evidence, published = evidence_of(visitor), visitor.get("/checkpoints/latest").json()
    assert faults_in(evidence, published) == []
    hidden = next(link for link in evidence["chain"] if link["kind"] == "declaration")

    match lie:
        case "record":
            evidence["records"][1]["record"]["occurred_at"] = "2020-01-01T00:00:00.000000Z"
        case "payload":
            evidence["payloads"][0]["payload"] = evidence["payloads"][0]["payload"].replace("Copper", "Tin")
        case "link":
            hidden["digest"] = "0" * 64
        case "removed link":
            evidence["chain"].remove(hidden)
        case "kind":
            hidden["kind"] = "approval"
        case "moved":
            evidence["records"][0]["position"], evidence["records"][1]["position"] = 2, 1
        case "checkpoint":
            evidence["checkpoint"]["root"] = "0" * 64

    assert faults_in(evidence, published) != []


@requirement("public-history.evidence")
def test_a_gap_is_a_fault_in_the_evidence_for_editors(visitor: Visitor, post: Post) -> None:
    declare(post)
    make_checkpoint(now=LATER)
    evidence = evidence_of(visitor)

    evidence["format"] = "blog_engine.evidence/1"

    assert any("was removed" in fault for fault in faults_in(evidence))


@requirement("public-history.evidence.size")
def test_evidence_that_is_too_long_is_not_served(visitor: Visitor, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_evidence, "MOST_CHARACTERS", 1_000)

    assert visitor.get("/bells/history/evidence.json").status_code == 404
    assert not visitor.page("/bells/history").has("section", class_="blog-history__check")
    assert visitor.get("/bells/history.json").json()["evidence_url"] is None


@requirement("public-history.evidence.check")
def test_the_page_has_the_commands_that_verify_the_evidence(visitor: Visitor, post: Post) -> None:
    section = visitor.page("/bells/history").one("section", class_="blog-history__check")

    assert section.one("pre").text == (
        "curl -o evidence.json https://example.com/blog/bells/history/evidence.json "
        "curl -o checkpoint.json https://example.com/blog/checkpoints/latest "
        "python verify.py evidence.json checkpoint.json"
    )
    assert section.attrs["data-evidence"] == "/blog/bells/history/evidence.json"
    assert section.one("button").attrs["hidden"] == ""


@requirement("public-history.queries")
def test_the_queries_of_texts_and_evidence_do_not_depend_on_the_length_of_the_history(
    visitor: Visitor, post: Post
) -> None:
    first, second, _ = versions(post)
    paths = [f"/bells/history/{first}", f"/bells/history/{first}/{second}", "/bells/history/evidence.json"]
    make_checkpoint(now=NOW + timedelta(days=1))
    few = [_count(visitor, path) for path in paths]

    for number in range(20):
        update(post, body=f"Text {number}.", change="maintenance")
        approve(Post.objects.get(pk=post.pk))

    assert [_count(visitor, path) for path in paths] == few


def _count(visitor: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(path).status_code == 200
    return len(queries)


@requirement("public-history.evidence", "public-history.names")
def test_a_signature_is_named_and_verified(visitor: Visitor, post: Post) -> None:
    device, actor = Device(), signer()
    register(device, actor=actor)
    sign(post, actor=actor, device=device, now=NOW + timedelta(hours=1))
    make_checkpoint(now=NOW + timedelta(hours=2))

    page = visitor.page("/bells/history").one("main").text
    evidence = evidence_of(visitor)

    assert "Rosa Reviewer checked the facts on November 21, 2026. Signed with a passkey." in page
    kinds = [one["record"]["kind"] for one in evidence["records"]]
    assert {"key", "signature"} <= {*kinds}
    assert faults_in(evidence) == []
    forged = copy.deepcopy(evidence)
    (signature,) = (one["record"] for one in forged["records"] if one["record"]["kind"] == "signature")
    signature["signature"] = signature["signature"][:-4] + "AAAA"
    assert faults_in(forged) != []


@requirement("public-history.evidence.gaps")
def test_the_signature_of_a_withheld_version_is_a_gap(
    visitor: Visitor, post: Post, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    device, actor = Device(), signer()
    register(device, actor=actor)
    sign(post, actor=actor, device=device, now=NOW + timedelta(hours=1))
    signed = versions(post)[-1]
    update(post, body="Of gold.", change="substantive", now=LATER)
    withhold(post, signed)
    make_checkpoint(now=LATER + timedelta(days=1))
    (tmp_path / "evidence.json").write_text(json.dumps(evidence_of(visitor)), "utf-8")

    status = verify.main([str(tmp_path / "evidence.json")])

    assert (status, "Signed" in capsys.readouterr().out) == (0, False)


@requirement("public-history.changes")
def test_a_text_that_returns_has_the_dates_of_its_return(visitor: Visitor) -> None:
    made = save(title="Tide", slug="tide", body="High.", publish=True, now=NOW).post
    update(made, body="Low.", change="substantive", now=NOW + timedelta(days=1))
    update(made, body="High.", change="substantive", now=NOW + timedelta(days=2))
    high, low, _ = versions(made)

    with time_machine.travel(NOW + timedelta(days=3), tick=False):
        page = visitor.page(f"/tide/history/{low}/{high}").one("main").text

    assert page.index("November 22, 2026") < page.index("November 23, 2026")
    assert "November 21, 2026" not in page
