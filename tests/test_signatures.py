"""The arithmetic of ``verify.py`` for ES256, compared with that of the package cryptography on generated vectors."""

import hashlib
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from blog_engine.verify import base64url, from_base64url, is_on_curve, is_signed
from tests.requirements import requirement

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
VALID = 220


class Vector(NamedTuple):
    """A message with its signature, r and s of it, and the public key."""

    message: bytes
    signature: bytes
    r: int
    s: int
    x: int
    y: int
    random: Random


def _vectors() -> list[Vector]:
    """Return vectors that are the same in each run, but for the random number of each signature."""
    made = []
    random = Random(0x_B106)  # noqa: S311  # of messages and keys that are the same each time
    edges = [1, 2, 3, ORDER - 1, ORDER - 2, 2**128, 2**255 % ORDER]
    for number in range(VALID):
        secret = edges[number] if number < len(edges) else random.randrange(1, ORDER)
        key = ec.derive_private_key(secret, ec.SECP256R1())
        message = random.randbytes(number)
        signature = key.sign(message, ec.ECDSA(hashes.SHA256()))
        numbers = key.public_key().public_numbers()
        made.append(Vector(message, signature, *decode_dss_signature(signature), numbers.x, numbers.y, random))
    return made


VECTORS = _vectors()


def _integer(data: bytes) -> bytes:
    return b"\x02" + bytes([len(data)]) + data


def _der(*parts: bytes) -> bytes:
    content = b"".join(parts)
    return b"\x30" + bytes([len(content)]) + content


