"""Probes of the stored history and of the policy pages."""

import re
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import override_script_prefix
from pytest_django import Settings

from blog_engine import services
from blog_engine.doctor.base import ProbeContext
from blog_engine.doctor.content import probe_policy_pages, probe_records
from blog_engine.enums import PolicyKind
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import Baseline, PolicyPage, Publication, Revision
from blog_engine.rendering.stored import renderings_that_differ
from tests.doctor.conftest import assert_verdict
from tests.fetching.conftest import Serve, serve
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, WHOLE, adopt, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import execute, unprotected, verdict_of
from tests.support.web import answer, by_path, drips, is_silent, says

pytestmark = pytest.mark.django_db


def numbers_in(message: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", message)]


@requirement("doctor.records")
def test_records_of_the_services_are_ok() -> None:
    save(publish=True)
    save(title="Draft")

    status, message = verdict_of(probe_records)

    assert (status, numbers_in(message)) == ("ok", [1])


@requirement("doctor.records")
def test_a_post_changed_behind_the_engine_is_an_error_with_its_id() -> None:
    post = save(title="Soil", publish=True).post
    other = save(title="Sea", publish=True).post
    execute("UPDATE blog_engine_post SET title = 'Soil!' WHERE id = %s", post.pk)

    message = assert_verdict(probe_records, "error", f"{post.pk}: ")

    assert f"{other.pk}: " not in message


@requirement("doctor.records.counts")
def test_a_wrong_number_of_posts_is_a_warning_until_they_are_counted_again() -> None:
    post = save(category="Soil", tags=["Clay"], publish=True).post
    execute("UPDATE blog_engine_post SET category_id = NULL WHERE id = %s", post.pk)

    assert_verdict(probe_records, "warning", "category soil: 1 instead of 0. ")

    services.recount_lists()
    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records.search")
def test_a_post_that_the_search_lists_wrongly_is_a_warning_until_it_is_indexed_again() -> None:
    hidden, older = save(title="Soil", publish=True).post, save(title="Sea", publish=True).post
    save(title="Clay", publish=True)
    execute("UPDATE blog_engine_searchentry SET listed = 0 WHERE post_id = %s", hidden.pk)
    execute("UPDATE blog_engine_searchentry SET listed = listed - 1 WHERE post_id = %s", older.pk)

    assert_verdict(probe_records, "warning", f"The search lists 2 posts wrongly. {hidden.pk}, {older.pk}. ")

    assert services.index_posts() == 2
    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records.findings", "findings.kept")
def test_kept_findings_that_do_not_follow_from_a_post_are_a_warning_until_they_are_kept_again(
    settings: Settings,
) -> None:
    wrong, unkept = save(title="Soil", publish=True).post, save(title="Sea", publish=True).post
    execute("UPDATE blog_engine_post SET own_findings = replace(own_findings, '1', '2') WHERE id = %s", wrong.pk)
    execute("UPDATE blog_engine_post SET own_findings = '' WHERE id = %s", unkept.pk)
    assert_verdict(probe_records, "warning", f"kept with 2 posts are outdated. {wrong.pk}, {unkept.pk}. ")

    assert services.check_posts(now=LATER) == 2
    assert verdict_of(probe_records)[0] == "ok"

    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=True)
    services.render_posts()
    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records.html")
def test_html_that_no_body_renders_to_is_an_error_until_everything_is_rendered_again() -> None:
    post = save(title="Soil", body="Brown.", publish=True).post
    save(title="Sea", body="Blue.", publish=True)
    sent = {"kind": "corrections", "title": "Corrections", "body": "Write to us.", "status": "published"}
    page = services.save_page(parse(SavePage, sent), actor=EDITOR, now=NOW).page
    draft = save(title="Clay", body="Grey.").post
    for table, row in (("post", post), ("policypage", page), ("post", draft)):
        execute(f"UPDATE blog_engine_{table} SET body_html = '<p>Never.</p>' WHERE id = %s", row.pk)  # noqa: S608  our own names

    message = assert_verdict(probe_records, "error")

    assert (
        f"The stored HTML of 2 bodies is not what they render to: post {post.pk}, policy page corrections. " in message
    )

    call_command("render_posts", "ALL=true")
    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records.html")
def test_an_outline_of_other_headings_is_an_error() -> None:
    post = save(title="Soil", body="## Brown\n\nEarth.", publish=True).post
    execute(
        "UPDATE blog_engine_post SET outline = REPLACE(CAST(outline AS text), 'Brown', 'Never')::jsonb"
        if connection.vendor == "postgresql"
        else "UPDATE blog_engine_post SET outline = REPLACE(outline, 'Brown', 'Never')"
    )

    assert_verdict(probe_records, "error", f"render to: post {post.pk}. ")


