"""Proposals at the desk: the list, the page of one, the steps, the signature, and proposing from the editor."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.models import Approval, Post, Proposal, ProposalEvent, Publication
from tests.admin.desk import form_on, nothing_written, send, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import (
    BODY,
    LATER,
    NOW,
    apply,
    events_of,
    propose,
    proposed_for,
    publish,
    reject,
    save,
    unpublish,
    update,
    withdraw,
)
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

TODAY = NOW + timedelta(days=1)
STEPS = ("apply", "schedule", "cancel", "reject", "withdraw")
TOMORROW = {"date": "2026-11-23", "time": "09:05", "zone": "UTC"}
WANDA = Actor("Wanda Writer", scopes=["read", "write"])


def path_of(post: Post, proposal: int, step: str = "") -> str:
    return url(f"post_proposal_{step}" if step else "post_proposal", post.pk, proposal)


def hidden(client: Client, path: str) -> dict[str, Any]:
    """The hidden fields of a page of confirmation, as it shows them now."""
    form = client.get(path).context["form"]
    return {field.name: field.value() for field in form.hidden_fields()}


def decide(client: Client, post: Post, proposal: int, step: str, **fields: Any) -> Any:
    """Open the page of a step and confirm it."""
    path = path_of(post, proposal, step)
    return client.post(path, {**hidden(client, path), **fields})


def in_every_state() -> tuple[Post, dict[str, int]]:
    post = save(publish=True, body=BODY, title="Tides").post
    made = {state: propose(post, title=f"As {state}", change="maintenance") for state in ("applied", "rejected")}
    made |= {"withdrawn": propose(post, description="Waves.", change="maintenance")}
    apply(made["applied"], now=LATER)
    reject(made["rejected"], reason="Too loud.")
    withdraw(made["withdrawn"])
    made |= {"outdated": propose(post, body=BODY.replace("Two", "Deux"), change="maintenance")}
    made |= {
        "scheduled": propose(post, tags=["sea"]),
        "open": propose(post, made_by_ai=True, search_title="Tides!", change="maintenance"),
    }
    apply(made["scheduled"], publish_at=(TODAY + timedelta(days=3)).isoformat())
    update(post, body=BODY.replace("Two", "Zwei"), change="maintenance")
    return stored(post), made


# The list


@requirement("desk.proposals.list")
def test_the_list_begins_with_what_waits_the_oldest_first(editor: Client) -> None:
    post, made = in_every_state()

    page = editor.get(url("post_proposals"))

    assert [row.proposal.pk for row, _words in page.context["rows"]] == [
        made["outdated"],
        made["scheduled"],
        made["open"],
    ]
    shown = text_of(page)
    assert "3 proposals. The oldest first." in shown
    for words in (
        "Outdated",
        "Scheduled",
        "Open",
        "Drafting agent",
        "With the help of AI",
        "Maintenance",
        "Planned for",
    ):
        assert words in shown
    assert f'href="{path_of(post, made["open"])}"' in page.content.decode()


@requirement("desk.proposals.list")
def test_the_list_is_filtered(editor: Client, subtests: pytest.Subtests) -> None:
    _post, made = in_every_state()

    for filters, found in [
        ({"ai": "yes"}, ["open"]),
        ({"ai": "no"}, []),
        ({"ai": "unknown", "kind": "maintenance"}, ["outdated"]),
        ({"kind": "correction"}, []),
        ({"proposer": "Drafting agent", "state": "applied"}, ["applied"]),
        ({"proposer": "Nobody"}, []),
        ({"post": "999"}, []),
        *(({name: "nonsense"}, []) for name in ("ai", "kind", "post")),
        ({"state": "nonsense"}, ["outdated", "scheduled", "open"]),
        *(({"state": state}, [state]) for state in ("scheduled", "applied", "rejected", "withdrawn")),
    ]:
        with subtests.test(filters=filters, found=found):
            page = editor.get(url("post_proposals"), filters)

            assert [row.proposal.pk for row, _words in page.context["rows"]] == [made[state] for state in found]


@requirement("desk.proposals.list")
def test_the_pages_of_the_list(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blog_engine.queries.proposals.PROPOSALS_PER_PAGE", 2)
    _post, made = in_every_state()

    first = editor.get(url("post_proposals"))
    second = editor.get(url("post_proposals"), {"page": "2"})

    assert "?page=2" in first.content.decode()
    assert [row.proposal.pk for row, _words in second.context["rows"]] == [made["open"]]
    assert editor.get(url("post_proposals"), {"page": "x"}).status_code == 404


@requirement("desk.proposals.named", "desk.waiting")
def test_queue_and_index_count_what_waits(editor: Client) -> None:
    in_every_state()

    queue, index = editor.get(url("post_queue")), editor.get(reverse("admin:index"))

    assert "Proposals (3)" in text_of(queue)
    assert "3 Proposals to decide" in text_of(index)


# The page of one


@requirement("desk.proposals.page")
def test_the_page_shows_what_a_proposal_changes(editor: Client) -> None:
    post, proposal = proposed_for(
        body=BODY.replace("Two", "Deux"), tags=["sea"], change="correction", note="It is French.", made_by_ai=True
    )
    update(post, body=BODY.replace("Three", "Four"), change="maintenance")

    page = editor.get(path_of(post, proposal))

    shown = text_of(page)
    for words in (
        "Proposal by Drafting agent",
        "This proposal waits for a decision.",
        "removed: Two added: Deux",
        "Four.",
        "Tags added: sea",
        "It is French.",
        "With the help of AI",
        "Correction",
        "This version is not signed yet.",
        "Preview of the proposal",
    ):
        assert words in shown, words
    preview = page.context["preview_url"]
    assert "Deux" in Client().get(preview.removeprefix("http://testserver")).content.decode()
    article = editor.get(page.context["article_url"])
    assert "Deux" in article.content.decode()
    assert (article["X-Frame-Options"], "no-store" in article["Cache-Control"]) == ("SAMEORIGIN", True)


@requirement("desk.proposals.page")
def test_an_outdated_proposal_shows_all_three_passages(editor: Client) -> None:
    post, made = in_every_state()

    page = editor.get(path_of(post, made["outdated"]))

    shown = text_of(page)
    assert "does not fit any more" in shown
    assert "removed: Two added: Zwei" in shown
    assert "What the proposal changes" in shown
    for words in ("When it was proposed", "In the post now", "In the proposal", "Deux", "Zwei"):
        assert words in shown
    assert page.context["article_url"] == ""
    assert [step.name for step in page.context["steps"]] == ["proposal_reject", "proposal_withdraw"]


@requirement("desk.proposals.page")
def test_a_proposal_of_a_withdrawn_post_says_so(editor: Client) -> None:
    post, proposal = proposed_for()
    unpublish(post)

    assert "The state of the post is “Draft”" in text_of(editor.get(path_of(post, proposal)))


@requirement("desk.proposals.page")
@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("applied", "Ines Editor applied this proposal on Nov. 21, 2026, 13:00."),
        ("rejected", "Ines Editor rejected this proposal on Nov. 21, 2026, 13:00. Too loud."),
        ("withdrawn", "Drafting agent withdrew this proposal on Nov. 21, 2026, 13:00."),
        ("scheduled", "This proposal is going to be applied on Nov. 25, 2026, 12:00 (UTC)."),
    ],
)
def test_the_page_says_who_decided_when_and_why(editor: Client, state: str, sentence: str) -> None:
    post, made = in_every_state()

    page = editor.get(path_of(post, made[state]))

    assert sentence in text_of(page)
    steps = {step.name for step in page.context["steps"]}
    is_open = state == "scheduled"
    assert ("proposal_apply" in steps, "proposal_cancel" in steps) == (is_open, is_open)


def test_a_proposal_of_another_post_is_not_found(editor: Client) -> None:
    _post, proposal = proposed_for()
    other = save(title="Other", publish=True).post

    answers = [editor.get(path_of(other, proposal, step)) for step in ("", "article", *STEPS)]

    assert {answer.status_code for answer in answers} == {404}


# The steps


@requirement("desk.proposals.steps")
def test_a_writer_reads_but_decides_nothing(writer: Client) -> None:
    post, proposal = proposed_for()

    with nothing_written():
        page = writer.get(path_of(post, proposal))
        answers = [writer.post(path_of(post, proposal, step), {"reason": "No.", **TOMORROW}) for step in STEPS[:4]]
        signed = writer.post(path_of(post, proposal), {"name": "Wanda", "facts_checked": "yes"})
        withdrawal = decide(writer, post, proposal, "withdraw")

    assert page.context["steps"] == []
    assert page.context["form"] is None
    assert {answer.status_code for answer in [*answers, signed]} == {403}
    assert "Only Drafting agent or an editor can withdraw this proposal." in text_of(withdrawal)


@requirement("desk.proposals.steps")
def test_an_editor_applies_a_proposal(editor: Client) -> None:
    post, proposal = proposed_for(body="One.", change="correction", note="Two was wrong.")

    page = text_of(editor.get(path_of(post, proposal, "apply")))
    answer = decide(editor, post, proposal, "apply")

    assert "Readers see “Winter garden” at /blog/winter-garden with this change from now on." in page
    assert "Two was wrong." in page
    assert (answer.status_code, answer["Location"]) == (302, path_of(post, proposal))
    assert stored(post).body == "One."
    entry = Publication.objects.filter(post=post).last()
    assert entry is not None
    assert (entry.entry_type, entry.note, entry.released_by) == ("correction", "Two was wrong.", "Ed Editor")
    assert "Ed Editor applied this proposal" in text_of(editor.get(answer["Location"]))


@requirement("desk.proposals.steps")
def test_a_proposal_of_a_scheduled_post_is_applied_to_it(editor: Client) -> None:
    post = publish(save(body=BODY).post, publish_at=(TODAY + timedelta(days=3)).isoformat()).post
    proposal = propose(post)

    answer = decide(editor, post, proposal, "apply")

    assert (answer.status_code, stored(post).status) == (302, "scheduled")
    assert "stays scheduled" in text_of(editor.get(answer["Location"]))


@requirement("desk.proposals.steps")
def test_a_proposal_is_scheduled_and_the_schedule_cancelled(editor: Client) -> None:
    post, proposal = proposed_for()

    checked = decide(editor, post, proposal, "schedule", check="1", **TOMORROW)
    past = decide(editor, post, proposal, "schedule", **{**TOMORROW, "date": "2020-01-01"})
    scheduled = decide(editor, post, proposal, "schedule", **TOMORROW)
    again = editor.get(path_of(post, proposal, "schedule"))
    cancelled = decide(editor, post, proposal, "cancel")

    assert "with this change from Nov. 23, 2026, 09:05 (UTC)." in text_of(checked)
    assert "This time is in the past." in text_of(past)
    assert (scheduled.status_code, cancelled.status_code) == (302, 302)
    assert 'value="2026-11-23"' in again.content.decode()
    assert events_of(proposal) == ["scheduled", "unscheduled"]
    assert "This proposal is not scheduled." in text_of(editor.get(path_of(post, proposal, "cancel")))


@requirement("desk.proposals.steps")
def test_a_rejection_needs_its_reason(editor: Client) -> None:
    post, proposal = proposed_for()

    refused = decide(editor, post, proposal, "reject", reason=" \n ")
    answer = decide(editor, post, proposal, "reject", reason="Not true.")

    assert "This field is required." in text_of(refused)
    assert answer.status_code == 302
    event = ProposalEvent.objects.get(proposal=proposal)
    assert (event.kind, event.reason, event.actor) == ("rejected", "Not true.", "Ed Editor")


@requirement("desk.proposals.steps")
def test_a_proposer_withdraws(writer: Client) -> None:
    post, proposal = proposed_for()
    own = propose(post, actor=WANDA, title="Mine", change="maintenance")

    steps = [step.name for step in writer.get(path_of(post, own)).context["steps"]]
    answer = decide(writer, post, own, "withdraw")

    assert steps == ["proposal_withdraw"]
    assert answer.status_code == 302
    assert (events_of(own), events_of(proposal)) == (["withdrawn"], [])


@requirement("desk.proposals.steps")
def test_nothing_follows_a_decision(editor: Client, subtests: pytest.Subtests) -> None:
    post, made = in_every_state()
    before = everything_stored()

    for state in ["applied", "rejected", "withdrawn"]:
        for step in STEPS:
            with subtests.test(step=step, state=state), undone():
                answer = decide(editor, post, made[state], step, reason="No.", **TOMORROW)

                assert " this proposal on Nov. 21, 2026, 13:00." in text_of(answer)
                assert everything_stored() == before


@requirement("desk.proposals.steps")
@pytest.mark.parametrize("step", ["apply", "schedule"])
def test_an_outdated_proposal_is_not_applied(editor: Client, step: str) -> None:
    post, made = in_every_state()

    with nothing_written():
        answer = decide(editor, post, made["outdated"], step, **TOMORROW)

    assert "does not fit any more" in text_of(answer)


@requirement("desk.proposals.steps")
@pytest.mark.parametrize("step", ["reject", "withdraw"])
def test_an_outdated_proposal_can_be_ended(editor: Client, step: str) -> None:
    post, made = in_every_state()

    assert decide(editor, post, made["outdated"], step, reason="Late.").status_code == 302


# What the person saw


@requirement("desk.proposals.seen")
@pytest.mark.parametrize("step", ["apply", "schedule"])
def test_a_post_that_was_changed_since_is_shown_again(editor: Client, step: str) -> None:
    post, proposal = proposed_for()
    path = path_of(post, proposal, step)
    sent = hidden(editor, path)
    update(post, body=BODY.replace("Three", "Four"), change="maintenance")

    with nothing_written():
        shown = editor.post(path, {**sent, **TOMORROW})

    assert "The post was changed in the meantime. Nothing was done." in text_of(shown)
    assert "Four." in text_of(shown)
    assert decide(editor, post, proposal, step, **TOMORROW).status_code == 302


@requirement("desk.proposals.seen")
def test_another_content_than_the_one_that_was_seen_is_not_applied(editor: Client) -> None:
    post, proposal = proposed_for()
    path = path_of(post, proposal, "apply")

    with nothing_written():
        shown = editor.post(path, {**hidden(editor, path), "expected_revision": "0" * 64})

    assert "Nothing was done." in text_of(shown)


@requirement("desk.proposals.seen")
def test_of_two_editors_one_decides(editor: Client) -> None:
    post, proposal = proposed_for()
    path = path_of(post, proposal, "apply")
    sent = hidden(editor, path)
    reject(proposal)

    with nothing_written():
        answer = editor.post(path, sent)

    assert "Ines Editor rejected this proposal" in text_of(answer)


# The signature


def sign(client: Client, post: Post, proposal: int, **fields: Any) -> Any:
    path = path_of(post, proposal)
    sent = {"revision_identifier": client.get(path).context["identifier"], "name": "Ed Editor", "facts_checked": "yes"}
    return client.post(path, sent | fields)


@requirement("desk.proposals.sign")
def test_the_approval_that_a_blog_requires_is_given_on_the_page(editor: Client, settings: Settings) -> None:
    post, proposal = proposed_for()
    settings.BLOG_ENGINE = blog_settings(require_approval=True)

    refused = decide(editor, post, proposal, "apply")
    signed = sign(editor, post, proposal)
    applied = decide(editor, post, proposal, "apply")

    assert "only once a reviewer has checked the facts" in text_of(refused)
    assert f'href="{path_of(post, proposal)}#signature"' in refused.content.decode()
    assert signed.status_code == 302
    assert applied.status_code == 302
    assert "Ed Editor checked the facts of this version" in text_of(editor.get(path_of(post, proposal)))


@requirement("desk.proposals.sign")
def test_a_signature_does_not_cover_another_revision(editor: Client) -> None:
    post, proposal = proposed_for()
    read = editor.get(path_of(post, proposal)).context["identifier"]
    update(post, body=BODY.replace("Three", "Four"), change="maintenance")

    answer = sign(editor, post, proposal, revision_identifier=read)

    assert "Nothing was signed." in text_of(answer)
    assert not Approval.objects.exists()
    assert sign(editor, post, proposal).status_code == 302
    assert Approval.objects.get().facts_checked


@requirement("desk.proposals.sign")
@pytest.mark.parametrize("state", ["outdated", "applied"])
def test_only_what_can_be_applied_is_signed(editor: Client, state: str) -> None:
    post, made = in_every_state()

    answer = sign(editor, post, made[state])

    assert answer.context["form"] is None
    assert not Approval.objects.exists()


# The pages of the post


@requirement("desk.proposals.named")
def test_the_pages_of_a_post_name_its_proposals(editor: Client, subtests: pytest.Subtests) -> None:
    post, made = in_every_state()

    for page in ["change", "history", "review", "views", "withdraw"]:
        with subtests.test(page=page):
            shown = editor.get(url(f"post_{page}", post.pk))

            assert "3 proposals wait for a decision" in text_of(shown)
            linked = [state for state, pk in made.items() if f'href="{path_of(post, pk)}"' in shown.content.decode()]
            assert {"outdated", "scheduled", "open"} <= set(linked)


@requirement("desk.proposals.named")
def test_the_history_has_every_proposal_and_step(editor: Client) -> None:
    post, _made = in_every_state()

    shown = text_of(editor.get(url("post_history", post.pk)))

    for sentence in (
        "Drafting agent proposed a change.",
        "Drafting agent proposed a change, made with the help of AI.",
        "Ines Editor applied the proposal of Drafting agent.",
        "Ines Editor rejected the proposal of Drafting agent. Done by a command or a task of the site. Too loud.",
        "Drafting agent withdrew the proposal.",
        "Ines Editor scheduled the proposal of Drafting agent for Nov. 25, 2026, 12:00 (UTC).",
    ):
        assert sentence in shown
    # What was only proposed is not shown a second time, as a version that somebody wrote.
    assert "Drafting agent wrote this version with the help of AI." not in shown


# Proposing from the editor


def fill(client: Client, post: Post, **fields: Any) -> dict[str, Any]:
    """What the form of the editor sends, with these changes."""
    form = client.get(url("post_change", post.pk)).context["form"]
    sent = {name: form[name].value() for name in (*form.EDITED, "version", "opened") if name in form.fields}
    kept = {
        name: value for name, value in sent.items() if name not in {"faq", "connections"} and value not in (None, False)
    }
    return {**kept, "propose": "1", **fields}


@requirement("desk.proposals.write", "desk.released")
@pytest.mark.parametrize("state", ["published", "scheduled"])
def test_a_writer_proposes_from_the_editor(writer: Client, state: str) -> None:
    post = save(body=BODY, tags=["quay"]).post
    publish(post, **({"publish_at": "2090-01-01T00:00:00Z"} if state == "scheduled" else {}))
    path, kept = url("post_change", post.pk), stored(post)
    sent = fill(writer, post, body="One.\n\nDeux.")

    editor_page = writer.get(path)
    asked = writer.post(path, sent)
    unsaid = writer.post(path, {**sent, "confirmed": "1"})
    answer = writer.post(path, {**sent, "confirmed": "1", "change": "maintenance", "change_description": "French."})

    assert "Save as a proposal…" in text_of(editor_page)
    assert 'name="declared_by"' not in editor_page.content.decode()
    assert "stays as it is: readers see nothing of this before an editor applies it." in text_of(asked)
    assert "This field is required." in text_of(unsaid)
    proposal = Proposal.objects.get()
    assert answer["Location"] == path_of(post, proposal.pk)
    assert (proposal.actor, proposal.fields["change_description"]) == ("Wanda Writer", "French.")
    assert proposal.fields["body"] == "One.\n\nDeux."
    assert (stored(post).version, stored(post).body) == (kept.version, BODY)


@requirement("desk.proposals.write")
def test_tags_are_proposed_without_a_kind_of_change(writer: Client) -> None:
    post = save(body=BODY, tags=["quay"], publish=True).post
    path, sent = url("post_change", post.pk), fill(writer, post, tags="quay, sea")

    asked = writer.post(path, sent)
    answer = writer.post(path, {**sent, "confirmed": "1", "change_description": "So that sailors find it."})

    assert "Kind of change" not in text_of(asked)
    assert answer.status_code == 302
    assert Proposal.objects.get().fields["tags"] == ["quay", "sea"]


@requirement("desk.proposals.write")
def test_nothing_is_not_proposed(writer: Client) -> None:
    post = save(body=BODY, publish=True).post

    answer = writer.post(url("post_change", post.pk), fill(writer, post), follow=True)

    assert "You changed nothing that can be proposed." in text_of(answer)
    assert not Proposal.objects.exists()


@requirement("desk.proposals.write")
def test_a_field_that_proposals_do_not_take_has_no_effect(writer: Client) -> None:
    post = save(body=BODY, publish=True).post
    sent = fill(writer, post, title="Tides", author="Mallory", declared_by="Mallory", third_party_paid="on")

    answer = writer.post(url("post_change", post.pk), {**sent, "confirmed": "1", "change": "maintenance"})

    assert answer.status_code == 302
    assert set(Proposal.objects.get().fields) == {"title", "change"}


@requirement("desk.proposals.write")
@pytest.mark.parametrize("was_public", [True, False])
def test_a_post_that_was_released_or_withdrawn_meanwhile_is_not_changed(writer: Client, was_public: bool) -> None:
    post = save(body=BODY, publish=was_public).post
    sent = fill(writer, post, body="Mine.") | {"confirmed": "1", "change": "maintenance"}
    if not was_public:
        del sent["propose"]
    (unpublish if was_public else publish)(post)

    with nothing_written():
        answer = writer.post(url("post_change", post.pk), sent)

    done = "Nothing was proposed: save the change." if was_public else "Nothing was saved: propose the change."
    assert done in text_of(answer)
    assert "Mine." in answer.content.decode()


@requirement("desk.proposals.write", "desk.conflicts")
def test_a_writer_sees_what_changed_while_writing_a_proposal(writer: Client) -> None:
    post = save(body=BODY, publish=True).post
    sent = fill(writer, post, body="Mine.")
    update(post, body="Theirs.", change="maintenance")

    answer = writer.post(url("post_change", post.pk), sent)

    assert "Ines Editor changed “Winter garden” while you were writing." in text_of(answer)
    assert 'name="propose"' in answer.content.decode()
    assert not Proposal.objects.exists()


@requirement("desk.proposals.write")
def test_an_editor_saves_a_public_post_directly(editor: Client) -> None:
    post = save(body=BODY, publish=True).post

    assert "Save as a proposal…" not in text_of(editor.get(url("post_change", post.pk)))


# Taking an outdated proposal over


@requirement("desk.proposals.taken-over")
def test_an_outdated_proposal_opens_in_the_editor_with_both_texts(editor: Client) -> None:
    post, made = in_every_state()
    link = f"{url('post_change', post.pk)}?proposal={made['outdated']}"

    shown = editor.get(path_of(post, made["outdated"])).content.decode()
    with nothing_written():
        page = editor.get(link)

    assert f'href="{link.replace("&", "&amp;")}">Open it in the editor' in shown
    assert page.context["form"]["body"].value() == BODY.replace("Two", "Deux")
    assert page.context["form"]["title"].value() == post.title
    assert [change.label for change in page.context["changes"]] == ["Text"]
    assert "The form has what Drafting agent proposed, on top of the present post." in text_of(page)
    assert "data-unsaved" in page.content.decode()
    assert ("Zwei" in page.content.decode(), "Deux" in page.content.decode()) == (True, True)


@requirement("desk.proposals.taken-over")
def test_what_was_taken_over_is_saved_against_the_present_post(editor: Client) -> None:
    post, made = in_every_state()
    link = f"{url('post_change', post.pk)}?proposal={made['outdated']}"

    fields = form_on(editor.get(link))
    answer = send(editor, link, fields, save="1", confirmed="1", change="maintenance")

    assert answer.status_code == 302
    assert stored(post).body == BODY.replace("Two", "Deux")


@requirement("desk.proposals.taken-over")
@pytest.mark.parametrize("state", ["applied", "rejected", "withdrawn"])
def test_a_decided_proposal_is_not_taken_over(editor: Client, state: str) -> None:
    post, made = in_every_state()

    assert editor.get(url("post_change", post.pk), {"proposal": made[state]}).status_code == 404


@requirement("desk.proposals.taken-over")
@pytest.mark.parametrize("sent", ["x", "0", "-1", "9" * 40])
def test_a_proposal_that_does_not_exist_is_not_taken_over(editor: Client, sent: str) -> None:
    assert editor.get(url("post_change", save(publish=True).post.pk), {"proposal": sent}).status_code == 404
