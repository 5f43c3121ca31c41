"""The catalogue and the name of a language, and the setting ``locale``."""

from pathlib import Path

import pytest
from pydantic import ValidationError
from pytest_django import Settings

from blog_engine.conf import BlogSettings
from blog_engine.conf.languages import catalogue_of, name_of_language
from tests.reader.languages import compile_language
from tests.requirements import requirement
from tests.support.hosts import blog_settings


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        *[("de", "de"), ("de-CH-1901", "de-ch"), ("en-GB", "en-gb"), ("zh-CN", "zh-hans"), ("zh-Hant-HK", "zh-hant")],
        *[("zh", "zh-hans"), ("zh-Hans-CN", "zh-hans"), ("zh-cmn-Hans", "zh-hans"), ("zh-TW", "zh-hant")],
        *[
            ("sr-Latn-RS", "sr-latn"),
            ("sr-RS", "sr-rs"),
            ("fr-Latn", "fr"),
            ("tlh", None),
            ("English", None),
            ("", None),
        ],
    ],
)
def test_a_language_has_the_catalogue_of_its_longest_known_code(tag: str, code: str | None) -> None:
    assert catalogue_of(tag) == code


def test_a_language_has_the_catalogue_of_the_host(settings: Settings, tmp_path: Path) -> None:
    settings.LOCALE_PATHS = [compile_language(tmp_path, "mt", {"Copy": "Ikkopja"})]

    assert (catalogue_of("mt"), catalogue_of("mt-MT")) == ("mt", "mt-mt")


@requirement("pages.language")
@pytest.mark.parametrize(
    ("locale", "language", "catalogue", "direction"),
    [
        ("de_CH", "de-CH", "de-ch", "ltr"),
        ("zh", "zh", "zh-hans", "ltr"),
        ("zh-Hans-CN", "zh-Hans-CN", "zh-hans", "ltr"),
        ("tlh", "tlh", "tlh", "ltr"),
        ("ps", "ps", "ps", "rtl"),
        ("pa-pk", "pa-pk", "pa-pk", "rtl"),
    ],
)
def test_a_locale_decides_tag_catalogue_and_direction(
    locale: str, language: str, catalogue: str, direction: str
) -> None:
    known = BlogSettings.model_validate(blog_settings(locale=locale))

    assert (known.language, known.catalogue, known.direction) == (language, catalogue, direction)


@requirement("pages.language")
@pytest.mark.parametrize("locale", ["klingon", "xx-yy-zz", "English", "art-lojban", "i-klingon", "x-private", "de--at"])
def test_a_locale_that_is_no_language_tag_is_refused(locale: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        BlogSettings.model_validate(blog_settings(locale=locale))

    assert ("locale",) in [error["loc"] for error in refusal.value.errors()]


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        *[("de", "Deutsch"), ("fr", "Français"), ("de-AT", "Deutsch (AT)"), ("zh-CN", "简体中文"), ("tlh", "tlh")],
        *[
            ("pt-BR", "Português Brasileiro"),
            ("zh", "中文"),
            ("zh-Hans-SG", "简体中文 (SG)"),
            ("English", "English"),
            ("", ""),
        ],
    ],
)
def test_a_language_is_called_as_its_speakers_call_it(tag: str, name: str) -> None:
    assert name_of_language(tag) == name
