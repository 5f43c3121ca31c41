"""The names of languages, and their catalogues."""

import pytest

from blog_engine.rules.languages import catalogue_of, name_of_language


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        *[("de", "Deutsch"), ("fr", "Français"), ("de-AT", "Deutsch (AT)"), ("zh-CN", "简体中文"), ("tlh", "tlh")],
        *[("pt-BR", "Português Brasileiro"), ("", "")],
    ],
)
def test_a_language_is_called_as_its_speakers_call_it(tag: str, name: str) -> None:
    assert name_of_language(tag) == name


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        *[("de", "de"), ("de-CH-1901", "de"), ("en-GB", "en-gb"), ("zh-CN", "zh-hans"), ("zh-Hant-HK", "zh-hant")],
        *[("tlh", None), ("", None)],
    ],
)
def test_a_language_has_the_catalogue_of_its_longest_known_code(tag: str, code: str | None) -> None:
    assert catalogue_of(tag) == code
