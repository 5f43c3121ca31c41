"""Language tags: syntax, usual case and direction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.languages import direction_of_language, normalized_language
from tests.requirements import requirement


@requirement("posts.language.tag")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        *[("de", "de"), ("DE", "de"), ("pt-br", "pt-BR"), ("zh-hans", "zh-Hans"), ("ZH-HANT-hk", "zh-Hant-HK")],
        *[("es-419", "es-419"), ("sl-ROZAJ-biske-1994", "sl-rozaj-biske-1994"), ("de-CH-1901", "de-CH-1901")],
        *[("zh-cmn-hans-cn", "zh-cmn-Hans-CN"), ("az-arab-X-aze-derbend", "az-Arab-x-aze-derbend")],
        *[("en-a-myext-b-another", "en-a-myext-b-another"), ("de-u-CO-phonebk", "de-u-co-phonebk")],
    ],
)
def test_a_well_formed_tag_gets_its_usual_case(sent: str, stored: str) -> None:
    assert normalized_language(sent) == stored


@requirement("posts.language.tag")
@pytest.mark.parametrize(
    "sent",
    [
        *["", "d", "de_DE", "de-", "-de", "de--AT", "deutsch-", "x-private", "i-klingon", "en-GB-oed"],
        *["de-DE-1996-1996", "en-a-bb-a-cc", "de-419-DE", "de-u", "ab-c-", "täst", "de\n", "english language"],
        "en-x-" + "-".join(["abcdefgh"] * 4),
        *["English", "deutsch", "klingon", "abcd", "x", "xx-yy-zz", "art-lojban", "zh-min-nan", "ZH-Xiang", "no-bok"],
    ],
)
def test_any_other_text_is_no_tag(sent: str) -> None:
    assert normalized_language(sent) is None


@given(st.from_regex(r"[A-Za-z0-9]{1,9}(-[A-Za-z0-9]{1,9}){0,5}", fullmatch=True))
@settings(deadline=None)
def test_a_normalized_tag_stays_as_it_is(sent: str) -> None:
    tag = normalized_language(sent)

    assert tag is None or (normalized_language(tag) == tag and tag.lower() == sent.lower())


@pytest.mark.parametrize(
    ("tag", "direction"),
    [
        *[("de", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("fa", "rtl"), ("ur-PK", "rtl"), ("yi", "rtl")],
        *[("az-Arab", "rtl"), ("az", "ltr"), ("ar-Latn", "ltr"), ("", "ltr"), ("tlh", "ltr")],
        *[("pa-PK", "rtl"), ("uz-AF", "rtl"), ("az-IR", "rtl"), ("pa-IN", "ltr"), ("uz-UZ", "ltr"), ("pa", "ltr")],
        *[("pa-Guru-PK", "ltr"), ("ar-PK", "rtl"), ("PA-pk", "rtl"), ("English", "ltr"), ("arabic", "ltr")],
        *[(tag, "rtl") for tag in ["arz", "ary", "azb", "skr", "lrc", "glk", "prs", "bal", "pbu", "shu", "ji", "rhg"]],
    ],
)
def test_a_language_is_written_in_the_direction_of_its_script(tag: str, direction: str) -> None:
    assert direction_of_language(tag) == direction
