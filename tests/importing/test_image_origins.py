"""What a source says of where its images come from, and exports that are imported again."""

from pathlib import Path
from typing import Any

import pytest

from blog_engine import services
from blog_engine.importing.source import ImageUse, LossKind, SourceImage, SourceOrigin, source_origin
from blog_engine.inputs.images import UpdateImage
from blog_engine.models import Image
from tests.exporting.originals import Original, make_original
from tests.importing.old_blogs import OLD, entry, imported, run_import
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, save, store_image
from tests.support.images import plain, png

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

MADE = "trainedAlgorithmicMedia"
BY_AI = (Path(__file__).parents[1] / "images" / "origins" / "ai.jpg").read_bytes()
"""A photo whose XMP names ``MADE``."""

IN_FILE = "Ann Lee / Quay Press"
"""The credit that its XMP has."""

Said = tuple[str, str | None, str | None]


@pytest.fixture
def media(tmp_path: Path) -> Path:
    (tmp_path / "leek.png").write_bytes(png("green"))
    (tmp_path / "ai.jpg").write_bytes(BY_AI)
    return tmp_path


def said(image: Image) -> Said:
    """Return what is said of an image, and by whom."""
    return image.credit, image.digital_source_type, image.source_type_from


def library(name: str, *, credit: str | None = None, source_type: str | None = None) -> SourceImage:
    return SourceImage("7", (f"{OLD}/{name}",), origin=SourceOrigin(credit, source_type))


@requirement("import.images.origin")
@pytest.mark.parametrize(
    ("name", "origin", "expected"),
    [
        ("leek.png", {"credit": "Ann\n Lee", "source_type": MADE}, ("Ann Lee", MADE, "sent")),
        ("leek.png", {"credit": "A" * 501}, ("A" * 500, None, None)),
        ("leek.png", {}, ("", None, None)),
        ("leek.png", {"source_type": ""}, ("", None, None)),
        ("ai.jpg", {}, (IN_FILE, MADE, "file")),
        ("ai.jpg", {"credit": "Ann Lee", "source_type": MADE}, ("Ann Lee", MADE, "file")),
        ("ai.jpg", {"source_type": "humanEdits"}, (IN_FILE, "humanEdits", "sent")),
        ("ai.jpg", {"source_type": ""}, (IN_FILE, None, "sent")),
    ],
)
def test_a_new_image_has_what_the_source_says(media: Path, name: str, origin: dict[str, str], expected: Said) -> None:
    body = f"![a]({OLD}/{name})"

    outcome = run_import(library(name, **origin), entry(body=body), entry(2, body=body), media=media)

    assert said(Image.objects.get()) == expected
    assert outcome.kinds() == []


@requirement("import.images.origin")
@pytest.mark.parametrize("use", [ImageUse(source_id="7"), ImageUse(url=f"{OLD}/leek.png")], ids=["library", "url"])
def test_a_cover_has_what_the_source_says_of_its_image(media: Path, use: ImageUse) -> None:
    run_import(library("leek.png", credit="Ann Lee", source_type=MADE), entry(cover=use), media=media)

    assert said(Image.objects.get()) == ("Ann Lee", MADE, "sent")


@requirement("import.images.origin")
def test_what_the_post_says_of_its_cover_comes_before_the_library(media: Path) -> None:
    use = ImageUse(url=f"{OLD}/leek.png", origin=SourceOrigin(source_type="print"))

    run_import(library("leek.png", credit="Ann Lee", source_type=MADE), entry(cover=use), media=media)

    assert said(Image.objects.get()) == ("Ann Lee", "print", "sent")


@requirement("import.images.origin")
@pytest.mark.parametrize(
    ("here", "expected"),
    [
        ({"credit": "Rosa", "digital_source_type": "digitalCapture"}, ("Rosa", "digitalCapture", "sent")),
        ({"credit": "", "digital_source_type": None}, ("Ann Lee", None, "sent")),
        ({"credit": "Rosa"}, ("Rosa", "print", "sent")),
    ],
)
def test_what_people_said_here_stays(media: Path, here: dict[str, Any], expected: Said) -> None:
    image = store_image(BY_AI, filename="ai.jpg")
    services.update_image(UpdateImage(id=image.pk, **here), actor=EDITOR, now=NOW)

    run_import(library("ai.jpg", credit="Ann Lee", source_type="print"), entry(body=f"![]({OLD}/ai.jpg)"), media=media)

    image.refresh_from_db()
    assert said(image) == expected


@requirement("import.images.origin")
def test_a_later_run_changes_nothing_that_people_changed_since(media: Path) -> None:
    source = library("leek.png", credit="Ann Lee", source_type=MADE), entry(body=f"![]({OLD}/leek.png)")
    run_import(*source, media=media)
    image = Image.objects.get()
    changed = UpdateImage(id=image.pk, credit="Rosa", digital_source_type="print")
    services.update_image(changed, actor=EDITOR, now=NOW)

    run_import(*source, media=media)

    image.refresh_from_db()
    assert said(image) == ("Rosa", "print", "sent")


