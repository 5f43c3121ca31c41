"""Certificates of an authority for tests."""

import ssl
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_AUTHORITY = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of the tests")])


@cache
def _authority_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def authority() -> bytes:
    """Return the certificate of the authority as PEM."""
    key = _authority_key()
    basic = x509.BasicConstraints(ca=True, path_length=None)
    usage = x509.KeyUsage(
        key_cert_sign=True,
        crl_sign=True,
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = _certificate(_AUTHORITY, key, days=1).add_extension(basic, critical=True)
    signed = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def server_context(*names: str, days: int = 1) -> ssl.SSLContext:
    """Return a context for a server with these names.

    Its certificate expires in ``days``, which can be negative.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A server of the tests")])
    builder = _certificate(subject, key, days=days)
    builder = builder.add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), False)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(_authority_key().public_key())
    signed = builder.add_extension(identifier, False).sign(_authority_key(), hashes.SHA256())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "server.pem"
        path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + _pem(key))
        context.load_cert_chain(path)
    return context


def _certificate(subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(_AUTHORITY).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=10)).not_valid_after(now + timedelta(days=days))
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
