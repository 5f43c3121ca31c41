"""The interface in other languages than English."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import translation
from django.utils.formats import reset_format_cache
from pytest_django import Settings

from blog_engine.rules.dates import day_in_words, long_date, short_date
from tests.reader.languages import (
    BRANDS,
    all_words,
    compile_language,
    english_messages,
    japanese_settings,
    latin_words,
    marked_language,
    publish_everything,
    unmarked,
    words_of,
)
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, save, store_image
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Element, Visitor, text_of

CATALOGUES = [
    "de",
    *(
        pytest.param(name, marks=pytest.mark.heavy)
        for name in ("ar", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh_Hans")
    ),
]
LOCALE_MIDDLEWARE = "django.middleware.locale.LocaleMiddleware"


@requirement("pages.translations")
def test_every_word_of_the_interface_can_be_translated(visitor: Visitor, settings: Settings, tmp_path: Path) -> None:
    settings.LOCALE_PATHS = [marked_language(tmp_path, "ja")]
    settings.BLOG_ENGINE = japanese_settings(locale="ja", feed_content="full")

    said = all_words(visitor)

    fixed = {path: found for path, texts in said.items() if (found := latin_words(unmarked(texts)) - BRANDS)}
    assert fixed == {}
    assert any("«" in text for text in said["/soil"])


@requirement("pages.translations", "pages.language")
@pytest.mark.parametrize("catalogue", CATALOGUES)
@pytest.mark.heavy
def test_no_english_word_is_left_on_a_page(visitor: Visitor, settings: Settings, catalogue: str) -> None:
    settings.BLOG_ENGINE = japanese_settings(locale=catalogue, feed_content="full")
    messages = english_messages(catalogue)
    assert any(messages.search(text) for text in ("Skip to the content", "Nothing was found for words.", "3 posts"))

    said = all_words(visitor)

    assert {(path, text) for path, texts in said.items() for text in texts if messages.search(text)} == set()
    assert all(said[path] for path in ("/", "/soil", "/none"))


@requirement("pages.translations")
@pytest.mark.parametrize(
    "locale", ["he", *(pytest.param(name, marks=pytest.mark.heavy) for name in ("cs", "fi", "ko", "tr"))]
)
def test_a_language_without_a_catalogue_says_everything_in_english(
    visitor: Visitor, settings: Settings, locale: str
) -> None:
    # Django keeps a catalogue with the fallback language of its first use; setting this one forgets them all.
    settings.LOCALE_PATHS = []
    paths = {path: status for path, status in publish_everything().items() if path != "/search"}
    changes = {"feed_content": "full", "search_rate_limit": "999/m"}

    def english_on(locale: str) -> dict[str, set[str]]:
        settings.BLOG_ENGINE = japanese_settings(locale=locale, **changes)
        said = {path: words_of(visitor.page(path, status=status)) for path, status in paths.items()}
        said["/soil.md"] = [text_of(visitor.get("/soil.md"))]
        with translation.override(locale):
            months = latin_words(" ".join(show(day) for show in (long_date, short_date) for day in (NOW, LATER)))
        return {path: latin_words(" ".join(texts)) - months for path, texts in said.items()}

    assert english_on(locale) == english_on("en")


@pytest.fixture(params=["fr", *(pytest.param(name, marks=pytest.mark.heavy) for name in ("en", "de"))])
def foreign_host(request: pytest.FixtureRequest, settings: Settings) -> None:
    """A host with its own language, which follows the preferences of its visitors."""
    settings.LANGUAGE_CODE = request.param
    settings.MIDDLEWARE = [LOCALE_MIDDLEWARE, *settings.MIDDLEWARE]


@requirement("pages.language")
@pytest.mark.parametrize("locale", ["de", "en"])
def test_the_hosts_and_the_browsers_language_change_no_page(
    visitor: Visitor, settings: Settings, locale: str, foreign_host: None
) -> None:
    settings.BLOG_ENGINE = japanese_settings(locale=locale, search_rate_limit="99/m")
    paths = [path for path in publish_everything() if path != "/search"]
    texts = [*paths, "/soil.md", "/feed.xml", "/feed.json"]

    there = [visitor.get(path, accept_language="fr, ar;q=0.5").content for path in texts]
    settings.LANGUAGE_CODE, settings.MIDDLEWARE = "en", settings.MIDDLEWARE[1:]
    here = [visitor.get(path).content for path in texts]

    assert there == here


@requirement("pages.language")
@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/soil", 200), ("/none", 404), ("/preview/x", 404), ("/search", 200)]
)
def test_a_page_has_its_language_and_restores_that_of_the_thread(
    visitor: Visitor, settings: Settings, path: str, status: int
) -> None:
    save(title="Soil", publish=True)
    settings.BLOG_ENGINE = blog_settings(locale="de")

    with translation.override("fr"):
        response = visitor.get(path)
        left = translation.get_language()

    assert (response.status_code, response["Content-Language"], left) == (status, "de", "fr")
    assert '<html lang="de" dir="ltr"' in text_of(response)


def test_a_failing_page_restores_the_language_of_the_thread(visitor: Visitor, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(locale="de", layout="no/such.html")
    visitor.client.raise_request_exception = False

    with translation.override("fr"):
        response = visitor.get("/")
        left = translation.get_language()

    assert (response.status_code, left) == (500, "fr")


@requirement("pages.translations")
@pytest.mark.parametrize(
    ("locale", "lang", "direction", "date"),
    [
        ("de-at", "de-at", "ltr", "3. Oktober 2026"),
        ("de_CH", "de-CH", "ltr", "3. Oktober 2026"),
        ("DE", "DE", "ltr", "3. Oktober 2026"),
        ("pt-br", "pt-br", "ltr", "3 de outubro de 2026"),
        ("zh-CN", "zh-CN", "ltr", "2026年10月3日"),
        ("zh_TW", "zh-TW", "ltr", "2026年10月3日"),
        ("ar", "ar", "rtl", "3 أكتوبر، 2026"),
        ("he", "he", "rtl", "3 באוקטובר 2026"),
    ],
)
def test_a_locale_decides_words_direction_and_dates(
    visitor: Visitor, settings: Settings, locale: str, lang: str, direction: str, date: str
) -> None:
    settings.BLOG_ENGINE = japanese_settings(locale=locale)
    save(title="土地", slug="soil", publish=True, now=datetime(2026, 10, 3, 12, tzinfo=UTC))

    page = visitor.page("/soil")

    html = page.one("html").attrs
    assert (html["lang"], html["dir"], page.one("article").one("time").text) == (lang, direction, date)
    assert ("Skip to the content" in " ".join(words_of(page))) == (locale in {"zh_TW", "he"})


@requirement("pages.translations")
@pytest.mark.parametrize(
    ("language", "date"),
    [
        ("en", "October 3, 2026"),
        ("en-gb", "October 3, 2026"),
        ("de", "3. Oktober 2026"),
        ("fr", "3 octobre 2026"),
        ("fr-ca", "3 octobre 2026"),
        ("it", "3 ottobre 2026"),
        ("pt", "3 de outubro de 2026"),
        ("pt-br", "3 de outubro de 2026"),
        ("es", "3 de octubre de 2026"),
        ("nl", "3 oktober 2026"),
        ("zh-hans", "2026年10月3日"),
        ("ja", "2026年10月3日"),
        ("ar", "3 أكتوبر، 2026"),
        ("pl", "3 października 2026"),
    ],
)
def test_long_dates_are_written_as_the_language_does(language: str, date: str) -> None:
    with translation.override(language):
        assert long_date(datetime(2026, 10, 3, 12, tzinfo=UTC)) == date


@requirement("pages.translations")
@pytest.mark.parametrize(
    ("language", "first", "in_year"),
    [
        ("en", "March 1, 2026", "March 1"),
        ("fr", "1er mars 2026", "1er mars"),
        ("it", "1 marzo 2026", "1 marzo"),
        ("pt", "1 de março de 2026", "1 de março"),
        ("de", "1. März 2026", "1. März"),
    ],
)
def test_the_first_of_a_month_is_written_as_the_language_does(language: str, first: str, in_year: str) -> None:
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)

    with translation.override(language):
        assert (long_date(day), day_in_words(day, "MONTH_DAY_FORMAT")) == (first, in_year)


@pytest.fixture
def own_formats(settings: Settings) -> Iterator[None]:
    """A host with its own formats of dates in Italian."""
    settings.FORMAT_MODULE_PATH = "tests.reader.formats"
    reset_format_cache()
    yield
    reset_format_cache()


@requirement("pages.translations")
def test_formats_of_the_host_stay(own_formats: None) -> None:
    with translation.override("it"):
        assert long_date(datetime(2026, 3, 1, 12, tzinfo=UTC)) == "2026-03-01"


@requirement("pages.cards.line")
@pytest.mark.parametrize(
    ("language", "date"),
    [("en", "Nov 7, 2024"), ("en-gb", "Nov 7, 2024"), ("de", "07.11.2024"), ("fr", "07/11/2024"), ("ja", "2024/11/07")],
)
def test_short_dates_are_written_as_the_language_does(language: str, date: str) -> None:
    with translation.override(language):
        assert short_date(datetime(2024, 11, 7, 12, tzinfo=UTC)) == date


@pytest.mark.usefixtures("storage")
def test_years_and_sizes_of_images_are_not_grouped(visitor: Visitor, settings: Settings) -> None:
    image = store_image(plain(size=(1000, 1000)))
    save(title="Soil", cover_image={"image_id": image.pk}, publish=True)
    settings.BLOG_ENGINE = blog_settings(locale="de")
    grouped = []

    for wish in (False, True):
        settings.USE_THOUSAND_SEPARATOR = wish
        grouped.append(text_of(visitor.get("/soil")))

    assert grouped[0] == grouped[1]
    assert 'width="1000"' in grouped[0]


def labels_in(visitor: Visitor) -> list[str]:
    """Return the words that the renderer added to the body of ``/soil``."""
    body: Element = visitor.page("/soil").one("", data_blog_body="")
    return [body.one("p", class_="blog-alert-title").text, body.one("button", class_="blog-copy").text]


@requirement("pages.translations")
def test_a_stored_rendering_follows_the_language(visitor: Visitor, settings: Settings) -> None:
    post = save(title="Soil", body="> [!NOTE]\n> Wet.\n\n```\nx\n```", publish=True).post
    in_english = labels_in(visitor)

    settings.BLOG_ENGINE = blog_settings(locale="de")
    before, stored = labels_in(visitor), post.body_html
    call_command("render_posts")
    post.refresh_from_db()

    assert (in_english, before, labels_in(visitor)) == (["Note", "Copy"], ["Hinweis", "Kopieren"], before)
    assert ("Kopieren" in stored, "Kopieren" in post.body_html) == (False, True)


@pytest.fixture
def own_words(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """A host with its own translations of some messages."""
    settings.LOCALE_PATHS = [compile_language(tmp_path, "de", {"Copy": "Abschreiben", "Share": "Weitersagen"})]
    settings.BLOG_ENGINE = blog_settings(locale="de")
    yield


@requirement("pages.translations")
def test_a_host_changes_single_words(visitor: Visitor, settings: Settings, own_words: None) -> None:
    save(title="Soil", body="> [!NOTE]\n> Wet.\n\n```\nx\n```", publish=True)

    assert labels_in(visitor) == ["Hinweis", "Abschreiben"]
    assert "Weitersagen" in [button.text for button in visitor.page("/soil").all("button")]
