"""The one way in which fetching fails."""

from typing import Final

NOTHING_FETCHED: Final = (
    "Nothing could be fetched from there: the address must be public, and answer in time with success."
)
UNUSABLE_URL: Final = "Send a full http or https address with a plain host, and no user name or password."
UNUSABLE_REDIRECT: Final = "The address redirects to where no redirect may lead."
TOO_LARGE: Final = "What the address sends is too large."
ENCODED: Final = "The address sends compressed data, although none was asked for."


class FetchRefused(Exception):
    """Nothing was fetched.

    ``reason`` is a sentence that a caller may read. It is the same for a name that does not exist, an address that is
    not permitted, a closed port and a server that is too slow: nobody learns from it what an internal network holds.
    """

    def __init__(self, reason: str = NOTHING_FETCHED) -> None:
        self.reason = reason
        super().__init__(reason)