@requirement("doctor.records.html")
def test_no_more_is_rendered_for_a_page_than_a_text_of_some_length() -> None:
    for number in range(4):
        save(title=f"Long {number}", body="Word. " * 10_000, publish=True)
    execute("UPDATE blog_engine_post SET body_html = '<p>Never.</p>'")

    assert len(renderings_that_differ(most=500, most_characters=100_000)) == 2
    assert len(renderings_that_differ(most=3)) == 3
    assert len(renderings_that_differ(most=500)) == 4


@requirement("doctor.records")
def test_a_forged_history_is_an_error() -> None:
    post = save(publish=True).post
    with unprotected(Publication):
        execute("UPDATE blog_engine_publication SET occurred_at = %s", NOW - timedelta(days=365))

    assert_verdict(probe_records, "error", f"{post.pk}: published_at ")


@requirement("doctor.records.gaps")
def test_a_deleted_publication_is_an_error_with_the_id_of_its_post() -> None:
    post, other = save(title="Soil", publish=True).post, save(title="Sea", publish=True).post
    with unprotected(Publication):
        execute("DELETE FROM blog_engine_publication WHERE post_id = %s", post.pk)

    message = assert_verdict(probe_records, "error")

    assert (
        f"{post.pk}: a revision without an approval, a publication or a proposal, no publication of the public"
        in message
    )
    assert f"{other.pk}: " not in message


def test_a_long_list_is_cut() -> None:
    posts = [save(title=f"Post {number}", publish=True).post for number in range(25)]
    execute("UPDATE blog_engine_post SET title = 'Soil!'")

    message = verdict_of(probe_records)[1]

    assert [post.pk for post in posts if f"{post.pk}: " in message] == [post.pk for post in posts[:20]]
    assert numbers_in(message)[-1] == 5


def test_a_limited_run_reports_how_many_posts_it_recomputed() -> None:
    for number in range(3):
        save(title=f"Post {number}", publish=True, now=NOW + timedelta(minutes=number))

    found = probe_records(ProbeContext(now=LATER, newest_posts=2))

    assert (found.status.value, numbers_in(found.message)) == ("ok", [2, 3])


@requirement("doctor.records.protection")
@pytest.mark.parametrize("model", [Revision, Publication])
def test_a_missing_trigger_is_an_error_that_names_it(model: type[Revision]) -> None:
    with unprotected(model):
        assert_verdict(probe_records, "error", f"{model._meta.db_table}_no_update")

    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records.content-version")
def test_a_missing_trigger_of_the_content_version_is_an_error_that_names_it() -> None:
    trigger = "blog_engine_tag_content_version"
    if connection.vendor == "postgresql":
        execute(f"ALTER TABLE blog_engine_tag DISABLE TRIGGER {trigger}")
    else:
        execute(f"DROP TRIGGER {trigger}_insert")

    message = assert_verdict(probe_records, "error", trigger)

    assert "restore" in message.lower()


def test_a_forged_post_and_a_missing_trigger_are_both_reported() -> None:
    post = save(publish=True).post
    execute("UPDATE blog_engine_post SET title = 'Soil!'")

    with unprotected(Revision):
        assert_verdict(probe_records, "error", f"{post.pk}: ", "blog_engine_revision_no_update")


@requirement("doctor.records")
def test_a_post_is_ok_after_every_kind_of_change() -> None:
    post = save(publish=True, faq=[{"question": "When?", "answer": "At noon."}]).post
    update(post, title="Soil", change="substantive")
    update(post, title="Soils", change="correction", note="Wrong.", now=LATER + timedelta(hours=1))
    update(post, description="All of them.", change="maintenance", now=LATER + timedelta(hours=2))

    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records")
def test_an_adopted_article_is_ok_before_and_after_a_change() -> None:
    adopt(WHOLE)
    post = adopt(WHOLE, body="New from there.", now=LATER).post
    adopted = verdict_of(probe_records)
    update(post, title="Edited here", change="substantive", now=LATER + timedelta(hours=1))

    assert (adopted[0], verdict_of(probe_records)[0]) == ("ok", "ok")
    with unprotected(Baseline):
        execute("UPDATE blog_engine_baseline SET first_published_at = NULL")
        assert f"{post.pk}: published_at " in verdict_of(probe_records)[1]


__all__ = ["serve"]


KINDS = [kind.value for kind in PolicyKind]


def publish_pages(*kinds: str, status: str = "published") -> None:
    for kind in kinds:
        PolicyPage.objects.create(kind=kind, slug=kind.replace("_", "-"), title=kind, status=status)


def configure(settings: Settings, urls: dict[str, str | None], **changes: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls=urls, **changes)


