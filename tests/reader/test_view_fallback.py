"""Redirected, removed and unknown URLs."""

import pytest

from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.models import Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services import add_redirect, delete_redirect
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, publish, remove, save, unpublish, update
from tests.support.pages import Visitor, meta, parse, text_of
from tests.support.tables import insert_redirect


def leads(old: str, new: str | None) -> None:
    """Store a redirect row as the services do."""
    Redirect.objects.create(
        old_path=old,
        old_key=path_key(old),
        new_path=new,
        new_key=path_key(new) if new else None,
        source="manual",
        occurred_on=LATER.date(),
    )


@requirement("pages.moved")
def test_a_moved_article_is_301(visitor: Visitor) -> None:
    post = save(title="Soil", slug="old", publish=True).post
    update(post, slug="new")

    for path in ("/old", "/old.html"):
        response = visitor.get(path)
        assert (response.status_code, response["Location"]) == (301, "/blog/new")


@requirement("pages.moved.other-site")
def test_another_site_can_be_the_target(visitor: Visitor) -> None:
    leads("/blog/old", "https://other.example/new?x=1")

    assert visitor.get("/old")["Location"] == "https://other.example/new?x=1"
    assert visitor.get("/old.md")["Location"] == "https://other.example/new?x=1"


@requirement("pages.gone")
def test_a_withdrawn_article_is_gone_and_comes_back(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    unpublish(post)
    gone = visitor.get("/soil").status_code
    publish(post)

    assert (gone, visitor.get("/soil").status_code) == (410, 200)


def test_a_removed_article_redirects_to_its_target(visitor: Visitor) -> None:
    save(title="Stone", publish=True)
    post = save(title="Soil", publish=True).post
    remove(post, redirect_to="stone")

    assert visitor.get("/soil")["Location"] == "/blog/stone"


@requirement("pages.moved.wins")
def test_a_published_article_wins_over_a_redirect(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    leads("/blog/soil", "/blog/elsewhere")

    assert visitor.get("/soil").status_code == 200
    assert visitor.get("/soil.md").status_code == 200


@requirement("pages.moved.any-path")
def test_redirects_work_for_every_unserved_path(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for old in [
        *("/category/old", "/Old", "/2019/05/old.php", "/feed", "/media/x", "/an old one", "/ä"),
        *(f"/media/{'0' * 64}/{name}" for name in ("old.png", "w480.webp")),
    ]:
        with subtests.test(old=old):
            leads(f"/blog{old}", "/blog/new")

            assert visitor.get(old)["Location"] == "/blog/new"


@requirement("pages.moved.any-path")
@pytest.mark.parametrize(
    ("path", "status"), [("/api", 404), ("/api/v1/old", 404), ("/mcp", 405), ("/preview/old", 404)]
)
def test_a_redirect_from_a_served_path_has_no_effect(visitor: Visitor, path: str, status: int) -> None:
    leads(f"/blog{path}", "/blog/new")

    assert visitor.get(path).status_code == status


def test_paths_are_decoded_only_once(visitor: Visitor) -> None:
    leads("/blog/100%25off", "/blog/new")
    leads("/blog/a%20b", "/blog/new")

    assert visitor.get("/100%25off")["Location"] == "/blog/new"
    assert visitor.get("/a%20b")["Location"] == "/blog/new"
    assert visitor.get("/a%2520b").status_code == 404


@requirement("redirects.followed", "pages.moved", "pages.gone")
def test_readers_follow_what_an_editor_recorded(visitor: Visitor) -> None:
    for old, new in (("/blog/one", "/blog/two"), ("/blog/two", "soil"), ("/blog/2019/x.html", None)):
        add_redirect(SaveRedirect(old_path=old, new_path=new), actor=EDITOR, now=LATER)
    save(title="Soil", publish=True)

    answers = [visitor.get(path) for path in ("/one", "/two", "/2019/x.html")]

    found = [(answer.status_code, answer.headers.get("Location")) for answer in answers]
    assert found == [(301, "/blog/soil"), (301, "/blog/soil"), (410, None)]


@requirement("redirects.freed")
def test_a_deleted_410_is_404(visitor: Visitor) -> None:
    unpublish(save(title="Soil", publish=True).post)
    gone = visitor.get("/soil").status_code

    delete_redirect(RedirectRef(id=Redirect.objects.get().pk), actor=EDITOR)

    assert (gone, visitor.get("/soil").status_code) == (410, 404)


@pytest.mark.parametrize("old", ["/old.html", "/old.md", "/old.php"])
def test_a_redirect_from_a_file_of_an_earlier_site_works(visitor: Visitor, old: str) -> None:
    leads(f"/blog{old}", "https://archive.example/old")

    assert visitor.get(old)["Location"] == "https://archive.example/old"
    assert visitor.get("/old").status_code == 404


@requirement("pages.moved.exact")
def test_a_redirect_of_the_exact_path_comes_first(visitor: Visitor) -> None:
    leads("/blog/old", "/blog/new")
    leads("/blog/old.md", "https://archive.example/old.md")

    assert visitor.get("/old")["Location"] == "/blog/new"
    assert visitor.get("/old.md")["Location"] == "https://archive.example/old.md"


@requirement("pages.moved.any-path")
def test_a_redirect_works_with_a_trailing_slash(visitor: Visitor) -> None:
    leads("/blog/2019/old", "/blog/new")

    assert visitor.get("/2019/old/")["Location"] == "/blog/new"


def test_nothing_is_404(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in ["/Soil/", "/a/b/", "/feed/", "//evil.example/", "/%0A", "/x%0Ay", "/..%2F", "/\\evil/"]:
        with subtests.test(path=path):
            assert visitor.get(path).status_code == 404


@requirement("pages.dead-ends")
@pytest.mark.parametrize(
    ("slug", "status", "title"),
    [("none", 404, "Page not found"), ("gone", 410, "This page has been removed")],
)
def test_the_page_of_a_dead_end(visitor: Visitor, slug: str, status: int, title: str) -> None:
    unpublish(save(title="Gone", publish=True).post)
    for number in range(8):
        save(title=f"Post {number}", publish=True)

    page = visitor.page(f"/{slug}?x=1", status=status)

    assert page.one("h1").text == title
    assert page.one("title").text == f"{title} — The Example Journal"
    assert meta(page, "robots") == "noindex, nofollow"
    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com/blog/{slug}"
    assert page.one("a", class_="blog-button").attrs["href"] == "/blog/"
    assert [card.text for card in page.all("h3")] == [f"Post {number}" for number in (7, 6, 5, 4, 3, 2)]


def test_a_dead_end_of_an_empty_blog_lists_nothing(visitor: Visitor) -> None:
    assert not visitor.page("/none", status=404).has("section", class_="blog-recent")


@requirement("pages.dead-ends")
def test_dead_ends_are_html_and_not_cached(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in ["/none", "/none.md", "/none.json", "/?page=9", "/soil?format=xml"]:
        with subtests.test(path=path):
            response = visitor.get(path)

            assert response.status_code == 404
            assert response["Content-Type"] == "text/html; charset=utf-8"
            assert response["Cache-Control"] == "max-age=0, private, must-revalidate"
            assert "ETag" not in response


def test_the_requested_url_is_escaped(visitor: Visitor) -> None:
    response = visitor.get('/"><script>alert(1)</script>')

    page = parse(text_of(response))
    canonical = page.one("link", rel="canonical").attrs["href"]
    assert canonical == "https://example.com/blog/%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    assert len([e for e in page.all("script") if "src" not in e.attrs]) == 1


@requirement("pages.article.reserved-slugs")
@pytest.mark.parametrize("slug", ["feed", "preview", "media", "policies", "sitemap", "checkpoints"])
def test_reserved_words_are_not_articles(visitor: Visitor, slug: str) -> None:
    assert visitor.get(f"/{slug}").status_code == 404


@requirement("redirects.old-path.query")
def test_an_old_path_with_a_query_redirects_from_the_index(visitor: Visitor) -> None:
    insert_redirect("/blog/?p=17&lang=en", "/blog/soil")
    insert_redirect("/blog/?p=18&lang=en", "/blog/tide")

    assert visitor.get("/?p=17&lang=en")["Location"] == "/blog/soil"
    assert visitor.get("/?lang=en&p=18")["Location"] == "/blog/tide"
    assert [visitor.get(path).status_code for path in ("/?p=19", "/?page=1", "/")] == [200, 200, 200]
