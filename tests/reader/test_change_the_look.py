"""``docs/how-to/change-the-look.md``: its worked example works, and its names exist."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

import blog_engine
from blog_engine.doctor.appearance import probe_templates
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, text_of
from tests.support.tables import verdict_of

DOCS = Path(blog_engine.__file__).parent.parent / "docs"
GUIDE = (DOCS / "how-to" / "change-the-look.md").read_text("utf-8")
TUTORIAL = (DOCS / "tutorial" / "first-week.md").read_text("utf-8")
_FILE = re.compile(r"```\w+\n(?:# |\{# |/\* )(?P<path>[\w/.]+)(?: #\}| \*/)?\n(?P<text>.*?)```", re.DOTALL)


def files_of_the_example() -> dict[str, str]:
    """Return the files of the example by path."""
    example = GUIDE.partition("## A worked example\n")[2].partition("\n## ")[0]
    return {found["path"]: found["text"] for found in _FILE.finditer(example)}


@pytest.fixture
def files(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Install the files of the example on the site of the tests."""
    files = files_of_the_example()
    for path, text in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    names: dict[str, Any] = {}
    for module in ("mysite/settings.py", "mysite/blog.py"):
        exec(compile(files[module], module, "exec"), names)  # noqa: S102 - our own documentation
    engine = settings.TEMPLATES[0]
    # Routes are built once per process, so other segments are tested in test_lists.py.
    changed = {k: v for k, v in names["BLOG_ENGINE"].items() if k != "route_segments"}
    with override_settings(
        BLOG_ENGINE=changed | {"parent_controller": names["MembersRead"]},
        TEMPLATES=[{**engine, "DIRS": [tmp_path / "templates", *engine["DIRS"]]}],
        LOGIN_URL="/enter",
    ):
        yield files


def test_the_example_is_complete() -> None:
    assert list(files_of_the_example()) == [
        "mysite/settings.py",
        "templates/harbour/base.html",
        "templates/blog_engine/post.html",
        "static/harbour/letters.css",
        "mysite/blog.py",
    ]


@requirement("pages.templates", "pages.parent-class", "pages.layout")
def test_the_example_works(visitor: Visitor, files: dict[str, str]) -> None:
    save(title="Night ferry", publish=True)
    assert visitor.get("/night-ferry").url == "/enter?next=/blog/night-ferry"
    assert visitor.get("/feed.xml").status_code == 302
    visitor.client.force_login(User.objects.create_user("ines"))

    page = visitor.page("/night-ferry")

    assert page.one("header", class_="harbour").text.startswith("Harbour Post · high water at 06:40")
    assert verdict_of(probe_templates)[0] == "ok"
    assert page.one("footer", class_="harbour").one("a").attrs["href"] == "/blog/feed.xml"
    assert page.has("p", class_="harbour-letters")
    assert page.has("footer", class_="blog-after")
    sheets = [link.attrs["href"] for link in page.all("link", rel="stylesheet")]
    assert sheets[-1] == "/static/harbour/letters.css"
    assert "#0b4a8f" in text_of(visitor.client.get(next(sheet for sheet in sheets if "/theme-" in sheet)))
    assert visitor.page("/").one("h1").text == "Log book"


@requirement("pages.layout", "doctor.templates.layout-parts")
def test_the_layout_that_extends_a_sites_own_base_has_each_element_once(visitor: Visitor, tmp_path: Path) -> None:
    shown = dict(re.findall(r"```html\n\{# templates/(\w+\.html) #\}\n(.*?)```", TUTORIAL, re.DOTALL))
    for name, text in shown.items():
        of_the_site = '{% block page_head %}<link rel="canonical" href="{{ canonical }}">'
        (tmp_path / name).write_text(text.replace("{% block page_head %}\n", of_the_site), "utf-8")
    save(title="Night ferry", publish=True)
    engine = settings.TEMPLATES[0]

    with override_settings(
        BLOG_ENGINE=blog_settings(layout="blog_base.html"),
        TEMPLATES=[{**engine, "DIRS": [tmp_path, *engine["DIRS"]]}],
    ):
        status, message = verdict_of(probe_templates)
        page = visitor.page("/night-ferry")

    assert set(shown) == {"base.html", "blog_base.html"}
    assert status == "ok", message
    assert page.one("title").text == "Night ferry — The Example Journal"
    assert page.one("meta", name="viewport").attrs["content"] == "width=device-width, initial-scale=1"
    assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/night-ferry"
    assert page.one("a", class_="blog-skip").attrs["href"] == f"#{page.one('main').attrs['id']}"


def test_its_properties_are_those_of_the_theme(files: dict[str, str]) -> None:
    theme = (Path(blog_engine.__file__).parent / "static/blog_engine/theme.css").read_text("utf-8")

    for name in re.findall(r"--blog-[a-z0-9-]+", files["static/harbour/letters.css"]):
        assert f"{name}:" in theme


def test_the_properties_are_those_of_the_theme() -> None:
    theme = (Path(blog_engine.__file__).parent / "static" / "blog_engine" / "theme.css").read_text("utf-8")
    defined = set(re.findall(r"^\s*(--blog-[a-z0-9-]+):", theme, re.MULTILINE))
    named = set(re.findall(r"--blog-[a-z0-9-]+", GUIDE))

    assert named
    assert named - defined == set()
