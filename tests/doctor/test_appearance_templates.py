from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from pytest_django import Settings

from blog_engine.doctor.appearance import probe_templates
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

PARTS = "".join(
    f'{{% include "blog_engine/{name}.html" %}}' for name in ("_skip_link", "_policy_links", "_theme_switch")
)
BLOCKS = f"{{% block head %}}{{% endblock %}}{PARTS}<main id='blog-main'>{{% block content %}}{{% endblock %}}</main>"


@pytest.fixture
def written(settings: Settings, tmp_path: Path) -> Any:
    """Write templates of the host by name; ``site.html`` becomes the layout."""

    def write(**templates: str) -> None:
        for name, text in templates.items():
            file = tmp_path / f"{name.replace('__', '/')}.html"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        engine = settings.TEMPLATES[0]
        settings.TEMPLATES = [{**engine, "DIRS": [tmp_path, *engine["DIRS"]]}]
        if "site" in templates:
            settings.BLOG_ENGINE = blog_settings(layout="site.html")

    return write


def test_bundled_templates_are_ok() -> None:
    assert verdict_of(probe_templates)[0] == "ok"


@requirement("doctor.templates")
def test_a_host_without_app_directories_finds_no_template(settings: Settings) -> None:
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "APP_DIRS": False}]

    assert_verdict(probe_templates, "error", "blog_engine/post.html")


def test_overridden_templates_are_named(written: Any) -> None:
    written(blog_engine___card="<article></article>")

    message = assert_verdict(probe_templates, "ok", "blog_engine/_card.html")

    assert "blog_engine/_byline.html" not in message


@requirement("doctor.templates.markers")
def test_an_overridden_article_without_markers_is_a_warning(written: Any) -> None:
    written(blog_engine__post="{% extends layout %}{% block content %}<p data-blog-content></p>{% endblock %}")

    message = assert_verdict(probe_templates, "warning", "data-blog-author, data-blog-body, data-blog-correction")

    assert "data-blog-content," not in message


@pytest.mark.parametrize(
    "article",
    [
        '{% extends "blog_engine/post.html" %}{% block blog_after_article %}{% endblock %}',
        '{% extends "blog_engine/post.html" %}{% block blog_article_head %}<h1>x</h1>'
        '{% include "blog_engine/_byline.html" with byline=article.byline %}'
        '{% include "blog_engine/_notices.html" %}{% endblock %}',
    ],
)
def test_an_overridden_article_with_markers_is_ok(written: Any, article: str) -> None:
    # A template that extends its own name needs a loader that skips it, as Django's do.
    written(blog_engine__post=article)

    assert verdict_of(probe_templates)[0] == "ok"


def test_an_overridden_article_that_needs_a_request_is_skipped(written: Any) -> None:
    written(blog_engine__post="{% load blog_engine %}{{ 1|long_date }}")

    assert_verdict(probe_templates, "ok", "blog_engine/post.html could not be rendered without a request")


@requirement("doctor.templates")
def test_a_syntax_error_in_an_overridden_template_is_an_error(written: Any) -> None:
    written(blog_engine___card="{% nothing %}")

    assert_verdict(probe_templates, "error", "blog_engine/_card.html", "nothing")


LAYOUTS = {
    "blocks": BLOCKS,
    "in a block": f'{{% extends "base.html" %}}{{% block page %}}{BLOCKS}{{% endblock %}}',
    "in an if": f'{{% extends "base.html" %}}{{% block page %}}{{% if user %}}{BLOCKS}{{% endif %}}{{% endblock %}}',
    "in a with": f'{{% extends "base.html" %}}{{% block page %}}{{% with x=1 %}}{BLOCKS}{{% endwith %}}'
    "{% endblock %}",
    "of the parent": '{% extends "whole.html" %}{% block content %}<div>{{ block.super }}</div>{% endblock %}',
    "in an inner block": f'{{% extends "middle.html" %}}{{% block inner %}}{{{{ block.super }}}}{BLOCKS}'
    "{% endblock %}",
    "by super": '{% extends "nested.html" %}{% block outer %}{{ block.super }}{% endblock %}',
    "of a variable": "{% extends base %}",
}
"""Layouts of a host that have both blocks."""


@requirement("doctor.templates")
@pytest.mark.parametrize(
    "name",
    [name if name in {"blocks", "by super"} else pytest.param(name, marks=pytest.mark.heavy) for name in LAYOUTS],
)
def test_a_layout_with_both_blocks_is_ok(written: Any, name: str) -> None:
    written(
        site=LAYOUTS[name],
        base="<html>{% block page %}{% endblock %}</html>",
        whole=BLOCKS,
        middle='{% extends "base.html" %}{% block page %}{% block inner %}{% endblock %}{% endblock %}',
        nested=f"{{% block outer %}}{BLOCKS}{{% endblock %}}",
    )

    assert verdict_of(probe_templates)[0] != "error"


def test_a_layout_may_extend_the_one_that_it_replaces(written: Any) -> None:
    written(
        blog_engine__layout='{% extends "blog_engine/layout.html" %}{% block content %}<b>{{ block.super }}</b>'
        "{% endblock %}"
    )

    status, message = verdict_of(probe_templates)

    # Once as what pages extend, once as the host's own.
    assert (status, message.count("blog_engine/layout.html")) == ("ok", 2)


