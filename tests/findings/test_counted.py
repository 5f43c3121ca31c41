"""The numbers of findings that lists show are those of a fresh computation, whatever was written and in what order."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from os import environ
from random import Random
from typing import Any

import pytest

from blog_engine import services
from blog_engine.errors import Refusal
from blog_engine.findings import FINDINGS, counted_findings, findings_of
from blog_engine.findings.kept import OWN_CODES
from blog_engine.findings.lasting import OF_A_WRITE
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import UpdateImage
from blog_engine.inputs.posts import ListPosts
from blog_engine.inputs.records import RenameTag, SavePage, SaveRedirect
from blog_engine.models import Post, Tag
from blog_engine.queries.post_lists import listed_posts
from blog_engine.queries.posts import read_post
from blog_engine.queries.previews import preview_token
from blog_engine.services import check_posts, render_posts
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
