"""The command ``blog_sample``."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from blog_engine.models import Approval, Post, Publication
from blog_engine.queries.posts import with_review
from blog_engine.rules.label import label_of
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db


def run() -> str:
    out = StringIO()
    call_command("blog_sample", stdout=out)
    return out.getvalue()


@requirement("host.samples")
def test_it_creates_three_articles_and_prints_their_paths() -> None:
    assert run() == (
        "Sample article: /blog/winter-garden\nSample article: /blog/tide-table\nSample article: /blog/night-ferry\n"
    )
    made = Post.objects.order_by("external_id")
    assert [post.external_id for post in made] == [f"blog_engine_sample_{number}" for number in (1, 2, 3)]
    assert {post.status for post in made} == {"published"}


@requirement("approvals.people")
def test_where_only_people_approve_the_samples_have_no_approval(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people")

    run()

    assert (Post.objects.count(), Approval.objects.count()) == (3, 0)


@requirement("host.samples")
def test_running_it_again_changes_nothing() -> None:
    run()
    before = everything_stored()

    assert run().count("Sample article") == 3
    assert everything_stored() == before


def test_the_samples_show_a_cleared_label_and_one_that_a_correction_brought_back() -> None:
    run()

    labels = {post.slug: label_of(post, has_responsible_party=True) for post in with_review(Post.objects.all())}
    assert labels == {"winter-garden": "none", "tide-table": "none", "night-ferry": "ai_assisted"}
    assert Publication.objects.get(entry_type="correction").post.slug == "night-ferry"
    assert set(Approval.objects.values_list("post__slug", flat=True)) == {"tide-table", "night-ferry"}


def test_the_samples_use_what_the_renderer_can_do() -> None:
    run()

    html = "".join(Post.objects.values_list("body_html", flat=True))
    for mark in ("<h2", "<h3", "<table", "<ol", "<ul", "<blockquote", "<pre", "footnote", "alert", "checkbox", "<em>"):
        assert mark in html


def test_another_post_at_a_samples_url_is_left_alone() -> None:
    save(slug="night-ferry", title="Mine")

    with pytest.raises(CommandError, match="identity_conflict"):
        run()
    assert Post.objects.get(slug="night-ferry").title == "Mine"


@requirement("host.samples")
def test_a_sample_has_a_cover_with_its_text_alternative() -> None:
    run()

    garden = Post.objects.get(slug="winter-garden")
    assert garden.cover_image is not None
    cover = garden.cover_image
    assert (cover.content_type, cover.width, cover.height) == ("image/png", 1200, 630)
    assert garden.cover_alt


def test_a_refused_sample_leaves_neither_rows_nor_a_file(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["Not today."])
    before = everything_stored()

    with pytest.raises(CommandError, match="refused_by_host"):
        run()
    after = everything_stored()
    assert not {name for name in after["files"] if name.endswith(".png")} - set(before["files"])
    assert {**after, "files": None} == {**before, "files": None}