@requirement("doctor.templates")
def test_a_layout_without_a_required_block_is_an_error(written: Any, subtests: pytest.Subtests) -> None:
    for site, missing in [
        ("", ["head", "content"]),
        ("{% block head %}{% endblock %}{% block main %}{% endblock %}", ["content"]),
        (f'{{% extends "base.html" %}}{BLOCKS}', ["head", "content"]),
        ('{% extends "nested.html" %}{% block outer %}{% block head %}{% endblock %}{% endblock %}', ["content"]),
        ('{% include "whole.html" %}', ["head", "content"]),
    ]:
        with subtests.test(site=site, missing=missing):
            written(
                site=site,
                base="<html>{% block page %}{% endblock %}</html>",
                whole=BLOCKS,
                nested=f"{{% block outer %}}{BLOCKS}{{% endblock %}}",
            )

            message = assert_verdict(probe_templates, "error")

            assert [name for name in ("head", "content") if f"'{name}'" in message] == missing


def test_django_renders_the_blocks_that_the_probe_finds(written: Any) -> None:
    written(
        site='{% extends "nested.html" %}{% block outer %}{% block head %}{% endblock %}{% endblock %}',
        nested=f"{{% block outer %}}{BLOCKS}{{% endblock %}}",
        page='{% extends "site.html" %}{% block head %}HEAD{% endblock %}{% block content %}CONTENT{% endblock %}',
    )

    assert engines["django"].get_template("page.html").render() == "HEAD"


@pytest.mark.parametrize(
    ("site", "named"), [("{% nothing %}", "site.html"), ('{% extends "nowhere.html" %}', "nowhere.html")]
)
def test_a_layout_that_cannot_be_loaded_is_an_error(written: Any, site: str, named: str) -> None:
    written(site=site)

    assert_verdict(probe_templates, "error", named)


@requirement("doctor.templates")
def test_a_layout_that_is_not_found_is_an_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(layout="no/such.html")

    assert_verdict(probe_templates, "error", "no/such.html")


def test_a_layout_of_another_engine_is_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "site.txt").write_text("$head $content", "utf-8")
    other = {"BACKEND": "tests.support.hosts.Dollars", "DIRS": [tmp_path], "APP_DIRS": False, "OPTIONS": {}}
    settings.TEMPLATES = [*settings.TEMPLATES, other]
    settings.BLOG_ENGINE = blog_settings(layout="site.txt")

    assert verdict_of(probe_templates)[0] == "error"


LOST = {
    "_skip_link": ("skip link", "<a href='#page'>Skip</a><div id='page'></div>"),
    "_policy_links": ("links to the policies", "<a href='/about/responsible'>Who we are</a>"),
    "_theme_switch": ("theme switch", "<button data-blog-theme-switch></button>"),
}


@requirement("doctor.templates.layout-parts")
@pytest.mark.parametrize("include", LOST)
def test_a_layout_without_a_part_is_a_warning(written: Any, settings: Settings, include: str) -> None:
    what, own = LOST[include]
    without = BLOCKS.replace(f'{{% include "blog_engine/{include}.html" %}}', "")
    written(site=without)
    status, message = verdict_of(probe_templates)

    written(site=without.replace("<main", f"{own}<main"))
    settings.BLOG_ENGINE = blog_settings(layout="site.html", policy_urls={"responsible_party": "/about/responsible"})
    with_its_own = verdict_of(probe_templates)[0]

    assert (status, what in message, f"blog_engine/{include}.html" in message) == ("warning", True, True)
    assert with_its_own == "ok"


@requirement("doctor.templates.layout-parts")
def test_a_blog_of_one_mode_needs_no_theme_switch(written: Any, settings: Settings) -> None:
    written(site=BLOCKS.replace('{% include "blog_engine/_theme_switch.html" %}', ""))
    settings.BLOG_ENGINE = blog_settings(layout="site.html", color_scheme="dark")

    assert verdict_of(probe_templates)[0] == "ok"


@requirement("doctor.templates.layout-parts")
def test_a_skip_link_without_target_does_not_count(written: Any) -> None:
    written(site=BLOCKS.replace("id='blog-main'", ""))

    assert verdict_of(probe_templates)[0] == "warning"


BASE = "<html><head>{% block whole_title %}<title>{% block title %}Site{% endblock %}</title>{% endblock %}"
DOUBLED = {
    "title": f"{BASE}</head>{BLOCKS}",
    "viewport": f"<meta name='Viewport' content='width=device-width'>{BLOCKS}",
    "canonical link": f"<link rel='canonical' href='/'>{BLOCKS}",
}


@requirement("doctor.templates.layout-parts")
def test_an_element_that_pages_have_already_is_an_error(written: Any, subtests: pytest.Subtests) -> None:
    for what in DOUBLED:
        with subtests.test(what=what):
            written(site=DOUBLED[what])

            assert_verdict(probe_templates, "error", f"its own {what}")


@requirement("doctor.templates.layout-parts")
@pytest.mark.parametrize(
    ("emptied", "status"),
    [("{% block whole_title %}{% endblock %}", "ok"), ("{% block title %}{% endblock %}", "error")],
)
def test_a_layout_may_empty_the_title_of_the_base_that_it_extends(written: Any, emptied: str, status: str) -> None:
    written(
        base=f"{BASE}<svg><title>Logo</title></svg>{{% block extra %}}{{% endblock %}}</head>"
        "{% block page %}{% endblock %}</html>",
        site=f'{{% extends "base.html" %}}{emptied}{{% block page %}}{BLOCKS}{{% endblock %}}',
    )

    assert verdict_of(probe_templates)[0] == status


@requirement("doctor.templates.layout-parts")
def test_a_layout_that_needs_a_request_is_skipped(written: Any) -> None:
    written(site=f"{{% for one in 5 %}}{{% endfor %}}{BLOCKS}")

    assert_verdict(probe_templates, "ok", "TypeError")
