"""The AI label of posts."""

from typing import Any

import pytest

from blog_engine.enums import PolicyKind
from blog_engine.models import PolicyPage
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import read_post
from blog_engine.rules.label import label_of
from tests.requirements import requirement
from tests.support.factories import NOW, approve, publish, save, unpublish, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def label(post: Any) -> str:
    responsible = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    return label_of(read_post(post.pk), has_responsible_party=responsible)


@requirement("label.values")
@pytest.mark.parametrize(
    ("provenance", "expected"), [("human_written", "none"), ("ai_assisted", "ai_assisted"), ("unknown", "ai_unknown")]
)
@pytest.mark.parametrize("is_public", [True, False])
def test_without_an_approval_the_provenance_decides(provenance: str, expected: str, is_public: bool) -> None:
    written = save(provenance=provenance, publish=is_public)

    assert label(written.post) == written.label == expected


@requirement("label.cleared")
@pytest.mark.parametrize("provenance", ["ai_assisted", "unknown"])
@pytest.mark.parametrize("is_public", [True, False])
def test_a_checked_approval_of_this_revision_clears_it(provenance: str, is_public: bool) -> None:
    post = save(provenance=provenance, publish=is_public).post

    assert approve(post).label == "none"


@requirement("label.cleared")
def test_an_approval_without_checked_facts_clears_nothing() -> None:
    assert approve(save(publish=True).post, facts_checked=False).label == "ai_unknown"


@requirement("label.cleared")
def test_changed_content_brings_the_label_back() -> None:
    post = save(publish=True).post
    approve(post)

    written = update(post, body="Not reviewed.", change="substantive")

    assert written.label == "ai_unknown"


@requirement("label.returned")
def test_reviewed_text_that_returns_is_cleared_again() -> None:
    post = save(publish=True, body="One.").post
    approve(post)
    update(post, body="Two.", change="substantive")

    assert update(post, body="One.", change="substantive").label == "none"


@requirement("label.withdrawn")
def test_an_edited_withdrawn_post_is_judged_by_its_present_content() -> None:
    post = save(publish=True, body="One.").post
    approve(post)
    unpublish(post)

    edited = update(post, body="Two.")

    assert edited.label == "ai_unknown"
    assert publish(post, body="One.").label == "none"


@requirement("label.images")
def test_an_image_without_a_digest_keeps_the_label() -> None:
    post = save(publish=True, body="![A pear](https://img.example/pear.png)").post

    assert approve(post).label == "ai_unknown"


@requirement("label.always")
def test_a_blog_that_always_labels_does(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(ai_label="always")
    assisted = save(title="1", provenance="ai_assisted", publish=True).post
    unknown = save(title="2", provenance="unknown", publish=True).post

    assert (approve(assisted).label, approve(unknown).label) == ("ai_assisted", "none")


@requirement("label.responsible")
def test_the_label_needs_a_responsible_party_and_follows_it_at_once(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    post = save(publish=True).post
    approve(post)
    assert label(post) == "ai_unknown"
    page = PolicyPage.objects.create(
        kind="responsible_party", slug="who", title="Who", body="We.", status="published", updated_at=NOW
    )
    assert label(post) == "none"

    page.status = "draft"
    page.save()

    assert label(post) == "ai_unknown"
