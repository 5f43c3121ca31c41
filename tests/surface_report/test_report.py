"""A report as a whole: sound articles pass wherever they are, and no page is too broken."""

import json
from functools import partial
from typing import Any, Final

import pytest
from django.test import override_settings

from blog_engine.enums import ReportResult, ReportScope
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage, SaveRedirect
from blog_engine.models import Post
from blog_engine.services import add_redirect, save_page
from blog_engine.surface_report import site as sites
from blog_engine.surface_report import web
from blog_engine.surface_report.byline import judge_corrections, judge_modified_date
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.report import PAGE_PREDICATES, judge_page, make_report
from blog_engine.surface_report.site import ArticlePredicate
from tests.reader.test_templates import with_templates
from tests.requirements import requirement
from tests.support.blogs import FAQ
from tests.support.databases import replayed
from tests.support.factories import EDITOR, NOW, publish, store_image, update
from tests.support.hosts import PLACES, at, blog_settings
from tests.support.images import plain
from tests.surface_report.conftest import BASE, TODAY, StagedWeb, article, look, look_at_page, look_at_status, save

pytestmark = pytest.mark.django_db

PREDICATES: Final[dict[str, ArticlePredicate]] = {
    **{name: partial(judge_page, name) for name in PAGE_PREDICATES},
    "E6": judge_modified_date,
    "E7": judge_corrections,
}
TEXT = "## One\n\nText.\n\n### Two\n\n#### Three\n\n> #### Four\n\n## Five\n\n![A wall](/blog/media/{image}/quay.png)"
GARBAGE = {
    "nothing": "",
    "no HTML": "\x00\x01\x02 \ud800 <<<>>> &#xD800; &#x110000; ]]>",
    "deep": "<div>" * 5000 + "<h1>" * 5000 + "<article data-blog-content>" * 500,
    "values of no sense": (
        '<html lang><title></title><base href="http://[::1"><link rel=canonical><meta name=description>'
        '<meta name=viewport content="width"><meta property="og:title"><body><article data-blog-content>'
        '<p data-blog-author><a href="http://[">Ada</a></p>'
        '<time datetime="9999-12-31T23:59:59-23:59">x</time><time datetime="">x</time>'
        '<h3 role="heading" aria-level="99999999999999999999">x</h3><img>'
    ),
    "JSON of other kinds": "".join(
        f'<script type="application/ld+json">{text}</script>'
        for text in (
            *("{", "[]", "null", "1", '"BlogPosting"', "[[[]]]", "[" * 9000, '{"@graph": {"@graph": 1}}', "9" * 5000),
            '{"@type": {"BlogPosting": 1}, "@id": {}, "mainEntity": [1, null, {"@type": [{}, null]}]}',
            '{"@type": "BlogPosting", "headline": 1, "author": [1, {"@id": [], "name": {}}], "datePublished": []}',
            '{"@type": ["BlogPosting", 1], "headline": "\\ud800", "author": {"@id": "\\ud800", "name": "\\ud800"}, '
            '"datePublished": "\\ud800", "dateModified": "9999-12-31T23:59:59-23:00", "image": [[], {"url": {}}]}',
        )
    ),
}


@replayed
def make_sound(**fields: Any) -> Post:
    """A public article with everything that these checks look at, corrected since, with another beside it."""
    image = store_image(plain(size=(1600, 900)), filename="quay.png")
    save(title="Stone", description="What lies.", category="Garden", publish=True)
    post = save(
        title="Soil & <stone>",
        description="What grows.",
        body=TEXT.replace("{image}", image.sha256),
        category="Garden",
        series="Ground",
        faq=FAQ,
        cover_image={"image_id": image.pk},
        cover_alt="A wall",
        publish=True,
        **fields,
    ).post
    return update(
        post, body=TEXT.replace("{image}", image.sha256) + "\n", change="correction", note="It was\n<clay>."
    ).post


def results(post: Post) -> dict[str, ReportResult]:
    return {name: look(check, post).result for name, check in PREDICATES.items()}


ALL_PASS: Final = dict.fromkeys(PREDICATES, ReportResult.PASS)


@requirement("surface-report.e1", "surface-report.e3", "surface-report.e5", "surface-report.e6", "surface-report.e7")
@requirement(
    "surface-report.t3",
    "surface-report.t7",
    "surface-report.t8",
    "surface-report.t9",
    "surface-report.t10",
    "surface-report.t11",
)
@requirement(
    "surface-report.t12", "surface-report.t13", "surface-report.t15", "surface-report.t16", "surface-report.t17"
)
def test_a_sound_article_passes_every_check() -> None:
    assert results(make_sound()) == ALL_PASS


@pytest.mark.parametrize(
    "place", [place if place == min(PLACES) else pytest.param(place, marks=pytest.mark.heavy) for place in PLACES]
)
def test_it_passes_wherever_the_blog_is_mounted(place: str) -> None:
    with at(place):
        assert results(make_sound()) == ALL_PASS


@pytest.mark.parametrize(
    "locale", ["ar", *(pytest.param(name, marks=pytest.mark.heavy) for name in ("de", "ja", "zh-CN", "pt_BR"))]
)
def test_it_passes_in_every_language(locale: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(locale=locale)):
        assert results(make_sound()) == ALL_PASS


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/New_York"])
@pytest.mark.heavy
def test_it_passes_in_every_time_zone(zone: str) -> None:
    with override_settings(TIME_ZONE=zone):
        assert results(make_sound()) == ALL_PASS


