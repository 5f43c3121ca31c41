"""Random forms with a file: images, fake images, hostile names and broken forms."""

from collections.abc import Callable
from functools import cache

from tests.contract.values import UNKNOWN_ID, Chance
from tests.support.images import animation, gif_and_tar, gif_of_dots, gif_with_larger_frame, photo, plain, png_of

LIMIT = 50_000
"""The ``max_image_bytes`` of random requests."""

_IMAGES: dict[str, Callable[[], bytes]] = {
    "image/png": plain,
    "image/jpeg": photo,
    "image/gif": animation,
    "image/webp": lambda: plain("WEBP", color="red"),
    "image/avif": lambda: plain("AVIF"),
}
_HOSTILE: list[Callable[[], bytes]] = [
    *(lambda: b"", lambda: b"\x89PNG\r\n\x1a\n", lambda: b"x" * (LIMIT + 1), lambda: b"\x00" * 300),
    *(lambda: b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', lambda: b"<!doctype html><title>x"),
    *(lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n", lambda: b"\x7fELF\2\1\1" + bytes(200), lambda: plain("BMP")),
    *(lambda: plain("TIFF"), lambda: plain("ICO"), gif_and_tar, lambda: gif_of_dots(60, screen=(1_000, 1_000))),
    *(lambda: gif_with_larger_frame((7_100, 7_100)), lambda: png_of(7_100, 7_100), lambda: png_of(20_000, 20_000)),
    *(lambda: plain() + b"<script>alert(1)</script>", lambda: plain()[:-12], lambda: photo()[:-200]),
]
_NAMES = [
    *(
        b"quay.png",
        b"quay.png",
        b"../../etc/passwd",
        b"..\\..\\x.png",
        b"",
        b".",
        b"..",
        b"a\x00b.png",
        "é.png".encode(),
    ),
    *("北京.png".encode(), b"x" * 300 + b".png", b".png", b"con.txt", b"a b.png", b'a\\"b.png', b"a\rX: y.png"),
    *("\u202egnp.exe".encode(), "\U0001f600".encode(), b"%2e%2e%2f.png", b"a/b/", b"   ", b"\xff.png", b"\xed\xa0\x80"),
    *(b"a;b.png", b"a<b>.png", b"a\x7f\x1b.png", ("e\u0301" * 200).encode(), b"CON", b"a.png.", b"-", b"~", b"%00"),
]
_ENDINGS = ["whole", *(["none"] * 2), "early", "line feeds", "other", "twice", "garbage"]


@cache
def _picture(kind: str) -> bytes:
    return _IMAGES[kind]()


@cache
def _hostile(number: int) -> bytes:
    return _HOSTILE[number]()


def upload(chance: Chance) -> tuple[bytes, str]:
    """Return the body of a form and its content type."""
    boundary = chance.choice([b"x", b"x", b"----WebKit7MA4", b"x" * 70, b"x" * 300, b"a b", b"'()+_,-./:=?"])
    parts = [_file_part(chance)] if chance.random() < 0.93 else []
    while chance.random() < 0.06:
        parts.append(chance.choice([_file_part(chance), _text_part(chance)]))
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary, part) for part in parts) + b"--%s--\r\n" % boundary
    if chance.random() < 0.1:
        body = _broken(chance, body, boundary)
    return body, _content_type(chance, boundary)


def _file_part(chance: Chance) -> bytes:
    kind = chance.choice(list(_IMAGES))
    data = _data(chance, kind)
    name = chance.choice(_NAMES) if chance.random() < 0.4 else b"quay.png"
    field = chance.choice([b"file"] * 20 + [b"File", b"", b"file[]", b"\xff"])
    disposition = b'form-data; name="%s"; filename="%s"' % (field, name)
    if chance.random() < 0.05:
        disposition = chance.choice(
            [
                b"form-data; name=file; filename*=UTF-8''%C3%A9.png",
                b"form-data; name=file; filename*=nope''%ff",
                b'form-data; name="file"',
                b'attachment; filename="a.png"',
                b"form-data",
                b"",
                b'form-data; name="file"; filename="' + b"x" * 3000,
            ]
        )
    lines = [b"Content-Disposition: " + disposition]
    if chance.random() < 0.9:
        odd = ["image/svg+xml", "text/html", "", "x", "image/png; charset=utf-16", "IMAGE/PNG", "image/\xff", "é" * 900]
        declared = chance.choice(odd) if chance.random() < 0.1 else kind
        lines.append(b"Content-Type: " + declared.encode("utf-8"))
    if chance.random() < 0.03:
        transfer = chance.choice([b"base64", b"8bit", b"x", b"quoted-printable"])
        lines.append(b"Content-Transfer-Encoding: " + transfer)
    return b"\r\n".join([*lines, b"", data])


def _data(chance: Chance, kind: str) -> bytes:
    luck = chance.random()
    if luck < 0.6:
        return _picture(kind)
    if luck < 0.75:
        return _hostile(chance.randrange(len(_HOSTILE)))
    damaged = bytearray(_picture(kind))
    for _ in range(chance.randint(1, 4)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged[: chance.randrange(len(damaged))]) if chance.random() < 0.2 else bytes(damaged)


def _text_part(chance: Chance) -> bytes:
    name = chance.choice([b"file", b"url", b"url", b"alt", b"\x00", b"x" * 500])
    value = chance.choice([b"", b"https://x.example/i.png", b"\xff\xfe", b"\x00", b"x" * 5000, b"%d" % UNKNOWN_ID])
    return b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % (name, value)


def _broken(chance: Chance, body: bytes, boundary: bytes) -> bytes:
    return {
        "whole": b"preamble\r\n" + body + b"epilogue",
        "none": body.removesuffix(b"--%s--\r\n" % boundary),
        "early": body[: chance.randrange(len(body) + 1)],
        "line feeds": body.replace(b"\r\n", b"\n"),
        "other": body.replace(b"--" + boundary, b"--" + boundary + b"y", 1),
        "twice": body + body,
        "garbage": chance.choice([b"", b"\x00" * 50, b"--", b"--x--", b"x" * (2 * LIMIT + 1024 * 1024 + 1)]),
    }[chance.choice(_ENDINGS)]


def _content_type(chance: Chance, boundary: bytes) -> str:
    right = f'multipart/form-data; boundary="{boundary.decode()}"'
    odd = [
        *(
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=nope",
            "multipart/mixed",
        ),
        *(
            "multipart/form-data; boundary=\u00e9",
            "MULTIPART/form-data; boundary=x",
            "multipart/form-data; Boundary=x; a=b",
        ),
        *('multipart/form-data; boundary="x', "multipart/form-data;;;boundary=x", "application/json", "", "image/png"),
        *("multipart/form-data; charset=utf-16; boundary=x", "multipart/form-data; boundary*=UTF-8''x"),
    ]
    return chance.choice(odd) if chance.random() < 0.06 else right
