"""Signed previews of proposals."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client, override_settings

from blog_engine.blog_urls import BlogURLs
from blog_engine.queries.previews import proposal_preview_token
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import BODY, apply, propose, proposed_for, reject, save, update, withdraw
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import undone

pytestmark = pytest.mark.django_db


def path_of(proposal: int) -> str:
    return f"/preview/{proposal_preview_token(proposal, now=TODAY).token}"


@requirement("proposals.preview")
def test_the_preview_shows_the_proposed_content_to_anyone_who_has_the_link(visitor: Visitor) -> None:
    post = save(publish=True, title="Soil", body=BODY, category="Garden", tags=["Silt"]).post
    proposal = propose(
        post,
        title="Clay",
        body="## Roots",
        category="Field",
        tags=["Clay", "Silt"],
        faq=[{"question": "Why?", "answer": "So."}],
        change="substantive",
    )

    page = visitor.page(path_of(proposal))

    assert page.one("", data_blog_preview="").one("strong").text == "Preview of a proposal"
    assert (page.one("h1").text, page.one("", data_blog_body="").one("h2").text) == ("Clay", "Roots")
    assert [tag.attrs["content"] for tag in page.all("meta", name="robots")] == ["noindex, nofollow"]
    text = page.text
    assert all(shown in text for shown in ("Field", "Why?", "Silt"))
    assert visitor.page("/soil").one("h1").text == "Soil"


@requirement("proposals.preview")
def test_the_headers_are_those_of_a_preview(client: Client) -> None:
    _, proposal = proposed_for()

    response = client.get(f"/blog{path_of(proposal)}")

    assert response.status_code == 200
    assert {name: response.headers[name] for name in ("Cache-Control", "X-Robots-Tag", "Referrer-Policy")} == {
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex, nofollow",
        "Referrer-Policy": "no-referrer",
    }


@requirement("proposals.preview")
def test_the_preview_follows_the_post_and_stays_for_an_outdated_proposal(client: Client) -> None:
    post, proposal = proposed_for()
    update(post, title="New title", change="maintenance")
    assert "New title" in client.get(f"/blog{path_of(proposal)}").content.decode()

    update(post, body="Quite different.", change="substantive")

    shown = client.get(f"/blog{path_of(proposal)}")
    assert (shown.status_code, "One!" in shown.content.decode()) == (200, True)


@requirement("proposals.preview")
def test_the_link_is_gone_once_the_proposal_is_decided(client: Client, subtests: pytest.Subtests) -> None:
    _, proposal = proposed_for()

    for end in [apply, reject, withdraw]:
        with subtests.test(end=end), undone():
            end(proposal)

            response = client.get(f"/blog{path_of(proposal)}")

            assert (response.status_code, response.headers["Cache-Control"]) == (410, "no-store")
            assert "One!" not in response.content.decode()


@requirement("proposals.preview")
def test_the_link_is_gone_when_its_time_is_over_and_no_other_text_is_one(client: Client) -> None:
    _, proposal = proposed_for()
    path = f"/blog{path_of(proposal)}"

    with time_machine.travel(TODAY + timedelta(days=7, seconds=1), tick=False):
        assert client.get(path).status_code == 410
    assert client.get(path[:-1] + ("A" if path[-1] != "A" else "B")).status_code == 404
    with override_settings(BLOG_ENGINE=blog_settings(preview_expires_in=60)):
        assert client.get(path).status_code == 404


def test_the_token_fits_into_the_url() -> None:
    _, proposal = proposed_for()

    url = BlogURLs.on("https://x.example").preview_url(proposal_preview_token(proposal, now=TODAY).token)

    assert url.startswith("https://x.example/blog/preview/")
