"""The origin of an image by the metadata of its file, and the XMP with it in a variant."""

import re
import struct
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from PIL import ExifTags, Image

from blog_engine.content.source_types import CREDIT_LENGTH, SOURCE_TYPE_SCHEME, is_ai_source, source_type_of
from blog_engine.content.text import has_long_mark_run

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_PHOTOSHOP: Final = "http://ns.adobe.com/photoshop/1.0/"
_DC: Final = "http://purl.org/dc/elements/1.1/"
_EXTENSION: Final = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

_CREDIT: Final = f"{_PHOTOSHOP} Credit"
_RIGHTS: Final = f"{_DC} rights"
_SOURCE_TYPE: Final = f"{_EXTENSION} DigitalSourceType"
_KNOWN: Final = frozenset({_CREDIT, _RIGHTS, _SOURCE_TYPE})

MOST_XMP: Final = 1024 * 1024
"""Bytes of a packet; a larger one is not read."""
_DEEPEST: Final = 50
"""Elements inside each other; the properties that are read are three to six deep."""
_LONGEST_READ: Final = 4 * CREDIT_LENGTH

_PNG_XMP: Final = b"XML:com.adobe.xmp\0"
_IIM_RESOURCE: Final = 0x0404
_IIM_CREDIT, _IIM_COPYRIGHT = 110, 116
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
UNREADABLE: Final = (ArithmeticError, LookupError, OSError, SyntaxError, TypeError, ValueError, struct.error)
"""Exceptions of Pillow for broken EXIF data."""


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """The origin of an image, as its file says it."""

    credit: str = ""
    copyright: str = ""
    source_type: str | None = None
    """A term of ``content.source_types``."""


NO_ORIGIN: Final = FileOrigin()


def origin_in(image: Image.Image, data: bytes) -> FileOrigin:
    """Return what an opened image says of its origin, in XMP, IPTC's older records (IIM) or EXIF, in this order."""
    found = [_from_xmp(packet) for packet in _packets(image, data)]
    found += [_from_iim(image), FileOrigin(copyright=_exif_copyright(image))]
    return FileOrigin(
        credit=next((one.credit for one in found if one.credit), ""),
        copyright=next((one.copyright for one in found if one.copyright), ""),
        source_type=telling_type([one.source_type for one in found]),
    )


def telling_type(terms: list[str | None]) -> str | None:
    """Return the term that counts of several: one that says AI, else the first."""
    named = [term for term in terms if term]
    return next((term for term in named if is_ai_source(term)), named[0] if named else None)


def xmp_of(*, credit: str, copyright: str, source_type: str | None) -> bytes:
    """Return an XMP packet with these properties and nothing else; empty bytes when all are."""
    properties = [
        f"<photoshop:Credit>{_escaped(credit)}</photoshop:Credit>" if credit else "",
        f'<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">{_escaped(copyright)}</rdf:li></rdf:Alt></dc:rights>'
        if copyright
        else "",
        f"<Iptc4xmpExt:DigitalSourceType>{SOURCE_TYPE_SCHEME}{_escaped(source_type)}</Iptc4xmpExt:DigitalSourceType>"
        if source_type
        else "",
    ]
    if not any(properties):
        return b""
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>'
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="{_RDF}"><rdf:Description rdf:about="" '
        f'xmlns:photoshop="{_PHOTOSHOP}" xmlns:dc="{_DC}" xmlns:Iptc4xmpExt="{_EXTENSION}">'
        f'{"".join(properties)}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>'
    ).encode()


def _escaped(text: str) -> str:
    return escape(clean_line(text))


def clean_line(text: str) -> str:
    """Return a text of a file as one line of at most ``CREDIT_LENGTH`` characters, empty if it cannot be shown."""
    seen = "".join(" " if unicodedata.category(one) in _UNSEEN else one for one in text[:_LONGEST_READ])
    line = " ".join(unicodedata.normalize("NFC", seen).split())[:CREDIT_LENGTH].rstrip()
    return "" if has_long_mark_run(line) else line


def _packets(image: Image.Image, data: bytes) -> Iterator[bytes]:
    """Yield the XMP packets of a file."""
    packet: Any = image.info.get("xmp") or b""
    yield packet.encode(errors="replace") if isinstance(packet, str) else bytes(packet)
    if image.format == "PNG":
        # Pillow reads what comes after the pixels only with them.
        yield _png_packet(data)


