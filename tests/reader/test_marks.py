"""What lists, pages, feeds and texts say of AI and of payments."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import override_settings

from blog_engine.models import Image, Post
from blog_engine.models.image import set_origin
from blog_engine.reader.structured_data import digital_source
from blog_engine.services import render_posts
from tests.reader.conftest import write_policy
from tests.requirements import requirement
from tests.support.factories import LATER, approve, declare, save, store_image, update
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import ATOM, Element, Visitor, atom_at, json_at, text_of
from tests.support.tables import undone

AI, PAID = ("AI", "AI helped to make this article."), ("Paid", "A third party paid for this article.")
LISTS = ["/", "/category/garden", "/tag/roots", "/author/ada-example", "/series/ground", "/search?q=soil"]


def publish(title: str = "Soil", **fields: object) -> Post:
    written = {"category": "Garden", "tags": ["roots"], "series": "Ground", "provenance": "ai_assisted"}
    return save(title=title, publish=True, **(written | fields)).post


def marks(page: Element) -> list[tuple[str, str]]:
    """Return the word and the accessible name of each mark of a page."""
    return [(mark.text, mark.attrs["aria-label"]) for mark in page.all("span", data_blog_mark="")]


@pytest.fixture(autouse=True)
def _party() -> Iterator[None]:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})):
        yield


@requirement("pages.cards.marks")
@pytest.mark.parametrize("path", LISTS)
def test_every_list_marks_ai_and_payments(visitor: Visitor, path: str) -> None:
    post = publish()
    unmarked = declare(publish("Soil of people", provenance="human_written")).post
    publish("Soil of an unknown writer", provenance="unknown")
    before = marks(visitor.page(path))
    declare(post, third_party_paid=True)
    both = marks(visitor.page(path))
    approve(post)
    checked = marks(visitor.page(path))
    declare(post, third_party_paid=False)
    declare(unmarked, third_party_paid=True)
    update(post, body="New words.", change="substantive")

    assert (before, both, checked) == ([AI], [AI, PAID], [PAID])
    assert sorted(marks(visitor.page(path))) == [AI, PAID]


@requirement("pages.cards.marks")
def test_other_cards_have_the_marks_too(visitor: Visitor) -> None:
    publish(featured=True)
    publish("Stone", series="Other", provenance="human_written")

    assert marks(visitor.page("/")) == [AI]
    assert marks(visitor.page("/stone")) == [AI]
    assert marks(visitor.page("/none", status=404)) == [AI]


@requirement("pages.cards.marks")
def test_the_mark_follows_the_label(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for changed, expected in [({}, []), ({"policy_urls": {}}, [AI]), ({"ai_label": "always"}, [AI])]:
        with subtests.test(changed=changed), undone():
            approve(publish(), now=LATER)
            given = {"policy_urls": {"responsible_party": "/about"}} | changed
            with override_settings(BLOG_ENGINE=blog_settings(**given)):
                assert marks(visitor.page("/")) == expected


MADE, PARTLY = "Image made with AI", "Image made partly with AI"


def store(*, name: str = "quay.png", size: tuple[int, int] = (800, 450), **origin: str | None) -> Image:
    """Store an image, and what is said of where it comes from."""
    image = store_image(plain(size=size), filename=name)
    set_origin(image, **{"digital_source_type": "trainedAlgorithmicMedia", "credit": "Ada / Agency"} | origin)
    return image


def show(image: Image, **fields: object) -> Post:
    """Publish a human and approved article with the image as its cover and in its body."""
    body = f'Before.\n\n![A quay](/blog/media/{image.sha256}/quay.png "By the sea")\n\nAfter.'
    written = {"provenance": "human_written", "cover_image": {"image_id": image.pk}, "cover_alt": "A cover"} | fields
    return approve(publish(body=body, **written)).post


@pytest.mark.usefixtures("storage")
class TestImages:
    @requirement("images.notes", "images.notes.approval")
    @pytest.mark.parametrize(
        ("term", "notice"),
        [
            ("trainedAlgorithmicMedia", MADE),
            ("compositeWithTrainedAlgorithmicMedia", PARTLY),
            ("compositeSynthetic", PARTLY),
            ("algorithmicMedia", ""),
            ("digitalCapture", ""),
            (None, ""),
        ],
    )
    def test_captions_tell_the_credit_and_the_part_of_ai(self, visitor: Visitor, term: str | None, notice: str) -> None:
        show(store(digital_source_type=term))

        page = visitor.page("/soil")

        note = f"Ada / Agency · {notice}" if notice else "Ada / Agency"
        assert page.one("figure", class_="blog-cover").one("figcaption").text == note
        assert page.one("figure", class_="blog-figure").one("figcaption").text == f"By the sea{note}"
        assert [mark.text for mark in visitor.page("/").all("span", data_blog_image_mark="")] == ["AI image"] * bool(
            notice
        )

    @requirement("images.notes")
    def test_an_image_without_anything_said_has_no_note(self, visitor: Visitor) -> None:
        show(store(credit="", digital_source_type=None))

        page = visitor.page("/soil")

        assert not page.has("span", class_="blog-credit")
        assert not page.one("figure", class_="blog-cover").has("figcaption")
        assert "associatedMedia" not in visitor.graph("/soil")[0]
        assert visitor.graph("/soil")[0]["image"].startswith("https://example.com/blog/media/")

    @requirement("images.notes.spelling")
    def test_no_spelling_of_a_path_hides_the_note(self, visitor: Visitor) -> None:
        image = store(credit="")
        paths = [f"/blog/media%2F{image.sha256}/quay.png", f"https://example.com/blog//x/../media/{image.sha256}/a.png"]
        publish(body="\n\n".join(f"![A]({path})" for path in paths), provenance="human_written")

        assert [one.text for one in visitor.page("/soil").all("figcaption")] == [MADE, MADE]

    @requirement("images.notes.data")
    def test_machines_learn_of_cover_and_images(self, visitor: Visitor) -> None:
        image = store()
        show(image)

        page, article = visitor.page("/soil"), visitor.graph("/soil")[0]

        shared = f"https://example.com/blog/media/{image.sha256}/w1200.jpg"
        original = f"https://example.com/blog/media/{image.sha256}/quay.png"
        entity = {
            "@type": "ImageObject",
            "url": shared,
            "contentUrl": shared,
            "creditText": "Ada / Agency",
            "digitalSourceType": "https://schema.org/TrainedAlgorithmicMediaDigitalSource",
        }
        assert (article["image"], article["associatedMedia"]) == (
            entity,
            [entity | {"url": original, "contentUrl": original}],
        )
        assert page.one("meta", property="og:image:alt").attrs["content"] == f"A cover ({MADE})"

    @requirement("images.notes.data")
    def test_terms_that_schema_org_lacks_are_named_by_iptc(self) -> None:
        named = {term: digital_source(term) for term in ("computationalCapture", "humanEdits", "digitalCapture")}

        assert named == {
            "computationalCapture": "https://schema.org/MultiFrameComputationalCaptureDigitalSource",
            "humanEdits": "http://cv.iptc.org/newscodes/digitalsourcetype/humanEdits",
            "digitalCapture": "https://schema.org/DigitalCaptureDigitalSource",
        }

    @requirement("pages.markdown.images")
    def test_texts_list_the_images(self, visitor: Visitor) -> None:
        cover, image = store(name="cover (1).png", credit=""), store(name="sea.png", size=(801, 450))
        body = f"![A](/blog/media/{image.sha256}/a.png) ![B](/blog/media/{cover.sha256}/b.png)"
        publish(body=body, provenance="human_written", cover_image={"image_id": cover.pk})

        text = text_of(visitor.get("/soil.md"))

        assert text.endswith(
            "## Images\n\n"
            f"- [cover (1).png](https://example.com/blog/media/{cover.sha256}/cover%20%281%29.png): {MADE}\n"
            f"- [sea.png](https://example.com/blog/media/{image.sha256}/sea.png): Ada / Agency · {MADE}\n\n"
            "<https://example.com/blog/soil>\n\n[How this article was made](https://example.com/blog/soil/history)\n"
        )
        assert text.rpartition("\n\n")[0] in text_of(visitor.get("/llms-full.txt"))

    @requirement("feeds.images")
    @pytest.mark.parametrize("content", ["summary", "full"])
    def test_feeds_tell_it(self, visitor: Visitor, content: str) -> None:
        show(store())

        with override_settings(BLOG_ENGINE=blog_settings(feed_content=content)):
            entry, item = atom_at(visitor).findall(f"{ATOM}entry")[0], json_at(visitor)["items"][0]

        terms = [one.attrib for one in entry.findall(f"{ATOM}category") if one.get("scheme") == "urn:blog-engine:cover"]
        assert terms == [{"scheme": "urn:blog-engine:cover", "term": "trainedAlgorithmicMedia", "label": MADE}]
        assert item["_blog_engine"]["cover"] == {
            "credit": "Ada / Agency",
            "digital_source_type": "trainedAlgorithmicMedia",
            "notice": MADE,
        }
        assert (f"Ada / Agency · {MADE}" in item.get("content_html", "")) is (content == "full")

    @requirement("images.notes.changed")
    def test_what_is_said_later_reaches_every_page(self, visitor: Visitor, clock: time_machine.Traveller) -> None:
        image = store(credit="", digital_source_type=None)
        show(image)
        write_policy(body=f"![A](/blog/media/{image.sha256}/quay.png)")
        paths = ["/", "/soil", "/soil.md", "/feed.xml", "/feed.json", "/llms-full.txt", "/policies/ai-use"]
        with override_settings(BLOG_ENGINE=blog_settings(feed_content="full")):
            before = {path: visitor.get(path) for path in paths}
            clock.shift(60)
            set_origin(image, digital_source_type="trainedAlgorithmicMedia")
            after = {path: visitor.get(path, if_none_match=before[path]["ETag"]) for path in paths}
            dated = {
                path: visitor.get(path, if_modified_since=before[path]["Last-Modified"]).status_code
                for path in ("/feed.xml", "/feed.json")
            }

        assert {path: (MADE in text_of(one)) for path, one in before.items()} == dict.fromkeys(paths, False)
        assert {path: (MADE in text_of(one)) for path, one in after.items()} == dict.fromkeys(paths, True)
        assert dated == {"/feed.xml": 200, "/feed.json": 200}

    @requirement("images.notes.changed")
    def test_a_change_is_no_edit_of_a_post(self, db: None) -> None:
        image = store(credit="")
        post = show(image)
        set_origin(image, credit="Bo")

        later = Post.objects.get()
        assert (later.version, later.current_revision_identifier) == (post.version, post.current_revision_identifier)
        assert render_posts() == 1
        assert "Bo · " in Post.objects.get().body_html
