"""Facts about installed extras."""

from importlib.util import find_spec
from typing import Final

CAN_SIGN: Final = find_spec("webauthn") is not None
"""Whether people can sign approvals with passkeys: the extra ``passkeys`` is installed."""