@requirement("import.images.origin")
def test_a_dry_run_leaves_an_image_as_it_was(media: Path) -> None:
    image = store_image(png("green"), filename="leek.png")

    source = library("leek.png", credit="Ann Lee", source_type=MADE), entry(body=f"![]({OLD}/leek.png)")
    run_import(*source, media=media, dry_run=True)

    image.refresh_from_db()
    assert said(image) == ("", None, None)


@requirement("import.images.origin")
@pytest.mark.parametrize(
    ("term", "said_by", "expected"),
    [
        (MADE, None, MADE),
        (f"http://cv.iptc.org/newscodes/digitalsourcetype/{MADE}", "file", MADE),
        ("TRAINEDALGORITHMICMEDIA", "sent", MADE),
        ("digitalArt", "file", None),
        ("magic", "sent", None),
        (None, "sent", ""),
        ("", "sent", ""),
        (None, None, None),
        ("", "file", None),
    ],
)
def test_terms_are_read_in_every_spelling(term: str | None, said_by: str | None, expected: str | None) -> None:
    assert source_origin(credit=None, source_type=term, said_by=said_by).source_type == expected


@requirement("import.markdown.images")
def test_front_matter_says_where_cover_and_social_image_come_from(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "content" / "posts").mkdir(parents=True)
    (site / "static").mkdir()
    for name in ("leek.png", "soil.png"):
        (site / "static" / name).write_bytes(png("green" if name == "leek.png" else "brown"))
    (site / "hugo.toml").write_text('baseURL = "https://old.example/"\n')
    (site / "content" / "posts" / "leek.md").write_text(
        "---\ntitle: Leek\ndate: 2019-05-06\n"
        f"cover:\n  image: /leek.png\n  alt: A leek\n  credit: Ann Lee\n  digital_source_type: {MADE}\n"
        "social_image: {image: /soil.png, credit: 7, digital_source_type: magic}\n---\nText.\n"
    )

    report = imported("markdown", site, tmp_path / "report.json")

    assert {image.filename: said(image) for image in Image.objects.all()} == {
        "leek.png": ("Ann Lee", MADE, "sent"),
        "soil.png": ("7", None, None),
    }
    [post] = report["posts"]
    assert [(one["kind"], one["message"]) for one in post["losses"]] == [
        (LossKind.FIELD, "digital_source_type is no term of IPTC that an image can have: 'magic'")
    ]


def write_blog() -> None:
    """A blog whose images say everything that people can say of them."""
    marked = store_image(plain(color="red"), filename="marked.png", credit="Ann Lee", digital_source_type=MADE)
    unmarked = store_image(BY_AI, filename="unmarked.jpg", credit="Rosa", digital_source_type=None)
    read = store_image(plain("WEBP", color="navy"), filename="plain.webp")
    credited = (Path(__file__).parents[1] / "images" / "origins" / "records.jpg").read_bytes()
    cleared = store_image(credited, filename="photo.jpg", credit="")
    social = store_image(plain(color="blue"), filename="social.png", credit="Mina", digital_source_type="print")
    body = "".join(f"![A picture]({image.url})\n\n" for image in (marked, unmarked, read, cleared))
    save(
        title="Shown",
        publish=True,
        body=body,
        cover_image={"image_id": marked.pk},
        cover_alt="Red",
        social_image={"image_id": social.pk},
    )


@pytest.fixture
def exported(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return make_original(tmp_path_factory.mktemp("exported"), write_blog)


def origins_of(rows: list[dict[str, Any]]) -> dict[str, tuple[str | None, ...]]:
    names = ("credit", "digital_source_type", "source_type_from", "source_type_in_file")
    return {row["sha256"]: tuple(row[name] for name in names) for row in rows}


@requirement("import.images.origin", "import.markdown.images", "export.front-matter")
def test_an_export_is_imported_as_markdown_without_loss(exported: Original, tmp_path: Path) -> None:
    report = imported("markdown", exported.folder, tmp_path / "report.json")

    assert origins_of(list(Image.objects.values())) == origins_of(exported.rows["Image"])
    [post] = report["posts"]
    assert [one for one in post["losses"] if one["kind"] == LossKind.IMAGE] == []


@requirement("import.images.origin", "export.wordpress.images", "import.wordpress.images")
def test_an_export_for_wordpress_is_imported_without_loss(exported: Original, tmp_path: Path) -> None:
    imported("wordpress", exported.wordpress, tmp_path / "report.json", f"MEDIA={exported.folder / 'static'}")

    found, expected = origins_of(list(Image.objects.values())), origins_of(exported.rows["Image"])
    social = next(row["sha256"] for row in exported.rows["Image"] if row["filename"] == "social.png")
    # WordPress has no image for shared links.
    assert found == {digest: row for digest, row in expected.items() if digest != social}


@requirement("import.images.origin")
@pytest.mark.parametrize(
    "lines",
    ["", "{", "[]", '{"sha256": 7}', '{"sha256": "00", "credit": {}, "digital_source_type": 1}', "\xff", "x" * 70_000],
)
def test_a_list_of_images_that_cannot_be_read_stops_nothing(exported: Original, tmp_path: Path, lines: str) -> None:
    (exported.folder / "history" / "image.jsonl").write_bytes(lines.encode("latin-1"))

    report = imported("markdown", exported.folder, tmp_path / "report.json")

    assert [post["status"] for post in report["posts"]] == ["published"]
