"""The templates: what each is given, and what a host can override."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.template.base import Lexer, TokenType
from django.test import override_settings
from reference_pages import templates
from reference_pages.template_words import INCLUDES

import blog_engine
from blog_engine.models import Revision
from blog_engine.templatetags import blog_engine as library
from tests.reader.conftest import preview_path
from tests.reader.test_policy import write as write_policy
from tests.requirements import requirement
from tests.support.blogs import make_blog
from tests.support.factories import save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, text_of

TEMPLATES = {
    path.name: path.read_text("utf-8")
    for path in (Path(blog_engine.__file__).parent / "templates" / "blog_engine").rglob("*.html")
}
BLOCKS = {name: re.findall(r"\{% block (blog_\w+) %\}", text) for name, text in TEMPLATES.items()}
_ON_NO_PAGE = {"out_of_reach.html", "_latest_posts.html", "delete_taxonomy.html"}
"""Parts of no page of a blog that runs: of the page without a database, of a host's own pages, of the admin."""
PAGES = [name for name, blocks in BLOCKS.items() if blocks]


def with_templates(texts: dict[str, str]) -> Any:
    """Return ``TEMPLATES`` with templates of the host that come first."""
    engine = settings.TEMPLATES[0]
    loaders = [
        ("django.template.loaders.locmem.Loader", {f"blog_engine/{name}": text for name, text in texts.items()}),
        "django.template.loaders.filesystem.Loader",
        "django.template.loaders.app_directories.Loader",
    ]
    return override_settings(
        TEMPLATES=[{**engine, "APP_DIRS": False, "OPTIONS": {**engine["OPTIONS"], "loaders": loaders}}]
    )


def marks_on_all_pages(visitor: Visitor) -> set[str]:
    """Return the texts of ``[host: …]`` on all pages of a blog with every feature."""
    pages = [text_of(visitor.get(path)) for path in make_blog().values()]
    return {mark for page in pages for mark in re.findall(r"\[host: ([^\]]+)\]", page)}


@pytest.mark.heavy
@requirement("pages.templates")
@override_settings(
    BLOG_ENGINE=blog_settings(
        card_art="drawing", brand={"logo_url": "/logo.svg", "social_links": ["https://github.com/example"]}
    )
)
def test_every_template_can_be_overridden(visitor: Visitor) -> None:
    parts = {name: text for name, text in TEMPLATES.items() if name not in {*PAGES, "preview.html", *_ON_NO_PAGE}}

    with with_templates({name: f"[host: {name}]{text}" for name, text in parts.items()}):
        assert marks_on_all_pages(visitor) == set(parts)


@pytest.mark.heavy
@requirement("pages.templates")
@override_settings(BLOG_ENGINE=blog_settings(public_history="full"))
def test_every_block_can_be_overridden(visitor: Visitor) -> None:
    def filled(name: str) -> str:
        blocks = (
            f"{{% block {block} %}}[host: {name} {block}]{{{{ block.super }}}}{{% endblock %}}"
            for block in BLOCKS[name]
        )
        return f'{{% extends "blog_engine/{name}" %}}{"".join(blocks)}'

    with with_templates({name: filled(name) for name in PAGES}):
        shown = marks_on_all_pages(visitor)

    assert shown == {f"{name} {block}" for name in PAGES for block in BLOCKS[name]}


PAGE = templates.write()


def listed(heading: str) -> set[str]:
    """Return the names in the table below a heading of the reference."""
    section = PAGE.partition(f" {heading}\n")[2].partition("\n#")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def given(response: Any) -> tuple[str, set[str]]:
    """Return the template that was rendered first and the names that it was given."""
    return response.templates[0].name.removeprefix("blog_engine/"), set(response.context[0].dicts[-1])


def test_every_include_is_documented() -> None:
    assert sorted(INCLUDES) == sorted(TEMPLATES.keys() - templates.USED_FOR.keys())


def test_every_template_is_on_the_page() -> None:
    listed_ones = set(re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE))

    assert set(TEMPLATES) - listed_ones == set()


@pytest.mark.parametrize("name", sorted(name for name in INCLUDES if name.startswith("_")))
def test_what_an_include_reads_is_documented(name: str) -> None:
    _, reads = INCLUDES[name]

    assert set(re.findall(r"`(\w+)`", reads)) == names_read(name)


