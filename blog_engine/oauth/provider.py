"""The value of the host's setting ``OAUTH2_PROVIDER``. The settings of the host import this module."""

from typing import Any, Final

REDIRECT_SCHEMES: Final = ("https", "http", "cursor", "vscode", "vscode-insiders", "windsurf")
"""Schemes of redirect URIs: ``http`` on the same machine only; the last ones are programs that have no other."""

PROVIDER: Final[dict[str, Any]] = {
    "SCOPES": {"read": "read", "write": "write", "publish": "publish"},
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    # After the end of the last access token: an agent that was not used for a month asks again.
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600,
    "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ROTATE_REFRESH_TOKEN": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "PKCE_REQUIRED": True,
    "ALLOW_URI_WILDCARDS": False,
    "ALLOWED_REDIRECT_URI_SCHEMES": list(REDIRECT_SCHEMES),
    "CIMD_ENABLED": True,
    "CIMD_METADATA_FETCHER": "blog_engine.oauth.documents.GuardedFetcher",
    "CIMD_REGISTRATION_PERMISSION_CLASSES": ["blog_engine.oauth.documents.SignedInOnly"],
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
}

FREE: Final = frozenset({"ACCESS_TOKEN_EXPIRE_SECONDS", "REFRESH_TOKEN_EXPIRE_SECONDS"})
"""What a host may set otherwise; the check ``blog_engine.E016`` reports the rest."""


def faulty_keys(written: object) -> list[str]:
    """Return the keys in which the host's ``OAUTH2_PROVIDER`` is less strict than ``PROVIDER``."""
    own = written if isinstance(written, dict) else {}
    return [
        key
        for key, value in PROVIDER.items()
        if (not own.get(key) if key in FREE else not _is_as_strict(own.get(key), value))
    ]


def _is_as_strict(written: object, own: object) -> bool:
    if isinstance(own, dict):
        return isinstance(written, dict) and own.keys() <= written.keys()
    return written == own
