"""Programs of others read articles, histories and feeds: Readability, extruct and feedparser."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.services import render_posts
from tests.reader.conftest import write_policy
from tests.requirements import requirement
from tests.support.factories import LATER, approve, save, store_image, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, text_of
from tests.support.programs import environment, output_of, reading_programs

pytestmark = [pytest.mark.django_db, pytest.mark.heavy, pytest.mark.reading]

TEXT = "The gauge at the steps is the one that counts, because it measures the level and not the weather. " * 8
NOTE = "An earlier version said 11 arches."
SITE = "https://example.com"


@pytest.fixture
def pages(visitor: Visitor, storage: object) -> dict[str, dict[str, str]]:
    """An article that AI helped with, checked and corrected, its history and its feed."""
    image = store_image(filename="quay.png", digital_source_type="trainedAlgorithmicMedia", credit="Ann Lee")
    own = {"public_history": "full", "feed_content": "full", "policy_urls": {"responsible_party": "/about"}}
    with override_settings(BLOG_ENGINE=blog_settings(**own)):
        write_policy(kind="corrections", body="We correct what was wrong.")
        body = f"{TEXT}\n\n![A quay]({image.url})\n\n{TEXT}"
        post = save(title="Soil", body=body, provenance="ai_assisted", publish=True).post
        post = update(post, body=f"{body}\n\n{TEXT}", change="correction", note=NOTE).post
        approve(post, now=LATER)
        render_posts()
        paths = {"article": "/soil", "history": "/soil/history", "feed": "/feed.xml"}
        return {name: {"url": f"{SITE}/blog{path}", "body": text_of(visitor.get(path))} for name, path in paths.items()}


def read(program: str, pages: dict[str, dict[str, str]], folder: Path) -> Any:
    """Return what a program of this folder finds in pages."""
    (folder / "pages.json").write_text(json.dumps(pages), "utf-8")
    command = ["node" if program.endswith(".mjs") else sys.executable, str(Path(__file__).parent / program)]
    own = environment({"READING_PROGRAMS": str(reading_programs())})
    return json.loads(output_of([*command, str(folder / "pages.json")], env=own))


@requirement("public-history.page", "images.notes")
def test_the_reading_mode_shows_article_and_history(pages: dict[str, dict[str, str]], tmp_path: Path) -> None:
    found = read("reading.mjs", {name: pages[name] for name in ("article", "history")}, tmp_path)

    article, history = found["article"], found["history"]
    assert (article["isReaderable"], article["title"], article["lang"]) == (True, "Soil", "en")
    assert article["byline"] == "Ada Example"
    for words in (TEXT.strip(), "Image made with AI", "Ann Lee", NOTE):
        assert words in article["text"]
    assert history["isReaderable"]
    assert history["excerpt"] in history["text"]
    assert NOTE in history["text"]
    assert history["title"].startswith("How this article was made: Soil")


@requirement("pages.structured-data.corrections", "feeds.corrections")
def test_structured_data_and_feeds_are_understood(pages: dict[str, dict[str, str]], tmp_path: Path) -> None:
    found = read("reading.py", pages, tmp_path)

    [article] = [one for one in _nodes(found["article"]) if one["@type"] == "BlogPosting"]
    assert (article["headline"], [one["text"] for one in article["correction"]]) == ("Soil", [NOTE])
    assert {one["@type"] for one in _nodes(found["history"])} == {"WebPage", "BreadcrumbList"}
    [entry] = found["feed"]["entries"]
    assert (found["feed"]["fault"], found["feed"]["version"], entry["title"]) == (False, "atom10", "Soil")


def _nodes(page: Any) -> list[Any]:
    return [node for one in page["json-ld"] for node in one.get("@graph", [one])]