_NO_NAMES = re.compile(r"\b(?:and|or|not|is|in|with|as|count|context|None|True|False)\b|'[^']*'|\"[^\"]*\"|\|\w+|\w+=")


def names_read(name: str) -> set[str]:
    """Return the names that a template and what it includes read from the page."""
    read, bound = set[str](), {"forloop"}
    for token in Lexer(TEMPLATES[name]).tokenize():
        tag, _, text = token.contents.partition(" ")
        if token.token_type is TokenType.VAR:
            text = token.contents
        elif token.token_type is not TokenType.BLOCK or tag not in {"if", "elif", "for", "include", "part", *_BINDING}:
            continue
        given = set(re.findall(r"(\w+)=", text))
        if tag == "for":
            bound |= set(re.findall(r"\w+", text.partition(" in ")[0]))
        elif tag in _BINDING:
            bound |= given
        elif tag in {"include", "part"}:
            read |= names_read(text.split()[0].strip('"').removeprefix("blog_engine/")) - given
        read |= set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", _NO_NAMES.sub(" ", text)))
    return read - bound


_BINDING = {"with", "blocktranslate"}


def test_every_tag_and_filter_is_on_the_page() -> None:
    assert [name for name in [*library.register.tags, *library.register.filters] if f"`{name}`" not in PAGE] == []


def test_every_type_that_a_template_is_given_has_a_section() -> None:
    contexts = [templates.EVERY_PAGE, *templates.CONTEXTS.values(), templates.OUTAGE]
    named = {word for context in contexts for text in context.values() for word in re.findall(r"\b[A-Z]\w+", text)}

    assert len(named) > 10
    assert [word for word in sorted(named - {"None"}) if f"\n### {word}\n" not in PAGE] == []


def test_every_field_has_a_type_and_a_meaning() -> None:
    objects = PAGE.partition("\n## Objects\n")[2]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| ?(.*?) ?\|$", objects, re.MULTILINE)

    assert len(rows) > 100
    assert "| Field | Is |\n" not in objects
    assert [name for name, kind, meaning in rows if not meaning or kind in {"object", "list of object"}] == []


@override_settings(BLOG_ENGINE=blog_settings(public_history="full"))
def test_the_context_of_a_page_is_documented(visitor: Visitor, subtests: pytest.Subtests) -> None:
    post = save(title="Soil", category="Garden", publish=True).post
    update(post, body="Sand.", change="substantive")
    old, new = Revision.objects.order_by("pk").values_list("identifier", flat=True)
    write_policy()

    for path, template, absent in [
        ("/", "index.html", set()),
        ("/category/garden", "list.html", {"profile"}),
        ("/author/ada-example", "list.html", {"sidebar"}),
        ("/archive", "archive.html", set()),
        ("/archive/2026/11", "archive.html", set()),
        ("/tag", "directory.html", set()),
        ("/subscribe", "subscribe.html", set()),
        ("/search?q=soil", "search.html", set()),
        ("/soil", "post.html", set()),
        ("/policies/ai-use", "policy.html", set()),
        ("/soil/history", "history.html", set()),
        (f"/soil/history/{old}", "history_version.html", set()),
        (f"/soil/history/{old}/{new}", "history_changes.html", set()),
        ("/no-such-page", "error.html", set()),
    ]:
        with subtests.test(path=path, template=template, absent=absent):
            response = visitor.get(path)

            assert given(response) == (template, (listed("What every page is given") | listed(template)) - absent)


def test_the_context_of_a_preview_is_documented(visitor: Visitor) -> None:
    path = preview_path(save(title="Soil").post)

    response = visitor.get(path)

    assert given(response) == ("preview.html", listed("What every page is given") | listed("preview.html"))


def test_the_context_of_the_outage_page_is_documented(visitor: Visitor) -> None:
    def fail(*arguments: Any) -> None:
        raise OperationalError("the connection was closed")

    with connection.execute_wrapper(fail):
        response = visitor.get("/")

    assert given(response) == ("out_of_reach.html", listed("out_of_reach.html"))
