"""Scripts that only some bodies need, and what makes a stored rendering outdated."""

from typing import Any

import pytest
from django.test import override_settings
from markdown_it import MarkdownIt

from blog_engine.content.options import MarkdownPlugin
from blog_engine.models import Post
from blog_engine.rendering.options import rendering_key
from blog_engine.rendering.stored import rendered_bodies
from blog_engine.services.refresh import render_posts
from tests.reader.test_policy import write
from tests.requirements import requirement
from tests.support import hosts
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

VIDEO = "https://youtu.be/dQw4w9WgXcQ"
DIAGRAM = "```mermaid\ngraph TD\n```"
OF_THE_HOST = {"embeds": ["youtube"], "diagrams": {"mermaid": "site/mermaid.js", "dot": "site/dot.js"}}
OPTIONAL = ("/static/blog_engine/embeds.js", "/static/site/mermaid.js", "/static/site/dot.js")


def plugin(parser: MarkdownIt) -> None:
    parser.disable("strikethrough")


def scripts_on(page: Element) -> list[str]:
    found = [script.attrs.get("src") or "" for script in page.all("script", type="module")]
    return [src for src in found if src in OPTIONAL]


@requirement("rendering.embeds.click", "rendering.diagrams")
def test_a_page_loads_the_scripts_of_its_body(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for body, scripts in [
        ("Text", []),
        (VIDEO, ["/static/blog_engine/embeds.js"]),
        (DIAGRAM, ["/static/site/mermaid.js"]),
        (f"{DIAGRAM}\n\n{VIDEO}\n\n{VIDEO}", ["/static/blog_engine/embeds.js", "/static/site/mermaid.js"]),
        ('```html\n<figure class="blog-embed"><figure class="blog-diagram" data-blog-diagram="dot">\n```', []),
    ]:
        of_the_host = override_settings(BLOG_ENGINE=blog_settings(**OF_THE_HOST))
        with subtests.test(body=body, scripts=scripts), undone(), of_the_host:
            save(title="Seen", body=body, publish=True)
            write(body=body)

            assert scripts_on(visitor.page("/seen")) == scripts
            assert scripts_on(visitor.page("/policies/ai-use")) == scripts
            assert scripts_on(visitor.page("/")) == []


@requirement("rendering.embeds.click")
def test_nothing_on_a_page_names_the_frame_but_its_button(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(**OF_THE_HOST)):
        save(title="Seen", body=VIDEO, publish=True)
        page = visitor.page("/seen")

    button = page.one("button", class_="blog-embed-load")
    assert "hidden" in button.attrs
    assert not page.all("iframe")
    assert "youtube-nocookie" not in str([e.attrs for e in page.all("link") + page.all("script") + page.all("img")])


@requirement("rendering.outdated")
@pytest.mark.parametrize(
    ("changes", "is_outdated"),
    [
        ({}, False),
        ({"embeds": ["youtube"]}, True),
        ({"diagrams": {"mermaid": "a.js"}}, True),
        ({"markdown_plugins": ["tests.reader.test_scripts.plugin"]}, True),
        ({"markdown_plugins": [plugin]}, True),
        ({"feed_size": 3}, False),
    ],
    ids=["nothing", "embeds", "diagrams", "path", "callable", "other"],
)
def test_a_setting_that_counts_makes_stored_renderings_outdated(changes: dict[str, Any], is_outdated: bool) -> None:
    before = rendering_key()

    with override_settings(BLOG_ENGINE=blog_settings(**changes)):
        assert (rendering_key() != before) is is_outdated


@requirement("rendering.outdated", "rendering.plugins")
def test_a_page_is_rendered_anew_with_a_new_plugin(visitor: Visitor) -> None:
    save(title="Seen", body="~~gone~~", publish=True)
    assert visitor.page("/seen").one("", data_blog_body="").one("del").text == "gone"

    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[plugin])):
        assert visitor.page("/seen").one("", data_blog_body="").text.strip() == "~~gone~~"


@requirement("rendering.plugins.failing")
@pytest.mark.parametrize("failing", [hosts.failing_plugin, hosts.failing_rule])
def test_readers_get_the_stored_rendering_while_a_plugin_fails(visitor: Visitor, failing: MarkdownPlugin) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[plugin])):
        save(title="Seen", body="~~gone~~ *b*", publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[plugin, failing])):
        assert visitor.page("/seen").one("", data_blog_body="").text.strip() == "~~gone~~ b"
        assert rendered_bodies([Post.objects.get()]) == {Post.objects.get().pk: "<p>~~gone~~ <em>b</em></p>\n"}
        assert (render_posts(), Post.objects.get().rendered_with == rendering_key()) == (1, False)
        assert visitor.page("/seen").one("", data_blog_body="").text.strip() == "~~gone~~ b"


@requirement("rendering.plugins.failing")
def test_what_is_written_while_a_plugin_fails_is_rendered_again(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[hosts.failing_rule])):
        save(title="Seen", body="~~gone~~ *b*", publish=True)
        assert visitor.page("/seen").one("", data_blog_body="").one("del").text == "gone"

    assert (Post.objects.get().rendered_with, render_posts()) == ("", 1)
    assert Post.objects.get().rendered_with == rendering_key()


@requirement("rendering.outdated")
def test_settings_of_rendering_do_not_count_in_the_revision() -> None:
    save(title="Seen", body=f"~~gone~~\n\n{VIDEO}\n\n```mermaid\na\n```", publish=True)
    before, html = Post.objects.get().current_revision_identifier, Post.objects.get().body_html

    changes = {"embeds": ["youtube"], "diagrams": {"mermaid": "a.js"}, "markdown_plugins": [plugin]}
    with override_settings(BLOG_ENGINE=blog_settings(**changes)):
        assert render_posts() == 1

    post = Post.objects.get()
    assert (post.current_revision_identifier, post.body_html != html) == (before, True)


@requirement("rendering.math.tex")
def test_a_formula_is_found_by_its_tex(visitor: Visitor) -> None:
    save(title="Relativity", body="## Why $E = mc^2$\n\nEnergy.\n\n## More\n\nText.\n\n## Last\n\nText.", publish=True)

    page = visitor.page("/relativity")
    assert page.one("nav", data_blog_contents="").all("a")[0].text == "Why E = mc^2"
    assert "E = mc^2" in visitor.get("/relativity?format=md").content.decode()
    assert "Relativity" in visitor.get("/search?q=mc").content.decode()