@requirement("doctor.policy-pages")
def test_published_pages_are_ok(settings: Settings) -> None:
    configure(settings, {})
    publish_pages(*KINDS)

    assert verdict_of(probe_policy_pages)[0] == "ok"


@requirement("doctor.policy-pages")
def test_a_kind_without_a_page_is_a_warning(settings: Settings) -> None:
    configure(settings, {})
    publish_pages("corrections", "editorial")
    publish_pages("ai_use", status="draft")

    message = assert_verdict(probe_policy_pages, "warning")

    assert message.startswith(
        "responsible_party: no published page or URL configured; ai_use: no published page or URL configured. "
    )


@requirement("doctor.policy-pages")
def test_configured_urls_that_answer_200_are_ok(settings: Settings, serve: Serve) -> None:
    server = serve(says(answer(b"Hello")))
    configure(settings, {kind: f"http://127.0.0.1:{server.port}/{kind}" for kind in KINDS})

    assert verdict_of(probe_policy_pages)[0] == "ok"
    assert sorted(request.split("\n")[0] for request in server.requests) == sorted(
        f"GET /{kind} HTTP/1.1" for kind in KINDS
    )


@requirement("doctor.policy-pages")
@pytest.mark.parametrize("status", ["404 Not Found", "301 Moved", "204 No Content", "206 Partial", "500 Oops"])
def test_any_status_but_200_is_a_warning(settings: Settings, serve: Serve, status: str) -> None:
    server = serve(says(answer(status=status, Location="/elsewhere")))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/"})

    found, message = verdict_of(probe_policy_pages)

    assert found == "warning"
    assert message.startswith(f"editorial: HTTP {status[:3]}. ")


@requirement("doctor.policy-pages")
def test_all_problems_are_in_one_warning(settings: Settings, serve: Serve) -> None:
    server = serve(by_path({"/a": answer(status="404 Not Found"), "/b": answer(status="410 Gone")}))
    publish_pages("ai_use")
    origin = f"http://127.0.0.1:{server.port}"
    configure(settings, {"responsible_party": f"{origin}/a", "corrections": f"{origin}/b"})

    message = verdict_of(probe_policy_pages)[1]

    assert message.startswith(
        "responsible_party: HTTP 404; corrections: HTTP 410; editorial: no published page or URL configured. "
    )


@requirement("doctor.secrets")
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/",
        "http://no-such-host.invalid/",
        "http://ada:secret@127.0.0.1/",
        "ftp://127.0.0.1/",
        "//127.0.0.1/",
        "about.html",
        "mailto:ada@example.com",
    ],
)
def test_a_url_that_cannot_be_fetched_is_a_warning(settings: Settings, url: str) -> None:
    publish_pages(*KINDS)
    configure(settings, {"editorial": url})

    message = assert_verdict(probe_policy_pages, "warning")

    assert message.startswith("editorial: unavailable (")
    assert "secret" not in message


@requirement("doctor.policy-pages.timeout")
def test_a_body_is_not_read(settings: Settings, serve: Serve) -> None:
    server = serve(drips(answer(), b"."))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/"})

    assert verdict_of(probe_policy_pages)[0] == "ok"


@requirement("doctor.policy-pages.timeout")
def test_silent_servers_are_waited_for_in_parallel(settings: Settings, serve: Serve) -> None:
    server = serve(is_silent)
    configure(settings, {kind: f"http://127.0.0.1:{server.port}/{kind}" for kind in KINDS})
    start = monotonic()

    message = verdict_of(probe_policy_pages)[1]

    assert monotonic() - start < 4
    assert message.count("unavailable (") == 4


@pytest.mark.parametrize("prefix", ["", "/site"])
def test_a_path_is_fetched_from_public_base_url(settings: Settings, serve: Serve, prefix: str) -> None:
    server = serve(says(answer()))
    publish_pages(*KINDS)
    configure(settings, {"editorial": "/about/"}, public_base_url=f"http://127.0.0.1:{server.port}")

    with override_script_prefix(f"{prefix}/"):
        status = verdict_of(probe_policy_pages)[0]

    assert status == "ok"
    assert server.requests[0].startswith(f"GET {prefix}/about/ ")


def test_a_path_cannot_be_checked_without_public_base_url(settings: Settings) -> None:
    publish_pages(*KINDS)
    configure(settings, {"editorial": "/about/"}, public_base_url=None)

    status, message = verdict_of(probe_policy_pages)

    assert status == "warning"
    assert message.startswith("editorial: ")
    assert "public_base_url" in message


@requirement("doctor.policy-pages")
def test_a_configured_url_replaces_the_page(settings: Settings, serve: Serve) -> None:
    server = serve(says(answer(status="404 Not Found")))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/", "corrections": " "})

    assert verdict_of(probe_policy_pages)[1].startswith("editorial: HTTP 404. ")