def _png_packet(data: bytes) -> bytes:
    """Return the first packet of a PNG; only one is decompressed, whatever a file has."""
    position = 8
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        start = position + 8
        if kind == b"iTXt" and data.startswith(_PNG_XMP, start):
            return _international_text(data[start + len(_PNG_XMP) : start + length])
        position = start + length + 4
    return b""


def _international_text(content: bytes) -> bytes:
    """Return the text of an iTXt chunk after its keyword."""
    is_compressed, text = content[:1] == b"\1", content[2:]
    text = text.partition(b"\0")[2].partition(b"\0")[2]
    if not is_compressed:
        return text
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(text, MOST_XMP + 1)
    return b""


def _from_xmp(packet: bytes) -> FileOrigin:
    if len(packet) > MOST_XMP:
        return NO_ORIGIN
    reader = _Properties()
    # A packet that breaks off says what it says until there.
    with suppress(expat.ExpatError, _Stop, LookupError, ValueError):
        reader.read(packet.strip(b"\0 \t\r\n"))
    found = reader.found
    return FileOrigin(
        credit=clean_line(found.get(_CREDIT, "")),
        copyright=clean_line(found.get(_RIGHTS, "")),
        source_type=source_type_of(found.get(_SOURCE_TYPE, "")),
    )


class _Stop(Exception):
    """The packet has a document type, which can define entities, or is too deep."""


class _Properties:
    """Collects the first value of each known property, directly in a description of the file itself."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._open: list[str] = []
        self._property = ""
        self._text = ""
        self._is_default = False

    def read(self, packet: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._stop
        parser.EntityDeclHandler = self._stop
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.Parse(packet, True)

    def _stop(self, *args: object) -> None:
        raise _Stop

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            raise _Stop
        if self._open[-1:] == [f"{_RDF} RDF"]:
            for known in _KNOWN & attributes.keys():
                self._keep(known, attributes[known])
        elif self._open[-2:-1] == [f"{_RDF} RDF"] and name in _KNOWN:
            self._property, self._text = name, ""
            self._keep(name, attributes.get(f"{_RDF} resource", ""))
        elif name == f"{_RDF} li":
            self._text = ""
            self._is_default = attributes.get("http://www.w3.org/XML/1998/namespace lang") == "x-default"
        self._open.append(name)

    def _end(self, name: str) -> None:
        self._open.pop()
        if not self._property or name not in {self._property, f"{_RDF} li"}:
            return
        if self._is_default and self._text.strip():
            self.found[self._property] = self._text
        self._keep(self._property, self._text)
        self._text, self._is_default = "", False
        if name == self._property:
            self._property = ""

    def _characters(self, text: str) -> None:
        if self._property and len(self._text) < _LONGEST_READ:
            self._text += text[:_LONGEST_READ]

    def _keep(self, name: str, text: str) -> None:
        if text.strip():
            self.found.setdefault(name, text)


def _from_iim(image: Image.Image) -> FileOrigin:
    resources = image.info.get("photoshop")
    content = resources.get(_IIM_RESOURCE) if isinstance(resources, dict) else None
    if not isinstance(content, bytes):
        return NO_ORIGIN
    records = _iim_records(content)
    return FileOrigin(credit=_iim_text(records, _IIM_CREDIT), copyright=_iim_text(records, _IIM_COPYRIGHT))


def _iim_records(content: bytes) -> dict[tuple[int, int], bytes]:
    """Return the first record of each kind; those with an extended length, and what follows them, are left out."""
    found: dict[tuple[int, int], bytes] = {}
    position = 0
    while content[position : position + 1] == b"\x1c" and position + 5 <= len(content):
        record, dataset, length = struct.unpack_from(">BBH", content, position + 1)
        if length & 0x8000:
            break
        position += 5
        found.setdefault((record, dataset), content[position : position + length])
        position += length
    return found


def _iim_text(records: dict[tuple[int, int], bytes], dataset: int) -> str:
    content = records.get((2, dataset), b"")[:_LONGEST_READ]
    try:
        return clean_line(content.decode())
    except UnicodeDecodeError:
        # A record that names UTF-8 as its encoding and is cut inside a character.
        is_utf8 = records.get((1, 90), b"").startswith(b"\x1b%")
        return clean_line(content.decode("utf-8" if is_utf8 else "latin-1", "ignore"))


def _exif_copyright(image: Image.Image) -> str:
    with suppress(*UNREADABLE):
        value = image.getexif().get(ExifTags.Base.Copyright)
        if isinstance(value, str):
            # Photographer and editor are separated by NUL, and cameras pad with blanks.
            return clean_line(re.sub(r"^[\s\0]+|[\s\0]+$", "", value))
    return ""
