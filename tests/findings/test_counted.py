"""The numbers of findings that lists show are those of a fresh computation, whatever was written and in what order."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from os import environ
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.errors import Refusal
from blog_engine.findings import FINDINGS, Finding, Subject, counted_findings, findings_of
from blog_engine.findings.kept import OWN_CODES, KeptFindings
from blog_engine.findings.lasting import OF_A_WRITE
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import UpdateImage
from blog_engine.inputs.posts import ListPosts
from blog_engine.inputs.records import RenameTag, SavePage, SaveRedirect
from blog_engine.models import HouseStyle, Post, Tag
from blog_engine.queries.post_lists import listed_posts
from blog_engine.queries.posts import read_post
from blog_engine.queries.previews import preview_token
from blog_engine.services import check_posts, render_posts
from tests.findings.test_findings import WRAPPED
from tests.requirements import requirement
from tests.support.factories import (
    EDITOR,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    edit_category,
    make_category,
    publish,
    remove,
    save,
    store_image,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.styles import write_style
from tests.support.tables import new_image, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

SEED = int(environ.get("BLOG_ENGINE_SEED", "40"))
STEPS = 40


def counted(*, has_responsible_party: bool = True, now: datetime = LATER) -> Mapping[int, Mapping[str, int]]:
    rows = listed_posts(ListPosts(per_page=100)).rows
    return counted_findings(rows, has_responsible_party=has_responsible_party, now=now)


def fresh(*, has_responsible_party: bool = True, now: datetime = LATER) -> dict[int, Counter[str]]:
    return {
        pk: Counter(
            one.code for one in findings_of(read_post(pk), has_responsible_party=has_responsible_party, now=now)
        )
        for pk in Post.objects.values_list("pk", flat=True)
    }


def assert_equal(**context: Any) -> None:
    found, expected = counted(**context), fresh(**context)
    assert found == expected
    order = [*FINDINGS]
    assert all([*numbers] == sorted(numbers, key=order.index) for numbers in found.values())


def test_each_check_is_either_kept_or_looked_up_or_of_a_write() -> None:
    looked_up = {
        *("title_duplicate", "description_duplicate", "category_absent", "category_description_absent"),
        *("approval_absent", "connections_not_declared", "responsible_party_absent", "social_image_absent"),
        *("image_location_data", "image_ai_unmarked", "link_fragment_missing", "link_same_site_broken"),
    }

    assert set(FINDINGS) == OWN_CODES | looked_up | OF_A_WRITE
    assert not OWN_CODES & looked_up


class Life:
    """Random writes to a blog, each of which can change the findings of other posts."""

    def __init__(self, settings: Any) -> None:
        self.chance = Random(SEED)  # noqa: S311 - no secret
        self.settings = settings
        self.options: dict[str, Any] = {}
        self.images = [
            stored(new_image(has_location=True)),
            store_image(),
            stored(new_image(source_type_in_file="trainedAlgorithmicMedia")),
        ]
        self.steps: list[Callable[[], object]] = [
            *[self.write] * 6,
            *[self.edit] * 6,
            *(self.release, self.withdraw, self.archive, self.sign, self.declared, self.adopted),
            *(self.describe, self.rename_tag, self.mark_image, self.redirect, self.page),
            *(self.set, self.style, self.style, self.rendered, self.checked),
        ]

    def step(self) -> None:
        # Random writes are refused now and then.
        with suppress(Refusal):
            self.chance.choice(self.steps)()

    def post(self) -> Post:
        posts = [*Post.objects.order_by("pk")]
        return self.chance.choice(posts) if posts else save(slug="post-0").post

    def fields(self) -> dict[str, Any]:
        picked = self.chance.choice
        image = picked(self.images)
        media = f"/blog/media/{image.sha256}/{image.filename}"
        number = self.chance.randint(0, 6)
        token = preview_token(self.post(), now=NOW)
        bodies = [
            "",
            "# Top\n\n#### Deep",
            f"[a](/blog/post-{number}) [b](post-{number + 1}.md) [c](/blog/tag/mud) [d](/blog/category/soil)",
            f"[a](https://blog.example/blog/post-{number}) [e](/blog/policies/ai-use) [p](/elsewhere/{number})",
            f"## One\n\n[here](#one) [there](#two) [other](/blog/post-{number}#one)",
            "## One\n\n[here](#one) [nowhere](#two) [nowhere](#three)",
            f"![A quay]({media}) ![](http://127.0.0.1:1/x.png)",
            f"[p](/blog/preview/{token.token if token else 'x'}) [m]({media}) [q](?x=1) [r](/blog/moved)",
            "I hope this helps! [insert name] caf\\u00e9 <marquee>x</marquee> $\\foo$ [^1]",
        ]
        choices: dict[str, Callable[[], Any]] = {
            "title": lambda: picked(["One", "Two", "<b>Three</b>", "日本語", f"Post {number}"]),
            "body": lambda: picked(bodies),
            "description": lambda: picked(["", "Said.", "[TBD]"]),
            "search_description": lambda: picked(["", "The same words."]),
            "faq": lambda: picked([[], [{"question": "Why?", "answer": "*So*"}] * 2]),
            "category": lambda: picked(["Soil", "Water", ""]),
            "tags": lambda: picked([[], ["mud"], ["a & b", "**fat**"], ["AT&AMP;T"]]),
            "provenance": lambda: picked(["unknown", "ai_assisted", "human_written"]),
            "canonical_url": lambda: picked([None, "https://elsewhere.example/x", "https://blog.example/y"]),
            "cover_image": lambda: picked([None, {"image_id": image.pk}]),
            "social_image": lambda: picked([None, {"image_id": image.pk}]),
            "cover_alt": lambda: picked(["", "A quay"]),
        }
        names = self.chance.sample(sorted(choices), self.chance.randint(1, 5))
        return {name: choices[name]() for name in names}

    def write(self) -> None:
        kind = self.chance.choice([{}, {"publish": True}, {"publish": True, "publish_at": "2027-01-01T00:00:00Z"}])
        title = {"title": f"Post {self.chance.randint(0, 9)}"}
        save(**(title | self.fields() | {"slug": f"post-{self.chance.randint(0, 9)}"} | kind))

    def edit(self) -> None:
        post = self.post()
        change = {"change": "maintenance"} if post.status == "published" else {}
        moved = {"slug": f"post-{self.chance.randint(0, 9)}"} if self.chance.random() < 0.2 else {}
        update(post, **self.fields(), **change, **moved)

    def release(self) -> None:
        publish(self.post())

    def withdraw(self) -> None:
        unpublish(self.post())

    def archive(self) -> None:
        remove(self.post())

    def sign(self) -> None:
        approve(self.post(), facts_checked=self.chance.random() < 0.8)

    def declared(self) -> None:
        declare(self.post())

    def adopted(self) -> None:
        adopt(slug="adopted", source_id="1", title=self.chance.choice(["One", "Two"]))

    def describe(self) -> None:
        category = make_category(name="Soil") if self.chance.random() < 0.3 else None
        found = category or Post.objects.filter(category__isnull=False).first()
        if found is not None:
            edit_category(getattr(found, "category_id", found.pk), description=self.chance.choice([" ", "Of soil."]))

    def rename_tag(self) -> None:
        tag = Tag.objects.order_by("?").first()
        if tag is not None:
            data = parse(RenameTag, {"id": tag.pk, "name": self.chance.choice(["mud", "</b> mud", "plain"])})
            services.rename_tag(data, actor=EDITOR, now=LATER)

    def mark_image(self) -> None:
        image = self.chance.choice(self.images)
        kind = self.chance.choice([None, "trainedAlgorithmicMedia", "digitalCapture"])
        data = UpdateImage.model_validate({"id": image.pk, "digital_source_type": kind})
        services.update_image(data, actor=EDITOR, now=LATER)

    def redirect(self) -> None:
        data = SaveRedirect(old_path=f"/blog/{self.chance.choice(['moved', 'post-8'])}", new_path="/blog/post-1")
        services.add_redirect(data, actor=EDITOR, now=LATER)

    def page(self) -> None:
        status = self.chance.choice(["draft", "published"])
        sent = {"title": "AI", "body": "Text", "slug": "ai-use", "status": status}
        services.save_page(parse(SavePage, sent, fixed={"kind": "ai_use"}), actor=EDITOR, now=LATER)

    def set(self) -> None:
        changes = [
            {"primary_list_type": "tags"},
            {"default_social_image_url": "/card.png"},
            {"public_base_url": "https://other.example"},
            {"markdown_hardbreaks": True},
            {"policy_urls": {"ai_use": "/ai"}},
            {},
        ]
        self.settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open", **self.chance.choice(changes))

    def style(self) -> None:
        rules = [{}, {"least_words": 3}, {"terms": [{"avoid": "quay", "use": "pier"}]}, {"most_description": 2}]
        write_style(**self.chance.choice(rules))

    def rendered(self) -> None:
        render_posts(all_posts=self.chance.random() < 0.5)

    def checked(self) -> None:
        check_posts(now=LATER)


@requirement("posts.list.findings", "findings.kept")
def test_after_any_writes_the_numbers_are_those_of_a_fresh_computation(settings: Any) -> None:
    life = Life(settings)

    for step in range(STEPS):
        life.step()
        assert_equal(has_responsible_party=bool(step % 2))

    check_posts(now=LATER)
    assert_equal()
    assert check_posts(now=LATER) == 0


def queries_of_a_list(*, has_responsible_party: bool = True) -> int:
    """Return the queries for the numbers of the findings of a list."""
    rows = listed_posts(ListPosts(per_page=100)).rows
    with CaptureQueriesContext(connection) as queries:
        counted_findings(rows, has_responsible_party=has_responsible_party, now=LATER)
    return len(queries)


@requirement("findings.kept", "findings.queries")
def test_what_is_kept_takes_no_query_and_links_take_one() -> None:
    for number in range(3):
        save(slug=f"post-{number}", title=f"Post {number}", body="# Top", tags=["mud"], category="Soil", publish=True)
    assert queries_of_a_list() == 0

    for number in range(20):
        save(slug=f"link-{number}", title=f"Link {number}", body=f"[a](/blog/post-{number}) [b](/blog/category/soil)")
    assert queries_of_a_list() == 1
    assert_equal()


@requirement("findings.kept")
@pytest.mark.parametrize(
    "changed",
    [{"public_base_url": "https://other.example"}, {"markdown_hardbreaks": False}],
    ids=str,
)
def test_after_a_change_of_a_setting_nothing_that_is_kept_counts(settings: Any, changed: dict[str, Any]) -> None:
    save(title="One", body=WRAPPED, canonical_url="https://blog.example/x")
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://blog.example")
    assert check_posts(now=LATER) == 1
    before = counted()

    settings.BLOG_ENGINE = blog_settings(**({"public_base_url": "https://blog.example"} | changed))

    assert_equal()
    assert counted() != before
    render_posts(all_posts=True)
    check_posts(now=LATER)
    assert queries_of_a_list() == 0
    assert_equal()


@requirement("findings.kept")
def test_another_version_of_the_package_may_check_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    save(body="# Top")
    monkeypatch.setattr("blog_engine.findings.kept.__version__", "9.9")

    assert queries_of_a_list() > 0
    assert_equal()


@requirement("findings.kept")
@pytest.mark.parametrize("text", ["", "{", "[]", "[1, 2, 3, 4]", '["x", {}, [["a"]], []]', "null", '"x"'])
def test_a_column_that_the_engine_did_not_write_counts_for_nothing(text: str) -> None:
    post = save(body="# Top").post
    with connection.cursor() as cursor:
        cursor.execute("UPDATE blog_engine_post SET own_findings = %s", [text])

    assert KeptFindings.read(text) is None
    assert_equal()
    assert check_posts(now=LATER) == 1
    assert KeptFindings.read(Post.objects.get(pk=post.pk).own_findings) is not None


@requirement("findings.kept", "host.upgrade.completed")
def test_what_a_process_of_an_earlier_release_wrote_counts_as_it_is() -> None:
    first, second = save(title="One", body="Text").post, save(title="Two", body="# Top").post
    # It knows no such column, and writes the others.
    columns = "title, body, body_facts, current_revision_identifier"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM blog_engine_post WHERE id = %s", [second.pk])  # noqa: S608
        values = ", ".join(f"{name.strip()} = %s" for name in columns.split(","))
        cursor.execute(f"UPDATE blog_engine_post SET {values} WHERE id = %s", [*cursor.fetchone(), first.pk])  # noqa: S608

    assert counted()[first.pk]["heading_h1_in_body"] == 1
    assert_equal()


@pytest.fixture
def registry() -> Iterator[None]:
    """Checks that a test may change; afterwards they are in their order again, which a patched item would not be."""
    before = dict(FINDINGS)
    yield
    FINDINGS.clear()
    FINDINGS.update(before)


@requirement("findings.kept", "findings.registry")
@pytest.mark.usefixtures("registry")
def test_a_list_asks_the_checks_of_the_host() -> None:
    def shouting(subject: Subject) -> Finding | None:
        return Finding("shouting", None, "Do not shout.", "title") if subject.post.title.isupper() else None

    save(title="HELP", body="# Top")
    FINDINGS["shouting"] = shouting
    assert [*counted().values()] == [*fresh().values()]
    assert "shouting" in next(iter(counted().values()))
    del FINDINGS["shouting"], FINDINGS["heading_h1_in_body"]

    assert_equal()


@requirement("findings.kept", "style.findings")
def test_the_answer_to_a_write_follows_a_house_style_that_another_process_has_just_changed() -> None:
    write_style(least_words=3)
    save(title="One", body="One two.")
    HouseStyle.objects.update(rules={"terms": [{"avoid": "two", "use": "2"}]}, version="f" * 64, updated_at=LATER)

    written = save(title="Two", body="One two.")

    assert [one.rule for one in written.findings if one.code == "house_style"] == ["terms"]
    assert_equal()
    assert counted_from(written.post)


def counted_from(post: Post) -> bool:
    """Whether what is kept with a post is valid."""
    rows = [row for row in listed_posts(ListPosts(per_page=100)).rows if row.id == post.pk]
    with CaptureQueriesContext(connection) as queries:
        counted_findings(rows, has_responsible_party=True, now=LATER)
    return not queries
