"""The rules of the authorization server, as oauthlib asks for them, and the server itself."""

import secrets
from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone
from oauth2_provider.models import get_grant_model, get_refresh_token_model
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.settings import oauth2_settings
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    RefreshTokenGrant,
    RevocationEndpoint,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError

from blog_engine.actor import Scope
from blog_engine.oauth.redirects import is_registered
from blog_engine.queries.oauth import TOKEN_PREFIX, scopes_of_user, secret_checksum
from blog_engine.services.oauth import revoke_family

_USED: Final = "used "
"""The start of ``nonce`` of a code that was exchanged; the family of its tokens follows. The blog has no OpenID."""
_CODE_GRANT: Final = "authorization-code"


class Validator(OAuth2Validator):
    """Codes with PKCE, rotated refresh tokens, exact redirect URIs; nothing else."""

    def _authenticate_basic_auth(self, request: Any) -> bool:
        try:
            return bool(super()._authenticate_basic_auth(request))
        except ValueError:
            # Credentials that are not ASCII.
            return False

    def _load_application(self, client_id: str, request: Any) -> Any:
        """Return the client, if it can use the grant that the blog offers."""
        if "\0" in (client_id or ""):
            # PostgreSQL looks for no such text.
            return None
        client = super()._load_application(client_id, request)
        if client is not None and client.authorization_grant_type != _CODE_GRANT:
            request.client = client = None
        return client

    def validate_redirect_uri(self, client_id: str, redirect_uri: str, request: Any, *_: Any, **__: Any) -> bool:
        return is_registered(redirect_uri, request.client.redirect_uris.split())

    def get_default_redirect_uri(self, client_id: str, request: Any, *_: Any, **__: Any) -> None:
        """Return none: a client names the redirect URI in each request."""
        return

    def validate_response_type(self, client_id: str, response_type: str, *_: Any, **__: Any) -> bool:
        return response_type == "code"

    def validate_grant_type(self, client_id: str, grant_type: str, *_: Any, **__: Any) -> bool:
        return grant_type in {"authorization_code", "refresh_token"}

    def get_default_scopes(self, client_id: str, request: Any, *_: Any, **__: Any) -> list[str]:
        return [scope.value for scope in Scope]

    def validate_scopes(self, client_id: str, scopes: list[str], client: Any, request: Any, *_: Any, **__: Any) -> bool:
        """Return whether one of the scopes is known; the consent page leaves out the others."""
        return not set(Scope).isdisjoint(scopes)

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        return True

    def rotate_refresh_token(self, request: Any) -> bool:
        return True

    def save_authorization_code(self, client_id: str, code: Any, request: Any, *_: Any, **__: Any) -> None:
        if request.code_challenge_method != "S256":
            raise InvalidRequestError(description="code_challenge_method must be S256.", request=request)
        super().save_authorization_code(client_id, code, request)

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *_: Any, **__: Any) -> bool:
        """Return whether the code can be exchanged; one that was exchanged before ends the tokens made of it.

        The row is locked until the token is stored, so that of two requests one is the second.
        """
        grant = get_grant_model().objects.select_for_update(of=("self",)).filter(code=code, application=client).first()
        if grant is None:
            return False
        if grant.nonce.startswith(_USED):
            get_refresh_token_model().revoke_family(grant.nonce.removeprefix(_USED))
            return False
        if not scopes_of_user(grant.user):
            return False
        return bool(super().validate_code(client_id, code, client, request))

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *_: Any, **__: Any) -> None:
        """Keep the code as used, with the family of its tokens, until django-oauth-toolkit clears it."""
        used = get_grant_model().objects.filter(code=code, application=request.client)
        used.update(nonce=f"{_USED}{request.blog_family}", expires=timezone.now())

    def _create_refresh_token(self, request: Any, code: str, access_token: Any, previous: Any) -> Any:
        made = super()._create_refresh_token(request, code, access_token, previous)
        request.blog_family = made.token_family
        return made

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *_: Any, **__: Any) -> bool:
        """Return whether the token can be exchanged; one that was exchanged before ends its whole family.

        The rows are locked until the new tokens are stored.
        """
        tokens = get_refresh_token_model().objects.select_for_update(of=("self",))
        rows = [*tokens.filter(token_checksum=secret_checksum(refresh_token), application=client)]
        if not rows:
            return False
        if all(row.revoked is not None for row in rows):
            revoke_family(rows[0])
            return False
        if not scopes_of_user(rows[0].user):
            return False
        return bool(super().validate_refresh_token(refresh_token, client, request))


class AuthorizationServer(AuthorizationEndpoint, TokenEndpoint, RevocationEndpoint):
    """An oauthlib server with two grants: codes, and refresh tokens."""

    def __init__(self) -> None:
        validator = Validator()
        codes, refreshed = AuthorizationCodeGrant(validator), RefreshTokenGrant(validator)
        bearer = BearerToken(
            validator,
            token_generator=_new_access_token,
            refresh_token_generator=_new_refresh_token,
            expires_in=oauth2_settings.ACCESS_TOKEN_EXPIRE_SECONDS,
        )
        AuthorizationEndpoint.__init__(
            self, default_response_type="code", response_types={"code": codes}, default_token_type=bearer
        )
        TokenEndpoint.__init__(
            self,
            default_grant_type="authorization_code",
            grant_types={"authorization_code": codes, "refresh_token": refreshed},
            default_token_type=bearer,
        )
        RevocationEndpoint.__init__(self, validator)


def _new_access_token(request: Any) -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def _new_refresh_token(request: Any) -> str:
    return "bf_" + secrets.token_urlsafe(32)


def client_credentials(request: HttpRequest) -> dict[str, str]:
    """Return the headers of a request as ``Validator`` reads them: those that name a client."""
    sent = request.headers.get("Authorization")
    return {"HTTP_AUTHORIZATION": sent} if sent else {}
