"""Comparing origins."""

from urllib.parse import urlsplit


def origin_parts(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and effective port of an absolute URL, for comparing origins."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, usual if parts.port is None else parts.port
