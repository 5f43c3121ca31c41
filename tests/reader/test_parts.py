"""Parts of pages that are remembered by everything that they show."""

import re
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.template import Context, Engine
from django.template.base import Lexer, TokenType
from django.test import override_settings
from django.utils import timezone

from blog_engine.blog_urls import BlogURLs
from blog_engine.models import Post
from blog_engine.reader import parts
from blog_engine.reader.blog import describe_blog
from tests.support.factories import LATER, edit_author, edit_category, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

TEMPLATES = Path(parts.__file__).parents[1] / "templates"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    parts._remembered().clear()


@pytest.fixture
def post() -> Post:
    return save(title="Clay", category="Soil", description="What clay holds.", publish=True).post


def shown(visitor: Visitor, path: str = "/") -> str:
    return visitor.get(path).content.decode()


_NO_VARIABLES = re.compile(r"\b(?:and|or|not|is|in|with|as|count|context|None|True|False)\b|'[^']*'|\"[^\"]*\"|\|\w+")
_TAGS = {"if", "elif", "for", "include", "part", "blocktranslate"}


def variables_in(name: str) -> set[str]:
    """Return the variables that a part and what it includes read from the page, with at most two of their names."""
    read, bound, given = set[str](), {"forloop"}, dict[str, list[set[str]]]()
    for one in (name, *parts.INCLUDES.get(name, ())):
        for token in Lexer((TEMPLATES / one).read_text("utf-8")).tokenize():
            tag, _, text = token.contents.partition(" ")
            if token.token_type is TokenType.VAR:
                text = token.contents
            elif token.token_type is not TokenType.BLOCK or tag not in _TAGS:
                continue
            elif tag == "for":
                bound |= set(re.findall(r"\w+", text.partition(" in ")[0]))
            elif tag in {"include", "part"}:
                given.setdefault(text.split()[0], []).append(set(re.findall(r"(\w+)=", text)))
            elif tag == "blocktranslate":
                bound |= set(re.findall(r"(\w+)=", text))
            words = re.findall(r"[A-Za-z_][\w.]*", re.sub(r"\w+=", " ", _NO_VARIABLES.sub(" ", text)))
            read |= {".".join(word.split(".")[:2]) for word in words}
    # What every include of a template sets is not read from the page.
    bound |= {variable for names in given.values() for variable in set.intersection(*names)}
    return {one for one in read if one.partition(".")[0] not in bound}


def covers(allowed: set[str], read: str) -> bool:
    # Without an article or a policy, its scripts are ``None``.
    return read in allowed or read.partition(".")[0] in allowed or f"{read}.scripts" in allowed


@pytest.mark.parametrize("name", parts.PARTS)
def test_a_part_reads_only_what_its_key_holds(name: str) -> None:
    allowed = {*parts.PARTS[name], *parts.OF_SETTINGS}

    assert {one for one in variables_in(name) if not covers(allowed, one)} == set()


def test_the_variables_of_a_card_are_found() -> None:
    assert {"card.cover", "card.path", "card.title", "is_featured", "is_eager", "blog.card_art"} <= variables_in(
        "blog_engine/_card.html"
    )


@pytest.mark.parametrize("name", parts.PARTS)
def test_what_a_part_includes_is_known(name: str) -> None:
    included = re.findall(r'{% (?:include|part) "([^"]+)"', (TEMPLATES / name).read_text("utf-8"))

    assert set(included) <= set(parts.INCLUDES.get(name, ()))


def test_a_remembered_page_equals_the_first_one(visitor: Visitor, post: Post, subtests: pytest.Subtests) -> None:
    save(title="Loam", slug="loam", category="Soil", featured=True, publish=True)

    for path in ["/", "/category/soil", "/author/ada-example", "/clay", "/none", "/search?q=clay"]:
        with subtests.test(path=path), undone():
            first = shown(visitor, path)
            assert parts._remembered()

            assert shown(visitor, path) == first


def test_each_change_of_what_a_card_shows_is_shown(visitor: Visitor, post: Post) -> None:
    assert "Clay</a>" in shown(visitor)

    update(post, title="Marl", change="substantive")
    assert "Marl</a>" in shown(visitor)

    assert post.category is not None
    edit_category(post.category_id, name="Ground")
    assert ">Ground</bdi>" in shown(visitor)

    edit_author(post.author_id, slug="ines")
    assert '/author/ines"' in shown(visitor)


def test_a_date_appears_when_its_moment_comes(visitor: Visitor, post: Post) -> None:
    update(post, title="Marl", change="substantive", now=LATER)
    with time_machine.travel(post.created_at, tick=False):
        assert "data-blog-updated" not in shown(visitor, "/clay")

    with time_machine.travel(LATER, tick=False):
        assert "data-blog-updated" in shown(visitor, "/clay")


def test_the_time_zone_and_the_settings_are_inputs(visitor: Visitor, post: Post) -> None:
    first = shown(visitor)

    with timezone.override("Pacific/Kiritimati"):
        assert "+14:00" in shown(visitor)
    with override_settings(BLOG_ENGINE=blog_settings(card_art="quiet")):
        assert "blog-art--quiet" in shown(visitor)
    with override_settings(LANGUAGE_CODE="de"):
        assert ">21.11.2026</time>" in shown(visitor)
    assert shown(visitor) == first


def test_a_template_of_the_host_is_rendered_each_time(
    visitor: Visitor, post: Post, tmp_path: Path, settings: Any
) -> None:
    folder = tmp_path / "blog_engine"
    folder.mkdir()
    (folder / "_card_meta.html").write_text("{{ request.path }}: {{ byline.author.name }}", "utf-8")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]

    assert "/blog/: Ada Example" in shown(visitor)
    assert "/blog/category/soil: Ada Example" in shown(visitor, "/category/soil")


def test_a_process_remembers_so_many_parts(visitor: Visitor, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MOST", 4)

    shown(visitor)
    shown(visitor, "/clay")

    assert len(parts._remembered()) == 4


def test_values_that_cannot_be_compared_are_rendered_each_time() -> None:
    template = Engine.get_default().from_string('{% load blog_engine %}{% part "blog_engine/_pagination.html" %}')
    link = {"number": 1, "path": "/blog/", "is_current": True}
    blog = describe_blog(BlogURLs.on("https://example.com"), now=timezone.now())

    assert ">1</span>" in template.render(Context({"blog": blog, "pages": [link]}))
    assert parts._remembered() == {}


@pytest.mark.parametrize("context", [{}, {"blog": {"site_name": "Harbour"}}, {"blog": None}])
@pytest.mark.parametrize("name", ["_icons", "_logo", "_policy_links", "_skip_link", "_social_links", "_theme_switch"])
def test_a_part_is_rendered_without_a_page(name: str, context: dict[str, Any]) -> None:
    """The doctor renders layouts of hosts so, and pages of other apps may."""
    template = Engine.get_default().from_string(f'{{% load blog_engine %}}{{% part "blog_engine/{name}.html" %}}|end')

    assert template.render(Context(context)).endswith("|end")


def test_searches_share_a_sidebar_but_not_their_words(visitor: Visitor, post: Post) -> None:
    first, second = shown(visitor, "/search?q=clay"), shown(visitor, "/search?q=loam")

    assert len([key for key in parts._remembered() if "blog_engine/_sidebar.html" in key]) == 1
    assert 'value="clay"' in first
    assert 'value="loam"' in second
    assert 'value="clay"' not in second
