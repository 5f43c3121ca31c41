"""The picture of shared links: what it shows, in every script, and where it is kept."""

import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from django.test import override_settings
from PIL import Image, ImageChops, ImageFont
from pytest_django import Settings

from blog_engine.conf.colors import contrast
from blog_engine.errors import Unavailable
from blog_engine.images import social, social_drawing
from blog_engine.images.fonts import FontSet, FoundFont, clusters, plain_characters
from blog_engine.images.social import (
    SOCIAL_FOLDER,
    SocialPicture,
    font_set,
    social_picture,
    stored_social_picture,
)
from blog_engine.images.social_drawing import draw_social_picture
from tests.requirements import requirement
from tests.support.hosts import blog_settings, file_names, use_storage

SCRIPTS = {
    "Latin": "Größe, Łódź & Ærøskøbing: Tiếng Việt",
    "Greek": "Ταχύτερες σελίδες",
    "Cyrillic": "Как мы ускорили наш журнал",
    "Arabic": "كيف خفضنا وقت الاستجابة إلى النصف",
    "Hebrew": "איך קיצרנו את זמן התגובה",
    "Devanagari": "हमने प्रतिक्रिया का समय कैसे घटाया",
    "Bengali": "আমরা কীভাবে সময় কমিয়েছি",
    "Tamil": "நாங்கள் நேரத்தைக் குறைத்தோம்",
    "Thai": "วิธีที่เราลดเวลาตอบสนองลง",
    "Khmer": "របៀបដែលយើងកាត់បន្ថយពេលវេលា",
    "Han": "我们如何将响应时间缩短一半",
    "Kana": "サーバーをふやさずに、はやくする",
    "Hangul": "새 서버 없이 응답 시간을 줄인 방법",
    "Georgian": "როგორ შევამცირეთ დრო",
    "Armenian": "Ինչպես կրճատեցինք ժամանակը",
    "Ethiopic": "ጊዜን እንዴት እንደቀነስን",
}
RIGHT_TO_LEFT = {"Arabic", "Hebrew"}


