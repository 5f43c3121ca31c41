# ruff: noqa: RUF001 - texts in several scripts
"""Programs of others read articles, histories, heads and feeds: nine of npm and four of PyPI."""

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
from tests.support.images import encoded, halves
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


SENTENCES = {
    "line": "Only one line is here.",
    "words": "Two words.",
    "paragraph": TEXT[:290],
    "long": f"{TEXT}\n\n## Tides\n\n{TEXT}",
    "hebrew": "זה משפט בעברית שאומר דבר מה. " * 8,
    "arabic": "هذه جملة عربية تقول شيئًا ما. " * 8,
    "hindi": "यह एक वाक्य है जो कुछ कहता है। " * 8,
    "chinese": "这是一个句子，说明一些事情。" * 12,
    "japanese": "これは何かを言う文です。" * 30,
    "korean": "이것은 무엇인가를 말하는 문장입니다. " * 8,
    "thai": "นี่คือประโยคที่บอกอะไรบางอย่าง " * 8,
}
"""Bodies whose words are in the other articles only as far as related posts quote them."""


@pytest.fixture
def articles(visitor: Visitor, storage: object) -> dict[str, dict[str, str]]:
    """Articles of every length and script, each of which has the others as related posts, and one of pictures."""
    image = store_image(encoded(halves(size=(1600, 900)), "PNG"), filename="quay.png")
    bodies = {name: f"Kept {name}. {text}" for name, text in SENTENCES.items()}
    bodies["pictures"] = "\n\n".join(f"![Quay {number}]({image.url})" for number in range(5))
    for name, body in bodies.items():
        save(title=f"Title of {name}", slug=name, body=body, author="Mina Holt", coauthors=["Ben Ray"], publish=True)
    return {name: {"url": f"{SITE}/blog/{name}", "body": text_of(visitor.get(f"/{name}"))} for name in bodies}


@requirement("pages.reader-modes")
def test_reading_modes_give_the_article_and_no_other(articles: dict[str, dict[str, str]], tmp_path: Path) -> None:
    found, extracted = read("reading.mjs", articles, tmp_path), read("reading.py", articles, tmp_path)

    for name in articles:
        others = [f"Kept {other}" for other in SENTENCES if other != name] + ["Related posts"]
        for program in (found[name], found[name]["defuddle"], extracted[name]):
            text = program["text"]
            if name in SENTENCES:
                own = f"Kept {name}. {SENTENCES[name]}".replace("## ", "")
                assert " ".join(own.split())[:60] in text, name
                assert " ".join(own.split())[-20:] in text, name
            assert not [words for words in others if words in text], name
        assert found[name]["byline"] == found[name]["defuddle"]["author"] == "Mina Holt, Ben Ray"
        assert extracted[name]["facts"]["author"] == "Mina Holt; Ben Ray"
        assert extracted[name]["facts"]["title"] == f"Title of {name}"
        if name == "pictures":
            # Firefox offers its reading mode for no page of pictures alone.
            assert (found[name]["isReaderable"], found[name]["defuddle"]["pictures"]) == (False, 5)


@requirement("feeds.coauthors", "feeds.head")
def test_feed_parsers_agree_on_a_full_feed(visitor: Visitor, storage: object, tmp_path: Path) -> None:
    image = store_image(filename="quay.png")
    faq = [{"question": "Why two?", "answer": "One is not enough."}]
    with override_settings(BLOG_ENGINE=blog_settings(feed_content="full", blog_tagline="On water")):
        first = save(title="Soil & <sand>", body=TEXT, author="Mina Holt", coauthors=["Ben Ray"], faq=faq, publish=True)
        update(first.post, body=f"{TEXT}\n\n![A quay]({image.url})", change="correction", note=NOTE)
        save(title="渡し船", slug="ferry", body="これは文です。", language="ja", author="Ada Example", publish=True)
        feeds = {name: {"url": "", "body": visitor.get(f"/feed.{form}").content.decode()} for name, form in FORMS}
        found = read("reading_feeds.mjs", feeds, tmp_path)

    assert len(found) == 6
    for program, one in found.items():
        assert OF_THE_BLOG | one["feed"] == OF_THE_BLOG, program
        soil, ferry = sorted(one["entries"], key=lambda entry: entry["link"], reverse=True)
        assert (ferry["title"], ferry["link"]) == ("渡し船", f"{SITE}/blog/ferry")
        assert (soil["title"], soil["link"]) == ("Soil & <sand>", f"{SITE}/blog/soil-sand")
        assert soil["id"].startswith("tag:example.com,")
        assert soil.get("published", PUBLISHED) == PUBLISHED, program
        assert soil.get("authors", ["Mina Holt", "Ben Ray"]) == ["Mina Holt", "Ben Ray"]
        for words in (TEXT[:90], "Why two?", NOTE):
            assert words in soil["text"], program


PUBLISHED = "2026-11-21T12:00:00.000Z"
FORMS = (("atom", "xml"), ("json", "json"))
OF_THE_BLOG = {"title": "Blog", "link": f"{SITE}/blog/", "description": "On water"}


@requirement("pages.head.sharing", "pages.head.topics")
def test_previews_of_links_have_title_author_date_and_picture(
    articles: dict[str, dict[str, str]], visitor: Visitor, tmp_path: Path
) -> None:
    for page, path in (("index", "/"), ("author", "/author/ben-ray")):
        articles[page] = {"url": f"{SITE}/blog{path}", "body": text_of(visitor.get(path))}

    found = read("reading_heads.mjs", articles, tmp_path)

    for name in articles.keys() - {"index", "author"}:
        graph, scraped = found[name]["openGraph"], found[name]["metascraper"]
        assert graph["ogTitle"] == scraped["title"] == f"Title of {name}"
        assert (graph["ogType"], graph["ogUrl"]) == ("article", f"{SITE}/blog/{name}")
        assert scraped["author"] == "Mina Holt"
        assert scraped["image"] == graph["ogImage"][0]["url"]
        assert graph["ogImage"][0]["type"] in {"image/png", "image/jpeg"}
        assert graph["articlePublishedTime"].startswith("2026-11-21T12:00:00")
        assert graph["ogDescription"] == scraped["description"]
    assert [found[page]["openGraph"]["ogType"] for page in ("index", "author")] == ["website", "website"]