def _number(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def _flipped(data: bytes, random: Random) -> bytes:
    place = random.randrange(8 * len(data))
    return bytes(one ^ (1 << place % 8 if number == place // 8 else 0) for number, one in enumerate(data))


Flaw = Callable[[Vector], Vector]


def _sign(one: Vector, r: int, s: int) -> Vector:
    return one._replace(signature=encode_dss_signature(r, s))


FLAWS: dict[str, Flaw] = {
    "a bit of the message": lambda one: one._replace(message=_flipped(one.message + b"\0", one.random)),
    "a bit of the signature": lambda one: one._replace(signature=_flipped(one.signature, one.random)),
    "a bit of the key": lambda one: one._replace(x=one.x ^ 1 << one.random.randrange(256)),
    "a hash of a hash": lambda one: one._replace(message=hashlib.sha256(one.message).digest()),
    "another key": lambda one: one._replace(x=VECTORS[8].x, y=VECTORS[8].y),
    "the negated key": lambda one: one._replace(y=FIELD - one.y),
    "r of 0": lambda one: _sign(one, 0, one.s),
    "s of 0": lambda one: _sign(one, one.r, 0),
    "both 0": lambda one: _sign(one, 0, 0),
    "r of n": lambda one: _sign(one, ORDER, one.s),
    "s of n": lambda one: _sign(one, one.r, ORDER),
    "r of n + 1": lambda one: _sign(one, ORDER + 1, one.s),
    "s of n + 1": lambda one: _sign(one, one.r, ORDER + 1),
    "r above n": lambda one: _sign(one, one.r + ORDER, one.s),
    "s above n": lambda one: _sign(one, one.r, one.s + ORDER),
    "r and s in turn": lambda one: _sign(one, one.s, one.r),
    "r of 1 and s of 1": lambda one: _sign(one, 1, 1),
    "a negative r": lambda one: one._replace(
        signature=_der(_integer((2**264 - one.r).to_bytes(33, "big")), _integer(_number(one.s)))
    ),
    "a point off the curve": lambda one: one._replace(y=(one.y + 1) % FIELD),
    "the point at infinity": lambda one: one._replace(x=0, y=0),
    "x outside of the field": lambda one: one._replace(x=one.x + FIELD),
    "y outside of the field": lambda one: one._replace(y=one.y + FIELD),
    "a zero before r": lambda one: one._replace(
        signature=_der(_integer(b"\0" + _number(one.r)), _integer(_number(one.s)))
    ),
    "a zero before s": lambda one: one._replace(
        signature=_der(_integer(_number(one.r)), _integer(b"\0" + _number(one.s)))
    ),
    "a long form of the length": lambda one: one._replace(signature=b"\x30\x81" + one.signature[1:]),
    "an indefinite length": lambda one: one._replace(signature=b"\x30\x80" + one.signature[2:] + b"\0\0"),
    "a byte after it": lambda one: one._replace(signature=one.signature + b"\0"),
    "a byte after it inside": lambda one: one._replace(
        signature=_der(_integer(_number(one.r)), _integer(_number(one.s)), b"\0")
    ),
    "a third number": lambda one: one._replace(
        signature=_der(*(_integer(_number(value)) for value in (one.r, one.s, 1)))
    ),
    "one number": lambda one: one._replace(signature=_der(_integer(_number(one.r)))),
    "a set": lambda one: one._replace(signature=b"\x31" + one.signature[1:]),
    "another type for r": lambda one: one._replace(signature=one.signature[:2] + b"\x03" + one.signature[3:]),
    "an empty number": lambda one: one._replace(signature=_der(_integer(b""), _integer(_number(one.s)))),
    "the end missing": lambda one: one._replace(signature=one.signature[:-1]),
    "a wrong length": lambda one: one._replace(
        signature=one.signature[:1] + bytes([one.signature[1] - 1]) + one.signature[2:]
    ),
    "no DER": lambda one: one._replace(signature=one.r.to_bytes(32, "big") + one.s.to_bytes(32, "big")),
    "nothing": lambda one: one._replace(signature=b""),
}


@requirement("proof.verify.signatures")
def test_what_cryptography_signs_is_signed() -> None:
    assert [is_signed(one.message, one.signature, x=one.x, y=one.y) for one in VECTORS] == [True] * VALID


@requirement("proof.verify.signatures", "approvals.signed.once")
def test_the_negated_s_is_a_valid_signature_too() -> None:
    twins = [encode_dss_signature(one.r, ORDER - one.s) for one in VECTORS[:20]]

    assert all(is_signed(one.message, twin, x=one.x, y=one.y) for one, twin in zip(VECTORS, twins, strict=False))
    assert not {one.signature for one in VECTORS} & set(twins)


@requirement("proof.verify.signatures")
@pytest.mark.parametrize("name", FLAWS)
def test_what_is_no_signature_is_none(name: str) -> None:
    # From the eighth on, keys that are not related to each other; 37 kinds of flaws of 8 vectors are 296.
    altered = [FLAWS[name](one) for one in VECTORS[20:28]]

    assert [is_signed(one.message, one.signature, x=one.x, y=one.y) for one in altered] == [False] * 8
    # OpenSSL takes coordinates modulo the field.
    assert any(_is_signed_by_cryptography(one) for one in altered) is name.endswith("outside of the field")


def _is_signed_by_cryptography(one: Vector) -> bool:
    try:
        key = ec.EllipticCurvePublicNumbers(one.x, one.y, ec.SECP256R1()).public_key()
        key.verify(one.signature, one.message, ec.ECDSA(hashes.SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


@requirement("proof.verify.signatures")
def test_r_is_compared_modulo_the_order() -> None:
    """The x of a point can be above the order, which is smaller than the field: r is what is left of it."""
    x = next(x for x in range(ORDER, ORDER + 10_000) if pow(x**3 - 3 * x + _B, (FIELD - 1) // 2, FIELD) == 1)
    square = (x**3 - 3 * x + _B) % FIELD
    point = (x, pow(square, (FIELD + 1) // 4, FIELD))
    assert is_on_curve(*point)
    # With s = r and the digest e, the key (s·R - e·G) / r has the point R as its commitment.
    r = s = x - ORDER
    message = b"above the order"
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(r, -1, ORDER)
    negated = ec.derive_private_key(-digest * inverse % ORDER, ec.SECP256R1()).public_key().public_numbers()
    key = _added(point, (negated.x, negated.y))

    assert is_signed(message, encode_dss_signature(r, s), x=key[0], y=key[1])
    assert _is_signed_by_cryptography(
        VECTORS[0]._replace(message=message, signature=encode_dss_signature(r, s), x=key[0], y=key[1])
    )


_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def _added(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return the sum of two different points, by the formula of textbooks."""
    slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, FIELD) % FIELD
    x = (slope * slope - one[0] - other[0]) % FIELD
    return x, (slope * (one[0] - x) - one[1]) % FIELD


@requirement("proof.records.signed")
@pytest.mark.parametrize("text", ["AA", "AAA", "AAAA", "-_-_", ""])
def test_base64url_is_read_as_it_is_written(text: str) -> None:
    assert base64url(from_base64url(text)) == text


@requirement("proof.records.signed")
@pytest.mark.parametrize("text", ["A", "AB", "AAB", "AA==", "A A", "AA\n", "é", "++//", None, 7])
def test_another_base64url_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match=r"(?i)base64"):
        from_base64url(text)
