"""Signed previews."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.test import override_settings
from django.views.generic import View

from blog_engine.models import Post
from blog_engine.queries.previews import preview_token
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings, host_templates
from tests.support.pages import Visitor, meta, parse, text_of
from tests.support.tables import undone


def token_for(post: Post) -> str:
    issued = preview_token(Post.objects.get(pk=post.pk), now=TODAY)
    assert issued is not None
    return issued.token


@pytest.fixture
def draft(db: None) -> Post:
    return save(title="Soil", description="What grows.", category="Garden", body="## Roots").post


@requirement("previews.page")
def test_a_preview_is_the_article_with_a_bar(visitor: Visitor, draft: Post) -> None:
    page = visitor.page(f"/preview/{token_for(draft)}")

    assert page.one("", data_blog_preview="").one("strong").text == "Draft preview"
    assert page.one("h1").text == "Soil"
    assert page.one("", data_blog_body="").one("h2").text == "Roots"
    assert [item.text for item in page.one("nav", aria_label="Breadcrumbs").all("li")] == ["Blog", "Garden"]
    assert [tag.attrs["content"] for tag in page.all("meta", name="robots")] == ["noindex, nofollow"]
    assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/soil"
    assert meta(page, "og:type") == "article"
    assert not page.has("div", class_="blog-share")


@requirement("previews.headers")
@pytest.mark.parametrize("good", [True, False])
def test_a_preview_is_never_cached(visitor: Visitor, draft: Post, good: bool) -> None:
    token = token_for(draft) if good else "forged"

    first = visitor.get(f"/preview/{token}")
    second = visitor.get(f"/preview/{token}", if_none_match="*", if_modified_since="Sat, 01 Jan 2033 00:00:00 GMT")

    for response in (first, second):
        assert response.status_code == (200 if good else 404)
        assert response["Cache-Control"] == "no-store"
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["Referrer-Policy"] == "no-referrer"
        assert "ETag" not in response


@requirement("previews.token-hidden")
def test_the_token_is_not_on_the_page(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    shown = text_of(visitor.get(f"/preview/{token}"))

    assert token not in shown
    assert token.partition(":")[0] not in shown
    assert "forged-token" not in text_of(visitor.get("/preview/forged-token"))


@requirement("previews.stopped")
def test_an_invalid_link_says_so_and_lists_nothing(visitor: Visitor) -> None:
    save(title="Public", publish=True)

    page = visitor.page("/preview/forged", status=404)

    assert page.one("h1").text == "This preview link has stopped working"
    assert not page.has("article")
    assert meta(page, "robots") == "noindex, nofollow"


@requirement("previews.page")
def test_all_reasons_look_the_same(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)
    archived = save(title="Archived", publish=True).post
    unpublish(archived)
    archived_token = token_for(archived)
    remove(archived)

    shown = {text_of(visitor.get(f"/preview/{bad}")) for bad in ("forged", token[:-1], token + "x", archived_token)}
    update(draft, title="Earth")
    shown.add(text_of(visitor.get(f"/preview/{token}")))

    assert len(shown) == 1


@requirement("previews.page")
def test_a_changed_text_ends_the_link(visitor: Visitor, draft: Post, subtests: pytest.Subtests) -> None:
    token = token_for(draft)

    for changes in [
        {"title": "Earth"},
        {"description": "New."},
        {"body": "New."},
        {"search_title": "New"},
        {"author": "Somebody Else"},
        {"faq": [{"question": "Q?", "answer": "A."}]},
    ]:
        with subtests.test(changes=changes), undone():
            update(draft, **changes)

            assert visitor.get(f"/preview/{token}").status_code == 404


@requirement("previews.same-content")
def test_a_change_of_metadata_keeps_the_link(visitor: Visitor, draft: Post, subtests: pytest.Subtests) -> None:
    token = token_for(draft)

    for changes in [{"tags": ["new"]}, {"category": "Sea"}, {"slug": "earth"}]:
        with subtests.test(changes=changes), undone():
            update(draft, **changes)

            assert visitor.get(f"/preview/{token}").status_code == 200


@requirement("previews.same-content")
def test_a_scheduled_post_is_still_previewed(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    publish(draft, publish_at="2026-12-24T12:00:00Z")

    assert visitor.get(f"/preview/{token}").status_code == 200


@requirement("previews.published")
def test_publishing_unchanged_redirects_to_the_article(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    publish(draft)
    response = visitor.get(f"/preview/{token}")

    assert (response.status_code, response["Location"]) == (302, "/blog/soil")
    assert response["Cache-Control"] == "no-store"


@requirement("previews.published-changed")
def test_publishing_changed_ends_the_link(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    publish(draft, title="Earth")

    assert visitor.get(f"/preview/{token}").status_code == 404


@requirement("previews.deleted")
def test_a_deleted_draft_ends_the_link(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    remove(draft)

    assert visitor.get(f"/preview/{token}").status_code == 404


@requirement("previews.page")
def test_the_link_stops_with_its_time(visitor: Visitor, draft: Post, clock: time_machine.Traveller) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(preview_expires_in=60)):
        token = token_for(draft)
        clock.move_to(TODAY + timedelta(seconds=59))
        before = visitor.get(f"/preview/{token}").status_code
        clock.move_to(TODAY + timedelta(seconds=61))
        after = visitor.get(f"/preview/{token}").status_code

    assert (before, after) == (200, 404)


@requirement("previews.lifetime-changed")
def test_another_lifetime_ends_all_links(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    with override_settings(BLOG_ENGINE=blog_settings(preview_expires_in=timedelta(days=30))):
        assert visitor.get(f"/preview/{token}").status_code == 404


def test_a_trailing_slash_is_removed_without_caching(visitor: Visitor, draft: Post) -> None:
    token = token_for(draft)

    response = visitor.get(f"/preview/{token}/")

    assert (response.status_code, response["Location"]) == (301, f"/blog/preview/{token}")
    assert response["Cache-Control"] == "no-store"
    assert response["Referrer-Policy"] == "no-referrer"


class Wall(View):
    """A host's parent class that refuses everybody."""

    def dispatch(self, request: object, *args: object, **kwargs: object) -> object:
        raise AssertionError("previews do not pass the host's class")