def test_it_passes_in_the_layout_of_a_host() -> None:
    settings = blog_settings(faq_collapsed=False, call_to_action={"title": "Write", "url": "/letters", "label": "Go"})

    with override_settings(BLOG_ENGINE=settings):
        assert results(make_sound()) == ALL_PASS


HOST_PAGE = """{% extends layout %}{% load blog_engine %}
{% block head %}{% include "blog_engine/_head.html" %}{% endblock %}
{% block content %}<h2>Journal</h2><aside><time datetime="2026-11-22">Today</time></aside>
<article><header><h1>{{ article.title }}</h1>
<p data-blog-author>Aus der Feder von <a href="{{ article.byline.author.path }}">{{ article.byline.author.name }}</a>
</p><p data-blog-published>Seit <time datetime="{{ article.byline.dates.published|date:"Y-m-d" }}">hier</time></p>
<p data-blog-updated>zuletzt am <time datetime="{{ article.byline.dates.updated|iso_date }}">da</time></p></header>
<div>{{ article.body }}</div>{% for one in article.corrections %}
<dl data-blog-correction><dt><time datetime="{{ one.occurred_at|iso_date }}">dann</time></dt>
<dd>{{ one.note }}</dd></dl>{% endfor %}</article>
{% for card in article.related %}<article><h2>{{ card.title }}</h2><time datetime="2026-11-01">x</time></article>
{% endfor %}
{% endblock %}"""


@requirement("surface-report.markers")
def test_it_passes_on_a_page_of_a_host_that_shares_only_markers_with_ours() -> None:
    post = make_sound()

    with with_templates({"post.html": HOST_PAGE}):
        assert results(post) == ALL_PASS


OF_RECORDS: Final = {"E18", "E21", "E22"}
OF_THE_SITE: Final = {"E4", "E8", "E16", "E17", "T1", "T2", "T4", "T5", "T6", "T14", "T21"}


@requirement("surface-report.unfetched", "surface-report.policies", "surface-report.e4", "surface-report.reach")
@requirement("surface-report.t4", "surface-report.t5", "surface-report.t6", "surface-report.t21")
@pytest.mark.parametrize("scope", [ReportScope.ALL, ReportScope.SITE])
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None, policy_urls={}))
def test_nothing_is_verified_without_a_base_url(scope: ReportScope) -> None:
    post = make_sound()
    fields = {"title": "Rules", "body": "We care.", "status": "published"}
    save_page(parse(SavePage, fields, fixed={"kind": "editorial"}), actor=EDITOR, now=NOW)
    for old in ("/blog/older", "/blog/oldest"):
        add_redirect(parse(SaveRedirect, {"old_path": old, "new_path": "stone"}), actor=EDITOR, now=NOW)

    rows = make_report(scope, post=None, page=1, per_page=50, reach=True, now=TODAY).rows

    fetched = [row for row in rows if row.post_id in (None, post.pk) and row.predicate not in OF_RECORDS]
    assert {row.predicate for row in fetched} >= OF_THE_SITE | (
        PREDICATES.keys() if scope is ReportScope.ALL else set()
    )
    assert {row.observation.result for row in fetched} == {ReportResult.NOT_VERIFIED}
    assert [row.observation.details for row in rows if row.predicate == "T4"] == [{"redirects": 2}]


@requirement("surface-report.closed")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail"), (301, "fail"), (500, "fail")])
def test_a_page_that_is_not_open_is_not_looked_at(status: int | None, result: str) -> None:
    post = article()
    said = "could not be fetched" if status is None else f"answered {status}"

    found = {name: look_at_status(PREDICATES[name], post, status) for name in PAGE_PREDICATES}

    assert found == dict.fromkeys(PAGE_PREDICATES, Observation(ReportResult(result), f"The article page {said}."))


@pytest.mark.heavy
@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("name", PREDICATES)
@pytest.mark.parametrize("garbage", GARBAGE)
def test_no_page_is_too_broken_for_a_check(name: str, garbage: str) -> None:
    post = update(article(), body="New.", change="correction", note="Old.").post

    found = look_at_page(PREDICATES[name], post, GARBAGE[garbage])

    assert found.result in (ReportResult.FAIL, ReportResult.NOT_VERIFIED) or name in ("T9", "T13", "T16")
    assert json.dumps([found.reason, found.details], ensure_ascii=False).encode()


class Few(StagedWeb):
    """The blog itself answers."""

    def __init__(self, origin: str | None, *, application: object) -> None:
        super().__init__({}, origin=origin or BASE)


@requirement("surface-report.bounds")
def test_what_was_asked_for_is_looked_at_before_the_thousands_that_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(save(slug="soil", body="Dark.", provenance="human_written").post)
    for number in range(100):
        add_redirect(
            parse(SaveRedirect, {"old_path": f"/blog/old-{number}", "new_path": "soil"}), actor=EDITOR, now=NOW
        )
    monkeypatch.setattr(sites, "Web", Few)
    monkeypatch.setattr(web, "MOST_URLS", 60)

    report = make_report(ReportScope.POST, post="soil", page=1, per_page=50, reach=True, now=TODAY)

    assert len(report.limitations) == 1
    open_questions = [row.predicate for row in report.rows if row.observation.result == ReportResult.NOT_VERIFIED]
    assert "T4" in open_questions
    assert not {"E6", "T1", "T14"} & set(open_questions)
