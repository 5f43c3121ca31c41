"""What image files say of where they come from, and the XMP of variants."""

import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image as Picture
from PIL.PngImagePlugin import PngInfo

from blog_engine.content.source_types import AI_SOURCE_TYPES, RETIRED_SOURCE_TYPES, SOURCE_TYPES
from blog_engine.errors import ImageNotPermitted
from blog_engine.images.inspect import inspect_image
from blog_engine.images.origin import MOST_XMP, NO_ORIGIN, FileOrigin, _international_text, xmp_of
from blog_engine.images.variants import draw
from tests.requirements import requirement
from tests.support.images import encoded, halves, plain

FILES = Path(__file__).parent / "origins"
CREDIT, COPYRIGHT, AI = "Ann Lee / Quay Press", "© 2026 Quay Press & Söhne", "trainedAlgorithmicMedia"
SCHEME = "http://cv.iptc.org/newscodes/digitalsourcetype/"

SAYS = {
    "ai.jpg": FileOrigin(CREDIT, COPYRIGHT, AI),
    "ai.png": FileOrigin(CREDIT, COPYRIGHT, AI),
    "ai.webp": FileOrigin(CREDIT, COPYRIGHT, AI),
    "ai.avif": FileOrigin(CREDIT, COPYRIGHT, AI),
    "attributes.jpg": FileOrigin(CREDIT, COPYRIGHT, AI),
    "camera.jpg": FileOrigin(source_type="digitalCapture"),
    "retired.png": FileOrigin(source_type="digitalArt"),
    "other.jpg": FileOrigin(CREDIT, COPYRIGHT),
    "records.jpg": FileOrigin(CREDIT, COPYRIGHT),
    "latin.jpg": FileOrigin("Söhne", "© 2026 Söhne"),
    "exif.jpg": FileOrigin(copyright="(c) 2026 Quay Press"),
}


def said_by(data: bytes) -> FileOrigin:
    return inspect_image(data, filename="quay").origin


def packet(content: str, *, before: str = "") -> bytes:
    return (
        f'{before}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">{content}</rdf:Description></rdf:RDF>'
        "</x:xmpmeta>"
    ).encode()


def with_xmp(xmp: bytes, format: str = "WEBP") -> bytes:
    return encoded(halves(), format, xmp=xmp)


def typed(term: str) -> str:
    return f"<Iptc4xmpExt:DigitalSourceType>{term}</Iptc4xmpExt:DigitalSourceType>"


@requirement("images.origin.file", "images.origin.terms")
@pytest.mark.parametrize("name", SAYS)
def test_a_file_says_where_it_comes_from(name: str) -> None:
    assert said_by((FILES / name).read_bytes()) == SAYS[name]


def test_every_file_of_the_folder_is_read() -> None:
    assert {path.name for path in FILES.iterdir()} == {*SAYS, "make"}


@requirement("images.origin.file")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF", "AVIF"])
def test_a_file_that_says_nothing_has_no_origin(format: str) -> None:
    assert said_by(plain(format)) == NO_ORIGIN


@requirement("images.origin.file")
def test_xmp_counts_before_older_records() -> None:
    with Picture.open(FILES / "records.jpg") as picture:
        records = picture.info["photoshop"][0x0404]
    segment = b"Photoshop 3.0\x008BIM\x04\x04\0\0" + len(records).to_bytes(4) + records
    data = with_xmp(packet("<photoshop:Credit>In XMP</photoshop:Credit>"), "JPEG")
    data = data[:2] + b"\xff\xed" + (len(segment) + 2).to_bytes(2) + segment + data[2:]

    assert said_by(data) == FileOrigin("In XMP", COPYRIGHT)


@requirement("images.origin.file")
def test_compressed_xmp_of_a_png_is_read_also_after_the_pixels() -> None:
    info = PngInfo()
    info.add_itxt("XML:com.adobe.xmp", packet(typed(AI)).decode(), zip=True)
    early = encoded(halves(), "PNG", pnginfo=info)
    start = early.index(b"iTXt") - 4
    end = start + 12 + int.from_bytes(early[start : start + 4])
    late = early[:start] + early[end:-12] + early[start:end] + early[-12:]

    assert (said_by(early).source_type, said_by(late).source_type) == (AI, AI)


@requirement("images.origin.terms")
@pytest.mark.parametrize("term", [*SOURCE_TYPES, *RETIRED_SOURCE_TYPES])
@pytest.mark.parametrize("scheme", [SCHEME, SCHEME.replace("http:", "https:"), "digsrctype:", ""])
def test_a_term_is_known_in_each_spelling(term: str, scheme: str) -> None:
    content = with_xmp(packet(typed(scheme + term)))

    assert said_by(content).source_type == term