def picture(title: str = "Soil", author: str = "Ada Example", *, language: str = "", **settings: Any) -> SocialPicture:
    with override_settings(BLOG_ENGINE=blog_settings(**settings)):
        found = social_picture(title=title, author=author, language=language)
    assert found is not None
    return found


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the pictures that are drawn."""
    titles: list[str] = []

    def draw(one: SocialPicture) -> bytes:
        titles.append(one.title)
        return draw_social_picture(one)

    monkeypatch.setattr(social_drawing, "draw_social_picture", draw)
    return titles


def pixels(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.fonts
@requirement("media.social.scripts")
@pytest.mark.parametrize("script", SCRIPTS)
def test_each_script_is_drawn_with_its_own_glyphs(script: str) -> None:
    title = SCRIPTS[script]
    runs = font_set().runs(title, is_bold=True)

    assert "".join(run.text for run in runs) == title
    for run in runs:
        font = ImageFont.truetype(run.font.path, 40)
        unknown = font.getmask("\U0010fffd")
        letters = [cluster for cluster in clusters(run.text) if cluster != " "]
        boxes = [cluster for cluster in letters if bytes(font.getmask(cluster)) == bytes(unknown)]
        assert (run.font.path, boxes) == (run.font.path, [])


@pytest.mark.fonts
@requirement("media.social.scripts")
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_title_of_each_script_begins_where_its_lines_begin(script: str) -> None:
    title = SCRIPTS[script]
    drawn = pixels(draw_social_picture(picture(title)))

    empty = Image.new("RGB", drawn.size, picture().colors.ground)
    left = (ImageChops.difference(drawn, empty).crop((0, 150, 700, 500)).getbbox() or (0, 0, 0, 0))[0]
    assert drawn.size == (1200, 630)
    if script not in RIGHT_TO_LEFT:
        assert left == pytest.approx(80, abs=14)
    else:
        start = ImageChops.difference(drawn, empty).crop((700, 150, 1200, 500)).getbbox()
        assert start is not None
        assert 700 + start[2] == pytest.approx(1120, abs=14)


@pytest.mark.fonts
@requirement("media.social.scripts")
def test_joined_letters_are_narrower_than_single_ones() -> None:
    run = font_set().runs("سلام", is_bold=True)[0]
    font = ImageFont.truetype(run.font.path, 100, layout_engine=ImageFont.Layout.RAQM)

    assert font.getlength(run.text) < 0.8 * sum(map(font.getlength, run.text))


@requirement("media.social.text")
@pytest.mark.parametrize(
    "title",
    [
        "M" * 300,
        "W " * 150,
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "i",
        pytest.param("漢" * 300, marks=pytest.mark.fonts),
    ],
    ids=["one word", "short words", "long word", "one letter", "ideographs"],
)
def test_no_title_leaves_the_picture(title: str) -> None:
    drawn = pixels(draw_social_picture(picture(title, author="A" * 200, site_name="S" * 200)))

    ground = Image.new("RGB", drawn.size, picture().colors.ground)
    for box in ((0, 14, 60, 630), (1145, 14, 1200, 250), (0, 14, 1200, 60)):
        assert ImageChops.difference(drawn.crop(box), ground.crop(box)).getbbox() is None


def test_colors_are_those_of_the_host() -> None:
    light = picture(brand={"accent": "#7a1fa2"}).colors
    dark = picture(color_scheme="dark", theme_colors={"accent": "#123456"}).colors

    assert light.accent == "#7a1fa2"
    assert light.accent != dark.accent
    assert contrast("#ffffff", light.ground) < 1.2 < 10 < contrast("#ffffff", dark.ground)
    for colors in (light, dark):
        assert min(contrast(colors.heading, behind) for behind in (colors.ground, colors.soft)) >= 4.5
        assert contrast(colors.text, colors.ground) >= 4.5
    assert pixels(draw_social_picture(picture(brand={"accent": "#7a1fa2"}))).getpixel((600, 4)) == (0x7A, 0x1F, 0xA2)


@requirement("media.social.digest")
def test_the_digest_is_that_of_all_that_is_shown() -> None:
    same = picture()
    others = [
        picture("Stone"),
        picture(author="Bo Example"),
        picture(site_name="Other"),
        picture(locale="de"),
        picture(language="de"),
        picture(brand={"accent": "#7a1fa2"}),
        picture(color_scheme="dark"),
        picture(social_pictures={"fonts": ["/nowhere"]}),
    ]

    assert same.digest == picture().digest
    assert all(one != other for one, other in pairwise(sorted(found.digest for found in [same, *others])))
    assert draw_social_picture(same) == draw_social_picture(picture())


@pytest.mark.fonts
@requirement("media.social.language")
@pytest.mark.parametrize(
    ("title", "language", "locale", "shown"),
    [
        ("骨角海直今", "", "en", "en"),
        ("骨角海直今", "", "zh-Hant", "zh-Hant"),
        ("骨角海直今", "zh-Hans", "ja", "zh-Hans"),
        ("日の出", "", "zh-Hans", "ja"),
        ("日の出", "de", "en", "ja"),
        ("日の出", "zh-Hans", "en", "zh-Hans"),
        ("漢字와 한글", "", "en", "ko"),
        ("Erde", "de", "en", "de"),
    ],
)
def test_a_picture_has_the_language_of_its_post(title: str, language: str, locale: str, shown: str) -> None:
    made = picture(title, language=language, locale=locale)

    assert (made.language, made.site_language) == (shown, locale)


@pytest.mark.fonts
@requirement("media.social.language")
def test_chinese_characters_have_the_forms_of_the_language() -> None:
    title = "骨角海直今"
    drawn = [
        pixels(draw_social_picture(picture(title, language=language))).crop((0, 150, 700, 500)).tobytes()
        for language in ("zh-Hans", "ja")
    ]

    assert drawn[0] != drawn[1]


@requirement("media.social.no-font", "media.social.emoji", "media.social.off")
@pytest.mark.parametrize(
    ("title", "author", "chosen"),
    [
        ("\U00016f00", "Ada", {}),
        ("\U00016f00\U00016f00 \U00016f00 is", "Ada", {}),
        ("🎉", "Ada", {}),
        ("Soil", "Ada", {"social_pictures": {"enabled": False}}),
    ],
    ids=["title", "most of the title", "only emoji", "off"],
)
def test_some_posts_have_no_picture(title: str, author: str, chosen: dict[str, Any], no_system_fonts: None) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(**chosen)):
        assert social_picture(title=title, author=author) is None


@requirement("media.social.made-once")
def test_a_picture_is_drawn_once_and_replaces_that_of_earlier_content(storage: Storage, drawn: list[str]) -> None:
    soil, stone = picture("Soil"), picture("Stone")

    first, again = (stored_social_picture(soil, post_id=7) for _ in range(2))
    other = stored_social_picture(stone, post_id=7)

    assert drawn == ["Soil", "Stone"]
    assert first == again == draw_social_picture(soil)
    assert other == draw_social_picture(stone)
    assert file_names(storage) == [f"{SOCIAL_FOLDER}/7.png"]


@requirement("media.social.no-font")
def test_a_letter_without_a_font_never_loses_the_picture(no_system_fonts: None) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(site_name="Heft \U00016f01")):
        made = social_picture(title="Soil of \U00016f00 gardens", author="Ada \U00016f00")

    assert made is not None
    assert (made.title, made.author, made.site) == ("Soil of □ gardens", "", "")
    assert pixels(draw_social_picture(made)).size == (1200, 630)


@requirement("media.social.no-font")
def test_a_name_that_no_font_can_write_leaves_those_of_other_authors(no_system_fonts: None) -> None:
    made = social_picture(title="Soil", author="Ada", coauthors=["Ben \U00016f00", "Ute"])

    assert made is not None
    assert made.author == "Ada, Ute"


@requirement("media.social.undrawable")
def test_a_picture_that_cannot_be_drawn_is_logged(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = FoundFont(str(Path(social.__file__)))
    monkeypatch.setattr(FontSet, "_font_for", lambda *args, **kwargs: damaged)

    assert stored_social_picture(picture("Damaged"), post_id=7) is None
    assert "could not be drawn" in caplog.text
    assert file_names(storage) == []


@requirement("media.social.made-once")
def test_an_incomplete_file_is_drawn_again(storage: Storage) -> None:
    soil = picture()
    whole = draw_social_picture(soil)
    storage.save(f"{SOCIAL_FOLDER}/7.png", ContentFile(whole[:-5]))

    assert stored_social_picture(soil, post_id=7) == whole
    with storage.open(f"{SOCIAL_FOLDER}/7.png") as file:
        assert file.read() == whole


@requirement("media.social.unsaved")
def test_a_picture_that_cannot_be_saved_is_drawn_once_in_a_minute(
    failing_storage: None, drawn: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    soil = social_picture(title="Soil", author="Ada Example")
    assert soil is not None

    first, again = (stored_social_picture(soil, post_id=7) for _ in range(2))
    assert first == again == draw_social_picture(soil)
    assert drawn == ["Soil"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    monkeypatch.setattr(social, "monotonic", lambda: monotonic() + 61)
    assert stored_social_picture(soil, post_id=7) == first
    assert drawn == ["Soil", "Soil"]


@requirement("media.social.unsaved")
def test_few_pictures_are_drawn_that_cannot_be_saved(
    failing_storage: None, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert social.MOST_UNSAVED == 32
    monkeypatch.setattr(social, "MOST_UNSAVED", 2)
    made = [social_picture(title=title, author="") for title in ("Soil", "Stone", "Sand")]
    soil, stone, sand = (one for one in made if one)

    shown = [stored_social_picture(one, post_id=number) for number, one in enumerate((soil, stone))]
    with pytest.raises(Unavailable):
        stored_social_picture(sand, post_id=9)
    assert [stored_social_picture(one, post_id=number) for number, one in enumerate((soil, stone))] == shown


class Deleted(FileSystemStorage):
    """A storage in which another process deletes each file while it is written."""

    def _save(self, name: str, content: Any) -> str:
        super()._save(name, content)  # type: ignore[misc]
        self.delete(name)
        raise FileNotFoundError(name)


@requirement("media.social.unsaved")
def test_a_picture_that_another_process_deleted_is_shown(settings: Settings, storage: Storage) -> None:
    use_storage(settings, Deleted, alias="shared")
    soil = picture()
    settings.BLOG_ENGINE = blog_settings(storage="shared")

    assert stored_social_picture(soil, post_id=7) == draw_social_picture(soil)
    settings.BLOG_ENGINE = blog_settings(storage="default")
    assert stored_social_picture(soil, post_id=7) == draw_social_picture(soil)
    assert file_names(storage) == [f"{SOCIAL_FOLDER}/7.png"]


@requirement("media.social.out-of-reach")
def test_a_picture_does_not_wait_for_long(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert social._LONGEST_WAIT == 2
    monkeypatch.setattr(social, "_LONGEST_WAIT", 0.01)

    with social._DRAWING, pytest.raises(Unavailable):
        stored_social_picture(picture(), post_id=7)
    assert file_names(storage) == []


@requirement("media.social.no-font")
def test_the_engine_has_every_letter_for_which_no_font_is_asked(no_system_fonts: None) -> None:
    letters = "".join(filter(social._OWN_LETTERS.fullmatch, map(chr, range(sys.maxunicode + 1))))

    assert len(letters) > 400
    assert FontSet().missing(plain_characters(letters)) == ""
    assert plain_characters(letters).replace(" ", "") == letters.replace(" ", "")