@requirement("pages.parent-class")
@override_settings(BLOG_ENGINE=blog_settings(parent_controller=Wall))
def test_previews_do_not_use_the_parent_class(visitor: Visitor, draft: Post) -> None:
    assert visitor.get(f"/preview/{token_for(draft)}").status_code == 200


@requirement("previews.parent-class")
def test_previews_do_not_need_a_login(visitor: Visitor, draft: Post) -> None:
    wall = "django.contrib.auth.middleware.LoginRequiredMiddleware"

    with override_settings(MIDDLEWARE=[*settings.MIDDLEWARE, wall]):
        assert visitor.get(f"/preview/{token_for(draft)}").status_code == 200
        assert visitor.get("/").status_code == 302


@requirement("previews.layout")
def test_the_layout_is_the_hosts(visitor: Visitor, draft: Post) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(layout="reader_tests/host.html"), TEMPLATES=host_templates()):
        page = parse(text_of(visitor.get(f"/preview/{token_for(draft)}")))

    assert page.one("body").attrs["id"] == "host"
    assert page.one("h1").text == "Soil"


@requirement("previews.page-caches")
def test_previews_are_kept_out_of_page_caches(visitor: Visitor, draft: Post) -> None:
    cached = [
        "django.middleware.cache.UpdateCacheMiddleware",
        *settings.MIDDLEWARE,
        "django.middleware.cache.FetchFromCacheMiddleware",
    ]
    token = token_for(draft)

    with override_settings(MIDDLEWARE=cached, CACHE_MIDDLEWARE_ALIAS="memory"):
        assert visitor.get(f"/preview/{token}").status_code == 200
        remove(draft)
        assert visitor.get(f"/preview/{token}").status_code == 404
