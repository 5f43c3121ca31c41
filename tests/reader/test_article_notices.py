"""The notices and the dates of an article."""

from datetime import timedelta

import pytest
import time_machine
from django.test import override_settings

from tests.reader.conftest import preview_path
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, declare, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor


class TestNotices:
    @requirement("pages.notices")
    def test_ai_help_is_said_until_the_facts_are_checked(self, visitor: Visitor) -> None:
        post = save(title="Soil", provenance="ai_assisted", publish=True).post

        before = visitor.page("/soil").one("div", class_="blog-notice--ai").one("p").text
        approve(post)
        after = visitor.page("/soil")

        assert before == "AI helped to make this article."
        assert not after.has("div", class_="blog-notices")

    @override_settings(BLOG_ENGINE=blog_settings(ai_label="always"))
    def test_a_checked_article_says_so_where_the_notice_stays(self, visitor: Visitor) -> None:
        post = save(title="Soil", provenance="ai_assisted", publish=True).post
        approve(post)

        notice = visitor.page("/soil").one("div", class_="blog-notice--ai")

        assert "A person has checked the facts of this version." in notice.text

    @requirement("pages.notices")
    def test_unknown_origin_is_said(self, visitor: Visitor) -> None:
        save(title="Soil", publish=True)

        notice = visitor.page("/soil").one("div", class_="blog-notice--ai")

        assert notice.one("p").text == "It is not known whether AI helped to make this article."

    def test_human_writing_needs_no_notice(self, visitor: Visitor) -> None:
        save(title="Soil", provenance="human_written", publish=True)

        assert not visitor.page("/soil").has("div", class_="blog-notices")


class TestDisclosureForMachines:
    """``<meta name="ai-disclosure">``."""

    @requirement("label.disclosure")
    def test_an_approval_changes_the_word_without_a_responsible_party(self, visitor: Visitor) -> None:
        with override_settings(BLOG_ENGINE=blog_settings(policy_urls={}, ai_label="always")):
            post = save(title="Soil", provenance="ai_assisted", publish=True).post
            before = self.disclosure(visitor, "/soil")
            approve(post, facts_checked=False)
            unchecked = self.disclosure(visitor, "/soil")
            approve(post)
            after = self.disclosure(visitor, "/soil")
            update(post, body="New.", change="substantive")
            changed = self.disclosure(visitor, "/soil")

        assert (before, unchecked, changed) == (["ai-autonomous"],) * 3
        assert after == ["ai-assisted"]

    @requirement("label.disclosure")
    @pytest.mark.parametrize(("provenance", "expected"), [("human_written", ["human-only"]), ("unknown", [])])
    def test_other_posts_say_the_same_approved_or_not(
        self, visitor: Visitor, provenance: str, expected: list[str]
    ) -> None:
        post = save(title="Soil", provenance=provenance, publish=True).post
        before = self.disclosure(visitor, "/soil")
        approve(post)

        assert before == self.disclosure(visitor, "/soil") == expected

    @requirement("label.disclosure")
    def test_a_preview_says_what_readers_would_get(self, visitor: Visitor) -> None:
        post = save(title="Soil", provenance="ai_assisted").post
        before = self.disclosure(visitor, preview_path(post))
        approve(post)

        assert (before, self.disclosure(visitor, preview_path(post))) == (["ai-autonomous"], ["ai-assisted"])

    def test_lists_say_nothing(self, visitor: Visitor) -> None:
        save(title="Soil", provenance="ai_assisted", publish=True)

        assert self.disclosure(visitor, "/") == []

    def disclosure(self, visitor: Visitor, path: str) -> list[str]:
        return [found.attrs["content"] for found in visitor.page(path).all("meta", name="ai-disclosure")]


