"""The names of languages."""

import pytest

from blog_engine.rules.languages import name_of_language


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
