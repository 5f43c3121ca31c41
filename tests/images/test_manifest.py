"""The origin of images by C2PA manifests; the files are signed here, with a certificate of no authority."""

import json
import socket
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from blog_engine.images.inspect import inspect_image
from tests.images.test_origin import AI, SCHEME, packet, typed, with_xmp
from tests.requirements import requirement
from tests.support.images import encoded, halves, plain

c2pa = pytest.importorskip("c2pa", reason="needs the extra c2pa: pip install blog-engine[c2pa]")

TYPES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "AVIF": "image/avif"}


def _name(text: str) -> x509.Name:
    names = [(NameOID.COMMON_NAME, text), (NameOID.ORGANIZATION_NAME, "Quay"), (NameOID.COUNTRY_NAME, "DE")]
    return x509.Name([x509.NameAttribute(kind, value) for kind, value in names])


def _certificate(text: str, key: Any, issuer: x509.Name, signer: Any, *, is_ca: bool) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(text))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not is_ca,
                key_cert_sign=is_ca,
                crl_sign=is_ca,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if not is_ca:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), critical=False)
    return builder.sign(signer, hashes.SHA256())


@pytest.fixture(scope="module")
def signer() -> Any:
    """A signer whose root is made up."""
    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    chain = [
        _certificate("Quay signer", leaf, _name("Quay root"), root, is_ca=False),
        _certificate("Quay root", root, _name("Quay root"), root, is_ca=True),
    ]
    key = leaf.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    certificates = b"".join(one.public_bytes(serialization.Encoding.PEM) for one in chain)
    return c2pa.Signer.from_info(c2pa.C2paSignerInfo(b"es256", certificates, key, None))


def signed(
    data: bytes, signer: Any, *, format: str = "JPEG", term: str = "", edited: bytes = b"", placed: bytes = b""
) -> bytes:
    """The image with a manifest: it was created, from ``edited`` if that is given, and ``placed`` was put into it."""
    actions: list[dict[str, Any]] = [{"action": "c2pa.opened" if edited else "c2pa.created"}]
    if term:
        actions[0]["digitalSourceType"] = SCHEME + term
    if edited:
        actions[0]["parameters"] = {"ingredientIds": ["before"]}
    if placed:
        actions.append({"action": "c2pa.placed", "parameters": {"ingredientIds": ["part"]}})
    manifest = {
        "claim_generator_info": [{"name": "quay", "version": "1"}],
        "assertions": [{"label": "c2pa.actions.v2", "data": {"actions": actions}}],
    }
    builder = c2pa.Builder(json.dumps(manifest))
    for label, relationship, content in (("before", "parentOf", edited), ("part", "componentOf", placed)):
        if content:
            made = {"title": label, "label": label, "relationship": relationship}
            builder.add_ingredient(json.dumps(made), "image/jpeg", BytesIO(content))
    target = BytesIO()
    builder.sign(signer, TYPES[format], BytesIO(data), target)
    return target.getvalue()


def term_of(data: bytes) -> str | None:
    return inspect_image(data, filename="quay").origin.source_type


@requirement("images.origin.manifest")
@pytest.mark.parametrize("format", TYPES)
def test_the_manifest_of_a_file_names_its_type(signer: Any, format: str) -> None:
    assert term_of(signed(encoded(halves(), format), signer, format=format, term=AI)) == AI


@requirement("images.origin.manifest")
def test_a_manifest_for_ai_counts_more_than_xmp_for_a_camera(signer: Any) -> None:
    data = with_xmp(packet(typed(SCHEME + "digitalCapture")), "JPEG")

    assert term_of(data) == "digitalCapture"
    assert term_of(signed(data, signer, term=AI)) == AI
    assert term_of(signed(data, signer, term="humanEdits")) == "digitalCapture"


@requirement("images.origin.manifest")
def test_an_edited_image_has_the_type_of_what_it_was_made_from(signer: Any) -> None:
    before = signed(plain("JPEG"), signer, term=AI)

    assert term_of(signed(plain("JPEG"), signer, edited=before)) == AI


@requirement("images.origin.manifest")
def test_an_image_with_a_part_by_ai_is_a_composite(signer: Any) -> None:
    part = signed(plain("JPEG"), signer, term=AI)

    assert term_of(signed(plain("JPEG"), signer, term="humanEdits", placed=part)) == "compositeSynthetic"


@requirement("images.origin.manifest")
def test_a_manifest_that_was_tampered_with_still_is_what_the_file_says(signer: Any) -> None:
    data = signed(encoded(halves(), "JPEG"), signer, term=AI)

    assert term_of(data[: data.rindex(b"\xff\xda")] + b"\xff\xfe\0\x04xx" + data[data.rindex(b"\xff\xda") :]) == AI


@requirement("images.origin.manifest", "images.origin.hostile")
@pytest.mark.parametrize("change", range(20))
def test_a_broken_manifest_refuses_nothing(signer: Any, change: int) -> None:
    data = signed(plain("JPEG"), signer, term=AI)
    start = data.index(b"jumb") + 20 + change * 40

    inspect_image(data[:start] + bytes([data[start] ^ 0xFF]) * 6 + data[start + 6 :], filename="quay")


@requirement("images.origin.manifest")
def test_a_manifest_elsewhere_is_not_fetched(signer: Any) -> None:
    created = {"action": "c2pa.created", "digitalSourceType": SCHEME + AI}
    builder = c2pa.Builder(json.dumps({"assertions": [{"label": "c2pa.actions.v2", "data": {"actions": [created]}}]}))
    builder.set_no_embed()
    target = BytesIO()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        place = f"127.0.0.1:{server.getsockname()[1]}"
        builder.set_remote_url(f"http://{place}/manifest.c2pa")
        builder.sign(signer, "image/jpeg", BytesIO(plain("JPEG")), target)

        assert place.encode() in target.getvalue()
        assert term_of(target.getvalue()) is None
        with pytest.raises(BlockingIOError):
            server.accept()