class TestPaidNotice:
    @requirement("pages.notices.payer")
    @pytest.mark.parametrize(
        ("parties", "payer"),
        [
            (["Seeds & Co"], "Paid by Seeds & Co"),
            (["Seeds & Co", "Seeds & Co"], "Paid by Seeds & Co"),
            (["Seeds & Co", "Rain Ltd"], None),
            ([], None),
        ],
    )
    def test_the_only_declared_party_is_who_paid(self, visitor: Visitor, parties: list[str], payer: str | None) -> None:
        post = save(title="Soil", publish=True).post
        connections = [{"party": party, "relation": f"owner {place}"} for place, party in enumerate(parties)]
        declare(post, connections=connections, third_party_paid=True)

        notice = visitor.page("/soil").one("div", class_="blog-notice--paid")

        sentences = ["A third party paid for this article.", *([payer] if payer else [])]
        assert [paragraph.text for paragraph in notice.all("p")] == sentences

    @requirement("pages.notices.payer")
    def test_a_paid_article_is_not_said_to_have_no_connection(self, visitor: Visitor) -> None:
        post = save(title="Soil", publish=True).post
        declare(post, connections=[], third_party_paid=True)
        paid = visitor.page("/soil").one("div", class_="blog-notices")
        declare(post, connections=[], third_party_paid=False)
        unpaid = visitor.page("/soil").one("div", class_="blog-notices")

        assert [box.has("section", data_blog_disclosure="") for box in (paid, unpaid)] == [False, True]

    @requirement("pages.notices.payer")
    def test_a_party_that_did_not_pay_is_not_named_so(self, visitor: Visitor) -> None:
        post = save(title="Soil", publish=True).post
        declare(post, connections=[{"party": "Seeds & Co", "relation": "owner"}], third_party_paid=False)

        box = visitor.page("/soil").one("div", class_="blog-notices")

        assert "Paid" not in box.text
        assert box.one("section", data_blog_disclosure="").text == "Disclosure Seeds & Co: owner"


class TestDates:
    @requirement("pages.dates")
    def test_an_update_is_shown_when_it_is_later(self, visitor: Visitor) -> None:
        post = save(title="Soil", publish=True).post
        update(post, body="New.", change="substantive")

        facts = visitor.page("/soil").one("div", class_="blog-article__signature").one("p", class_="blog-byline__facts")

        assert facts.text == "Published November 21, 2026 Updated November 21, 2026 1 min read How this was made"
        assert [time.attrs["datetime"] for time in facts.all("time")] == [
            "2026-11-21T12:00:00+00:00",
            "2026-11-21T13:00:00+00:00",
        ]

    @requirement("pages.dates.corrected")
    def test_the_last_correction_is_named_and_linked(self, visitor: Visitor) -> None:
        post = save(title="Soil", body="## Correction 2\n\nText.", publish=True).post
        for place, note in enumerate(["First.", "Second."]):
            later = LATER + timedelta(days=place)
            update(post, description=note, change="correction", note=note, now=later)

        with time_machine.travel(LATER + timedelta(days=3), tick=False):
            page = visitor.page("/soil")

        facts = page.one("div", class_="blog-article__signature").one("p", class_="blog-byline__facts")
        link, _ = facts.all("a")
        assert facts.text == "Published November 21, 2026 Corrected November 22, 2026 1 min read How this was made"
        assert link.attrs["href"] == "#correction-2-1"
        assert "Second." in page.one("", id="correction-2-1").text
        # The correction is also the last change.
        assert facts.one("", data_blog_updated="").one("time").attrs["datetime"] == "2026-11-22T13:00:00+00:00"

    @requirement("pages.dates.corrected")
    def test_a_later_change_is_shown_beside_the_correction(self, visitor: Visitor) -> None:
        post = save(title="Soil", publish=True).post
        update(post, body="One.", change="correction", note="It was none.", now=NOW + timedelta(minutes=30))
        update(post, body="Two.", change="substantive")

        facts = visitor.page("/soil").one("div", class_="blog-article__signature").one("p", class_="blog-byline__facts")

        assert [time.attrs["datetime"] for time in facts.all("time")] == [
            "2026-11-21T12:00:00+00:00",
            "2026-11-21T13:00:00+00:00",
            "2026-11-21T12:30:00+00:00",
        ]
        assert facts.one("", data_blog_updated="").text == "Updated November 21, 2026"

    @requirement("pages.dates.maintenance")
    def test_maintenance_changes_no_date(self, visitor: Visitor) -> None:
        post = save(title="Soil", publish=True).post
        update(post, body="New.", change="maintenance")

        assert "Updated" not in visitor.page("/soil").one("article").text

    def test_days_are_those_of_the_site(self, visitor: Visitor) -> None:
        save(title="Soil", publish=True, now=NOW.replace(hour=23))

        with override_settings(TIME_ZONE="Asia/Tokyo"):
            time = visitor.page("/soil").one("article", class_="blog-article").one("time")

        assert time.text == "November 22, 2026"
        assert time.attrs["datetime"] == "2026-11-22T08:00:00+09:00"
