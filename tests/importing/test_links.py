"""Links in bodies, in Markdown and in HTML."""

from typing import Any

import pytest

from blog_engine.importing.source import Loss, LossKind
from blog_engine.models import Post
from tests.importing.old_blogs import OLD, draft, entry, run_import
from tests.requirements import requirement
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

TARGET = entry(
    2, body="## Soil\n\nDark.", former_urls=(f"{OLD}/?p=2", f"{OLD}/old-name/"), link_names=("posts/two.md",)
)


def body_of(body: str, **fields: Any) -> tuple[str, list[Loss]]:
    """The stored body of a post, and what it lost."""
    outcome = run_import(entry(1, body=body, **fields), TARGET)
    return Post.objects.get(external_id="wordpress:old.example:1").body, outcome.losses["1"]


@requirement("import.links")
@pytest.mark.parametrize(
    "url",
    [
        f"{OLD}/2019/post-2/",
        f"{OLD}/2019/post-2",
        "http://www.old.example/2019/post-2/",
        "https://OLD.example:443/2019/post%2D2/",
        "//old.example/2019/post-2/index.html",
        "/2019/post-2/?utm_source=x&p=9",
        "../post-2/",
        f"{OLD}/?p=2",
        "/?p=2",
        f"{OLD}/old-name",
        "posts/two.md",
    ],
)
def test_a_link_to_an_imported_post_leads_to_it_here(url: str) -> None:
    assert body_of(f"See [it]({url}) and [there]({url}#soil).") == (
        "See [it](/blog/post-2) and [there](/blog/post-2#soil).",
        [],
    )


@requirement("import.links")
def test_relative_links_begin_from_the_file_or_from_its_page() -> None:
    body = "[file](../two.md) [page](../post-2/)"

    assert body_of(body, base="posts/one") == ("[file](/blog/post-2) [page](/blog/post-2)", [])


@requirement("import.links")
@pytest.mark.parametrize(
    "url", ["#top", "mailto:a@b.example", "tel:1", "https://other.example/2019/post-2/", "data:,x"]
)
def test_other_links_stay_as_they_are(url: str) -> None:
    assert body_of(f"[it]({url})") == (f"[it]({url})", [])


@requirement("import.links.left")
def test_what_was_not_imported_keeps_its_absolute_url_and_is_named() -> None:
    body, losses = body_of("One\n\n[about](/about/#team) and [feed](https://www.old.example/feed/)\n")

    assert body == "One\n\n[about](https://old.example/about/#team) and [feed](https://www.old.example/feed/)\n"
    assert [(loss.kind, loss.line) for loss in losses] == [(LossKind.LINK, 3), (LossKind.LINK, 3)]
    assert "https://old.example/about/#team" in losses[0].message


def test_a_file_that_the_source_has_named_is_not_named_again() -> None:
    named = Loss(LossKind.FILE, "The file plan.pdf stays at the old blog.", 1)

    _, losses = body_of("[plan](/files/plan.pdf) [other](/files/other.pdf)", losses=(named,))

    assert [loss.kind for loss in losses] == [LossKind.FILE, LossKind.LINK]


def test_another_part_of_the_old_site_is_not_the_blog() -> None:
    outcome = run_import(entry(1, body="[shop](https://old.example/shop/)"), url=f"{OLD}/weblog")

    assert (Post.objects.get().body, outcome.kinds()) == ("[shop](https://old.example/shop/)", [])


@requirement("import.links")
def test_the_home_page_of_the_old_blog_is_that_of_the_new_one() -> None:
    assert body_of(f"[home]({OLD}/)") == ("[home](/blog/)", [])


def test_links_to_drafts_lead_to_where_they_will_be() -> None:
    run_import(entry(1, body=f"[d]({OLD}/draft/)"), draft(3, url=f"{OLD}/draft/"))

    assert Post.objects.get(slug="post-1").body == "[d](/blog/post-3)"


@requirement("import.links.markdown")
def test_text_and_code_are_never_changed() -> None:
    url = f"{OLD}/2019/post-2/"
    body = (
        f"`[x]({url})` \\[x\\](/2019/post-2/) https://old.example/2019/post-2/x\n\n    [x]({url})\n\n```\n{url}\n```\n"
    )

    stored, losses = body_of(body)

    assert stored == body
    assert [loss.kind for loss in losses] == [LossKind.LINK]


@requirement("import.links.markdown")
def test_all_forms_of_links_are_found() -> None:
    url = f"{OLD}/2019/post-2/"
    body = f'[a]({url} "T") [b](<{url}>) [c][r] {url}, <{url}> [^1]\n\n> - [d]({url})\n\n[r]: {url}\n[^1]: [n]({url})\n'

    stored, losses = body_of(body)

    shown = f"[{url}](/blog/post-2)"
    assert stored == (
        f'[a](/blog/post-2 "T") [b](/blog/post-2) [c][r] {shown}, {shown} [^1]\n\n> - [d](/blog/post-2)\n\n'
        "[r]: /blog/post-2\n[^1]: [n](/blog/post-2)\n"
    )
    assert losses == []


@requirement("import.links")
def test_links_in_html_change_and_nothing_else() -> None:
    html = (
        "<p class=x>One\n<a\n title='a &gt; b' href='/2019/post-2/#soil'>two</a>\n"
        "<a href=https://old.example/gone/?a=1&amp;b=2>gone</a> "
        "<a name=x>n</a> <code>&lt;a href='/2019/post-2/'></code>"
    )

    body, losses = body_of(html, body_format="html")

    assert body == (
        'One [two](/blog/post-2#soil "a > b") [gone](https://old.example/gone/?a=1&b=2) n '
        "`<a href='/2019/post-2/'>`\n"
    )
    assert [(loss.kind, loss.line) for loss in losses] == [(LossKind.LINK, 4)]


def test_html_is_stored_as_rich_text_where_markdown_would_lose_something(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])

    run_import(
        entry(1, body='<p>Plain <a href="/2019/post-2/">two</a></p>', body_format="html"),
        entry(2, body="<dl><dt>Leek</dt><dd>A plant<sup>2</sup>.</dd></dl>", body_format="html"),
    )

    first, second = Post.objects.order_by("slug")
    assert (first.body_format, first.body.strip()) == ("markdown", "Plain [two](/blog/post-2)")
    assert "<dd>A plant<sup>2</sup>.</dd>" in second.body