@requirement("images.origin.terms")
def test_terms_of_ai_are_terms_of_the_vocabulary() -> None:
    assert set(SOURCE_TYPES) > AI_SOURCE_TYPES


HOSTILE = {
    "entities": packet(typed("&a;"), before=f'<!DOCTYPE x [<!ENTITY a "{SCHEME}{AI}"><!ENTITY b "{"&a;" * 99}">]>'),
    "external entity": packet(typed("&a;"), before='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
    "external subset": packet(typed(AI), before='<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">'),
    "too deep": b"<a>" * 100_000,
    "in another place": packet(f"<dc:creator><rdf:Seq><rdf:li>{typed(AI)}</rdf:li></rdf:Seq></dc:creator>"),
    "too long": packet(" " * MOST_XMP + typed(AI)),
    "no XML": bytes(range(256)) * 40,
    "empty": b"",
    "of spaces": packet("<photoshop:Credit>  </photoshop:Credit>"),
    "unknown encoding": b'<?xml version="1.0" encoding="x-none"?>' + packet(typed(AI)),
    "marks": packet(f"<photoshop:Credit>a{chr(0x0301) * 99}</photoshop:Credit>"),
}


@requirement("images.origin.hostile")
@pytest.mark.parametrize("xmp", HOSTILE.values(), ids=HOSTILE)
def test_hostile_xmp_says_nothing_and_refuses_nothing(xmp: bytes) -> None:
    assert said_by(with_xmp(xmp)) == NO_ORIGIN


@requirement("images.origin.hostile")
def test_xmp_that_breaks_off_says_what_it_says_until_there() -> None:
    assert said_by(with_xmp(packet(typed(AI)).partition(b"</rdf:Description>")[0])).source_type == AI


@requirement("images.origin.hostile")
def test_a_credit_is_one_line_of_limited_length() -> None:
    long = said_by(with_xmp(packet(f"<photoshop:Credit>Ann\n\u202eLee &lt;b> {'x' * 9_000}</photoshop:Credit>")))

    assert long.credit.startswith("Ann Lee <b> xxx")
    assert len(long.credit) == 500


@requirement("images.origin.hostile")
def test_a_packet_that_grows_when_it_is_decompressed_is_not_read() -> None:
    text = b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(packet(typed(AI)) + b" " * (MOST_XMP * 20))
    chunk = len(text).to_bytes(4) + b"iTXt" + text + zlib.crc32(b"iTXt" + text).to_bytes(4)
    data = plain("PNG")

    # Pillow refuses it where it decodes the pixels itself.
    with suppress(ImageNotPermitted):
        assert said_by(data[:-12] + chunk + data[-12:]) == NO_ORIGIN
    assert len(_international_text(text[18:])) == MOST_XMP + 1


@requirement("images.origin.hostile")
@pytest.mark.parametrize("cut", range(1, 40))
def test_broken_records_refuse_nothing(cut: int) -> None:
    data = (FILES / "records.jpg").read_bytes()
    start = data.index(b"\x1c\x01\x5a")

    inspect_image(data[: start + cut] + b"\xff" * 8 + data[start + cut + 8 :], filename="quay")


@requirement("media.origin")
@pytest.mark.parametrize("format", ["avif", "webp"])
@pytest.mark.parametrize("name", ["ai.jpg", "ai.png", "ai.webp", "ai.avif"])
def test_a_variant_keeps_type_credit_and_copyright_and_no_place_or_person(name: str, format: str) -> None:
    data = (FILES / name).read_bytes()

    drawn = draw(data, size=(480, 38), format=format, said=FileOrigin("As sent", "not this", "compositeSynthetic"))

    assert b"GPSLatitude" in data
    assert b"Mina" in data
    assert said_by(drawn) == FileOrigin("As sent", COPYRIGHT, "compositeSynthetic")
    assert not inspect_image(drawn, filename="quay").has_location
    for private in (b"GPS", b"Mina", b"Hamburg", b"1234567"):
        assert private not in drawn
    assert {"exif", "icc_profile", "comment"} & Picture.open(BytesIO(drawn)).info.keys() == set()


@requirement("media.origin")
def test_a_variant_of_an_image_that_says_nothing_has_no_xmp() -> None:
    drawn = draw(plain(size=(600, 300)), size=(480, 240), format="webp", said=NO_ORIGIN)

    assert "xmp" not in Picture.open(BytesIO(drawn)).info
    assert xmp_of(credit="", copyright="", source_type=None) == b""


@requirement("media.origin")
def test_what_was_said_cannot_add_properties() -> None:
    said = FileOrigin("</photoshop:Credit><exif:GPSLatitude>1</exif:GPSLatitude>&amp;", "", AI)

    drawn = draw(plain(size=(600, 300)), size=(480, 240), format="webp", said=said)

    assert said_by(drawn) == said
