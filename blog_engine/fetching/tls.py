"""Whose certificates are believed."""

import ssl
from functools import cache

import httpcore


@cache
def trusted_certificates() -> ssl.SSLContext:
    """The authorities of the system, or of ``SSL_CERT_FILE``, and certifi's; read once, because that takes 0.1 s."""
    return httpcore.default_ssl_context()
