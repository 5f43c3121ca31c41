"""The checks of a passkey's answer by the library of the extra ``passkeys`` (WebAuthn, level 3).

Only ``passkeys`` imports this module, and only when a passkey has answered: the library takes long to load, and a host
need not have it. Its parsers raise whatever hostile bytes lead to, such as ``KeyError`` for what a map lacks.
"""

from typing import Any, Final

from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import decode_credential_public_key, encode_cbor
from webauthn.helpers.cose import COSECRV, COSEKTY, COSEAlgorithmIdentifier, COSEKey
from webauthn.helpers.decode_credential_public_key import DecodedEC2PublicKey

_ES256: Final = COSEAlgorithmIdentifier.ECDSA_SHA_256


def key_of_registration(
    response: dict[str, Any], *, challenge: bytes, rp_id: str, origins: list[str]
) -> tuple[bytes, bytes, bytes, int]:
    """Return credential id, x, y and sign count of a new passkey. Raises ``ValueError`` unless it answers this."""
    try:
        verified = verify_registration_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=rp_id,
            expected_origin=origins,
            require_user_verification=True,
            supported_pub_key_algs=[_ES256],
        )
        key = decode_credential_public_key(verified.credential_public_key)
    except Exception as fault:
        raise ValueError(str(fault)) from fault
    if not isinstance(key, DecodedEC2PublicKey) or key.crv != COSECRV.P256:
        raise ValueError("the key is not on P-256")
    return verified.credential_id, key.x, key.y, verified.sign_count


def check_answer(
    response: dict[str, Any], *, challenge: bytes, rp_id: str, origins: list[str], x: bytes, y: bytes
) -> None:
    """Raise ``ValueError`` unless the passkey with this public key answers this challenge, on this site."""
    key = {COSEKey.KTY: COSEKTY.EC2, COSEKey.ALG: _ES256, COSEKey.CRV: COSECRV.P256, COSEKey.X: x, COSEKey.Y: y}
    try:
        verify_authentication_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=rp_id,
            expected_origin=origins,
            credential_public_key=encode_cbor({int(name): value for name, value in key.items()}),
            # The caller compares the counts, to say so.
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    except Exception as fault:
        raise ValueError(str(fault)) from fault
