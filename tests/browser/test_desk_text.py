"""Images, pasted documents, lists and marks in the text of a post, as a writer makes them in a browser."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from blog_engine.images.inspect import inspect_image
from tests.browser.chromium import Reader, Site, signed_in
from tests.requirements import requirement
from tests.support.images import plain

# Firefox makes neither paste events with data nor drops with files from a script.
pytestmark = [pytest.mark.browser, pytest.mark.chromium, pytest.mark.xdist_group("browser_desk")]

_ORIGINS = Path(__file__).parents[1] / "images" / "origins"
_SEND = """
([event, texts, files, at]) => {
  const body = document.getElementById("id_body");
  const transfer = new DataTransfer();
  for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
  for (const [name, type, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
  const options = { bubbles: true, cancelable: true, clientX: at[0], clientY: at[1] };
  const made = event === "paste"
    ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
    : new DragEvent("drop", { ...options, dataTransfer: transfer });
  body.dispatchEvent(made);
}
"""
_PATH = r"\(/blog/media/\w+/{}\)"


@pytest.fixture(scope="module")
def wanda(browser: Browser, desk_site: Site) -> Any:
    return signed_in(browser, desk_site, "wanda")


@pytest.fixture
def page(desk_reader: Reader, wanda: Any) -> Page:
    return desk_reader.opened_and_ready("add", storage_state=wanda)


def paste(page: Page, *, files: Sequence[tuple[str, str, bytes]] = (), **texts: str) -> None:
    sent = {f"text/{kind}": text for kind, text in texts.items()}
    page.evaluate(_SEND, ["paste", sent, [[name, kind, list(data)] for name, kind, data in files], [0, 0]])


def body(page: Page) -> Any:
    return page.locator("#id_body")


def test_several_images_come_one_below_the_other_in_their_order(page: Page) -> None:
    body(page).fill("Before. After.")
    body(page).evaluate("(field) => field.setSelectionRange(7, 7)")

    colors = {"one": "red", "two": "green", "three": "blue"}
    files = [(f"{name}.png", "image/png", plain(color=color)) for name, color in colors.items()]
    paste(page, files=files)

    expect(body(page)).to_have_value(
        re.compile(
            r"^Before\.\n\n" + r"\n\n".join(r"!\[\]" + _PATH.format(f"{name}.png") for name in ("one", "two", "three"))
        )
    )
    expect(page.locator("[data-alts-list] li")).to_have_count(3)


def test_an_upload_leaves_the_caret_of_the_writer_alone(page: Page) -> None:
    def slowly(route: Any) -> None:
        page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/upload/", slowly)
    body(page).fill("The end.")
    paste(page, files=[("slow.png", "image/png", plain(color="gold"))])
    body(page).press_sequentially("I go on writing while it is sent.", delay=20)

    expect(body(page)).to_have_value(re.compile(r"!\[\]" + _PATH.format(r"slow\.png")))
    assert "I go on writing while it is sent." in body(page).input_value()


def test_a_file_that_is_no_image_is_refused_in_plain_words(page: Page) -> None:
    heic = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"

    paste(page, files=[("IMG_0001.HEIC", "image/heic", heic), ("a.pdf", "application/pdf", b"%PDF-1.7")])

    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("IMG_0001.HEIC is a HEIC photo")
    expect(refused).to_contain_text("a.pdf is a PDF document")
    expect(body(page)).to_have_value("")
    expect(page.locator("[data-status]")).not_to_have_attribute("data-state", "saving")


def test_why_a_file_was_refused_stays_when_the_draft_saves_itself(page: Page) -> None:
    body(page).fill("Before.")
    paste(page, files=[("a.pdf", "application/pdf", b"%PDF-1.7")])
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("a.pdf is a PDF document")

    expect(page.locator("[data-status]")).to_contain_text("Saved at")

    expect(refused).to_contain_text("a.pdf is a PDF document")
    refused.get_by_role("button", name="Close").click()
    expect(refused).to_be_hidden()


def test_an_image_that_is_added_without_a_network_is_named(page: Page) -> None:
    page.context.set_offline(True)

    paste(page, files=[("quay.png", "image/png", plain(color="navy"))])

    expect(page.get_by_role("alert")).to_contain_text("quay.png was not uploaded.")
    expect(body(page)).to_have_value("")


def test_the_next_file_takes_away_why_the_last_was_refused(page: Page) -> None:
    paste(page, files=[("a.pdf", "application/pdf", b"%PDF-1.7")])
    expect(page.get_by_role("alert")).to_contain_text("a.pdf is a PDF document")

    paste(page, files=[("b.png", "image/png", plain(color="indigo"))])

    expect(body(page)).to_have_value(re.compile(r"!\[\]" + _PATH.format(r"b\.png")))
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_photo_above_the_limit_is_made_smaller(page: Page) -> None:
    page.evaluate(
        """async () => {
          const canvas = new OffscreenCanvas(5000, 4000);
          canvas.getContext("2d").fillRect(0, 0, 5000, 4000);
          const blob = await canvas.convertToBlob({ type: "image/jpeg" });
          const transfer = new DataTransfer();
          transfer.items.add(new File([blob], "photo.jpg", { type: "image/jpeg" }));
          const options = { bubbles: true, cancelable: true, clipboardData: transfer };
          document.getElementById("id_body").dispatchEvent(new ClipboardEvent("paste", options));
        }"""
    )

    expect(body(page)).to_have_value(re.compile(r"!\[\]" + _PATH.format(r"photo\.jpg")))
    width = page.locator("[data-alts-list] img").evaluate("async (image) => (await image.decode(), image.naturalWidth)")
    assert width == 2560


_MAKE_LARGE = """
async ([name, type, bytes]) => {
  const made = new File([new Uint8Array(bytes)], name, { type });
  const data = document.querySelector("[data-post-form]").dataset;
  // As if the blog took only small photos.
  data.images = JSON.stringify({ ...JSON.parse(data.images), pixels: 1 });
  const transfer = new DataTransfer();
  transfer.items.add(made);
  const options = { bubbles: true, cancelable: true, clipboardData: transfer };
  document.getElementById("id_body").dispatchEvent(new ClipboardEvent("paste", options));
}
"""
_AS_WEBP = """
() => {
  const draw = HTMLCanvasElement.prototype.toBlob;
  HTMLCanvasElement.prototype.toBlob = function (made, type, quality) {
    draw.call(this, made, "image/webp", quality);
  };
}
"""


@requirement("desk.images.origin")
@pytest.mark.parametrize(
    ("name", "expected", "is_webp"),
    [
        ("ai.jpg", ("Ann Lee / Quay Press", "trainedAlgorithmicMedia"), False),
        ("ai.png", ("Ann Lee / Quay Press", "trainedAlgorithmicMedia"), False),
        ("ai.avif", ("Ann Lee / Quay Press", "trainedAlgorithmicMedia"), False),
        ("ai.webp", ("Ann Lee / Quay Press", "trainedAlgorithmicMedia"), True),
        ("attributes.jpg", ("Ann Lee / Quay Press", "trainedAlgorithmicMedia"), False),
        ("records.jpg", ("Ann Lee / Quay Press", None), False),
        ("latin.jpg", ("Söhne", None), False),
        ("camera.jpg", ("", "digitalCapture"), False),
    ],
)
def test_a_photo_that_is_made_smaller_still_says_where_it_comes_from(
    page: Page, name: str, expected: tuple[str, str | None], is_webp: bool
) -> None:
    content = (_ORIGINS / name).read_bytes()
    if is_webp:
        page.evaluate(_AS_WEBP)

    page.evaluate(_MAKE_LARGE, [name, "", list(content)])

    expect(body(page)).to_have_value(re.compile(r"!\[\]\(/blog/media/\w+/"))
    source = page.locator("[data-alts-list] img").get_attribute("src") or ""
    answer = page.request.get(page.evaluate("(path) => new URL(path, location.href).href", source))
    drawn = inspect_image(answer.body(), filename=name)
    assert answer.body() != content
    assert (drawn.origin.credit, drawn.origin.source_type) == expected
    assert drawn.origin.copyright == (
        "© 2026 Söhne" if name == "latin.jpg" else "" if name == "camera.jpg" else "© 2026 Quay Press & Söhne"
    )
    assert not drawn.has_location
    assert b"Mina" not in answer.body()


@requirement("desk.copies")
def test_what_an_image_shows_is_in_the_text_before_its_field_is_left(page: Page) -> None:
    paste(page, files=[("quay.png", "image/png", plain())])
    field = page.get_by_label("What the image shows", exact=True)

    field.press_sequentially("A quay")
    expect(body(page)).to_have_value(re.compile(r"!\[A quay\]" + _PATH.format(r"quay\.png")))
    field.press_sequentially(" [2]")

    expect(body(page)).to_have_value(re.compile(r"!\[A quay \\\[2\\\]\]" + _PATH.format(r"quay\.png")))
    expect(field).to_be_focused()


@requirement("desk.paste")
def test_text_wins_over_a_picture_of_it_and_keeps_its_structure(page: Page) -> None:
    html = "<h2>Tides</h2><p>They <b>rise</b>.</p><ul><li>One</li><li>Two</li></ul>"

    paste(page, plain="Tides\nThey rise.\nOne\nTwo", html=html, files=[("picture.png", "image/png", plain())])

    expect(body(page)).to_have_value("## Tides\n\nThey **rise**.\n\n- One\n- Two")
    body(page).press("Control+z")
    expect(body(page)).to_have_value("Tides\nThey rise.\nOne\nTwo")


def test_a_paste_is_kept_without_the_server(page: Page) -> None:
    page.route("**/paste/", lambda route: route.abort())

    paste(page, plain="Tides", html="<h2>Tides</h2>")

    expect(body(page)).to_have_value("Tides")


def test_a_url_over_words_becomes_a_link(page: Page) -> None:
    body(page).fill("See the map.")
    body(page).evaluate("(field) => field.setSelectionRange(8, 11)")

    paste(page, plain="https://example.org/map_(old)")

    expect(body(page)).to_have_value("See the [map](https://example.org/map_%28old%29).")


@pytest.mark.parametrize(
    ("text", "keys", "written"),
    [
        ("- one", ["Enter", "x"], "- one\n- x"),
        ("  2. one", ["Enter", "x"], "  2. one\n  3. x"),
        ("- [x] done", ["Enter", "x"], "- [x] done\n- [ ] x"),
        ("> said", ["Enter", "x"], "> said\n> x"),
        ("- one", ["Enter", "Enter", "x"], "- one\nx"),
        ("```\n- one", ["Enter", "x"], "```\n- one\nx"),
        ("- one", ["Shift+Enter", "x"], "- one\nx"),
        ("- one\n  - two", ["Enter", "Enter", "x"], "- one\n  - two\n- x"),
        ("3. one\n   - two", ["Enter", "Enter", "x"], "3. one\n   - two\n4. x"),
        ("> 1) one", ["Enter", "x"], "> 1) one\n> 2) x"),
        ("> - [ ] one", ["Enter", "x"], "> - [ ] one\n> - [ ] x"),
        ("- один 😀", ["Enter", "x"], "- один 😀\n- x"),
        ("1. واحد", ["Enter", "x"], "1. واحد\n2. x"),
    ],
)
def test_enter_goes_on_with_a_list(page: Page, text: str, keys: list[str], written: str) -> None:
    body(page).fill(text)
    body(page).press("Control+End")

    for key in keys:
        body(page).press(key)

    expect(body(page)).to_have_value(written)


@requirement("desk.surface.marks")
@pytest.mark.parametrize(
    ("text", "after", "written"),
    [
        ("1. one\n2. two\n3. three", "one", "1. one\n2. x\n3. two\n4. three"),
        ("1. one two\n2. three", "one", "1. one\n2. x two\n3. three"),
        ("1. one\n   - in it\n2. two\n\nEnd 7. of it", "one", "1. one\n2. x\n   - in it\n3. two\n\nEnd 7. of it"),
        ("1. one\n- two\n2. three", "one", "1. one\n2. x\n- two\n2. three"),
    ],
)
def test_a_numbered_list_counts_on(page: Page, text: str, after: str, written: str) -> None:
    body(page).fill(text)
    end = text.index(after) + len(after)
    body(page).evaluate("(field, at) => { field.focus(); field.setSelectionRange(at, at); }", end)

    page.keyboard.press("Enter")
    page.keyboard.type("x")

    expect(body(page)).to_have_value(written)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(body(page)).to_have_value(text)


@requirement("desk.surface.marks")
@pytest.mark.parametrize(
    ("text", "selected", "tool", "written"),
    [
        ("### hello", (4, 4), "header-2", "## hello"),
        ("## hello", (4, 4), "header-2", "hello"),
        ("a **b** c", (0, 9), "bold", "**a b c**"),
        ("**word**", (2, 6), "bold", "word"),
        ("**word**", (0, 8), "bold", "word"),
        ("one\n\ntwo", (0, 8), "bold", "**one**\n\n**two**"),
        (" word ", (0, 6), "italic", " _word_ "),
        ("one\ntwo", (0, 7), "unordered-list", "- one\n- two"),
        ("- one\n- two", (0, 11), "unordered-list", "one\ntwo"),
        ("- one\n- two", (0, 11), "ordered-list", "1. one\n2. two"),
        ("> one", (3, 3), "quote", "one"),
        ("one\ntwo", (0, 7), "code", "```\none\ntwo\n```"),
        ("```\none\n```", (0, 11), "code", "one"),
        ("[map](url)", (0, 10), "link", "map"),
        ("**two words**", (6, 6), "bold", "two words"),
        ("**two more words**", (6, 10), "bold", "**two** more **words**"),
        ("one two", (5, 5), "bold", "one **two**"),
        ("**a** and **b**", (0, 15), "bold", "**a and b**"),
        ("a **b c** d", (0, 5), "bold", "**a b c** d"),
        ("__old__", (2, 5), "bold", "old"),
        ("It is the *level*.", (12, 12), "italic", "It is the level."),
        ("a snake_case_name", (0, 17), "italic", "_a snake_case_name_"),
        ("- one\n2. two\n> ## three", (0, 23), "bold", "- **one**\n2. **two**\n> ## **three**"),
        ("- **one**\n- [ ] **two**", (0, 23), "bold", "- one\n- [ ] two"),
        ("😀 ok", (0, 5), "bold", "**😀 ok**"),
        ("مرحبا بكم", (0, 5), "bold", "**مرحبا** بكم"),
        ("a `b", (0, 4), "code", "`` a `b ``"),
        ("> said", (4, 4), "header-2", "> ## said"),
        ("> ## said", (6, 6), "header-2", "> said"),
        ("# one", (3, 3), "header-3", "### one"),
        ("- one", (3, 3), "header-2", "## one"),
        ("- one\n  - in it\n  - too\n- two", (0, 30), "ordered-list", "1. one\n   1. in it\n   2. too\n2. two"),
        ("1. one\n   1. in it", (0, 19), "unordered-list", "- one\n  - in it"),
        ("- [x] one\n- [ ] two", (0, 19), "unordered-list", "one\ntwo"),
        ("> one\n> two", (0, 11), "unordered-list", "> - one\n> - two"),
        ("~~gone~~ and ~~too~~", (4, 4), "strikethrough", "gone and ~~too~~"),
    ],
)
def test_a_button_takes_back_what_it_made(
    page: Page, text: str, selected: tuple[int, int], tool: str, written: str
) -> None:
    body(page).fill(text)
    body(page).evaluate("(field, [from, to]) => field.setSelectionRange(from, to)", list(selected))

    page.locator(f"[data-tool={tool}]").click()

    expect(body(page)).to_have_value(written)
    page.keyboard.press("Control+z")
    expect(body(page)).to_have_value(text)


def test_a_table_leaves_the_caret_in_its_first_heading(page: Page) -> None:
    body(page).fill("Before.")

    page.locator("[data-tool=table]").click()
    page.keyboard.type("Ship")

    expect(body(page)).to_have_value("Before.\n\n| Ship | Heading |\n| --- | --- |\n|  |  |\n")


def test_a_drop_lands_where_it_was_dropped_in_a_long_text(page: Page) -> None:
    body(page).fill("\n\n".join(f"Line {number}." for number in range(90)))
    page.evaluate("scrollTo(0, 1500)")
    places = page.evaluate("""() => {
      const place = document.caretPositionFromPoint(200, 500);
      return [place.offsetNode.id, place.offset];
    }""")
    line = body(page).input_value()[: places[1]].count("\n") // 2

    page.evaluate(_SEND, ["drop", {}, [["here.webp", "image/webp", list(plain("WEBP"))]], [200, 500]])

    expect(body(page)).to_have_value(re.compile(rf"Line {line}\.\n+!\[\]" + _PATH.format(r"here\.webp")))
