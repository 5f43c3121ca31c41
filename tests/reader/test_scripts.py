"""Scripts that only some bodies need, and what makes a stored rendering outdated."""

from typing import Any

import pytest
from django.test import override_settings
from markdown_it import MarkdownIt

from blog_engine.queries.rendering import rendering_key
from tests.reader.test_policy import write
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor

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
@pytest.mark.parametrize(
    ("body", "scripts"),
    [
        ("Text", []),
        (VIDEO, ["/static/blog_engine/embeds.js"]),
        (DIAGRAM, ["/static/site/mermaid.js"]),
        (f"{DIAGRAM}\n\n{VIDEO}\n\n{VIDEO}", ["/static/blog_engine/embeds.js", "/static/site/mermaid.js"]),
        ('```html\n<figure class="blog-embed"><figure class="blog-diagram" data-blog-diagram="dot">\n```', []),
    ],
    ids=["text", "video", "diagram", "both", "code"],
)
def test_a_page_loads_the_scripts_of_its_body(visitor: Visitor, body: str, scripts: list[str]) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(**OF_THE_HOST)):
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
    assert visitor.page("/seen").one("div", data_blog_body="").one("del").text == "gone"

    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[plugin])):
        assert visitor.page("/seen").one("div", data_blog_body="").text.strip() == "~~gone~~"


@requirement("rendering.math.tex")
def test_a_formula_is_found_by_its_tex(visitor: Visitor) -> None:
    save(title="Relativity", body="## Why $E = mc^2$\n\nEnergy.\n\n## More\n\nText.\n\n## Last\n\nText.", publish=True)

    page = visitor.page("/relativity")
    assert page.one("nav", data_blog_contents="").all("a")[0].text == "Why E = mc^2"
    assert "E = mc^2" in visitor.get("/relativity?format=markdown").content.decode()
    assert "Relativity" in visitor.get("/search?q=mc").content.decode()
