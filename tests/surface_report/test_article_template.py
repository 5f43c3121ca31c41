"""The markers of the article template."""

import re
from pathlib import Path

from django.template import engines
from django.template.loader import get_template

from blog_engine.surface_report.article_template import ADDED, ARTICLE_TEMPLATE, REQUIRED, missing_markers

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "markers.md"


def test_the_engines_own_template_has_every_marker() -> None:
    assert missing_markers(get_template(ARTICLE_TEMPLATE)) == []


def test_markers_are_missing_where_a_part_is_written_without_them() -> None:
    template = engines["django"].from_string(
        '{% extends "blog_engine/post.html" %}{% block blog_body %}{{ article.body }}{% endblock %}'
    )

    assert missing_markers(template) == ["data-blog-body"]


def test_every_marker_is_documented() -> None:
    documented = set(re.findall(r"^\| `([\w-]+)`", DOCUMENT.read_text("utf-8"), re.MULTILINE))

    assert documented == REQUIRED | ADDED | {"data-blog-card"}
