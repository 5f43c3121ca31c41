"""An exception as a message that may be shown: on one line, not too long, and without secrets."""

import re
import warnings
from collections.abc import Iterator

from django.conf import settings

LONGEST = 300
"""Characters of an exception's own text that are shown."""

_SECRET_NAME = re.compile("passw|secret|token|credential|signature|(access|account|api|private)_?key", re.IGNORECASE)
_USER_INFO = re.compile(r"//[^/\s]*@")
_SHORTEST_SECRET = 4


def describe_fault(fault: BaseException) -> str:
    """The class and the text of an exception.

    The text never has the user part of an address, nor a value that the host's settings keep under a name such as
    ``PASSWORD`` or ``SECRET_KEY``.
    """
    text = " ".join(str(fault).split())
    for secret in sorted(set(_secrets()), key=len, reverse=True):
        text = text.replace(secret, "…")
    text = _USER_INFO.sub("//…@", text)
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return f"{type(fault).__name__}: {shown}" if shown else type(fault).__name__


def _secrets() -> Iterator[str]:
    for name, value in _all_settings().items():
        yield from _secrets_in(value, is_secret=bool(_SECRET_NAME.search(name)))


def _all_settings() -> dict[str, object]:
    with warnings.catch_warnings():
        # Django warns whoever reads a setting that it is about to drop, such as EMAIL_BACKEND in 6.1.
        warnings.simplefilter("ignore")
        return {name: getattr(settings, name) for name in dir(settings) if name.isupper()}


def _secrets_in(value: object, *, is_secret: bool) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _secrets_in(inner, is_secret=is_secret or bool(_SECRET_NAME.search(str(key))))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _secrets_in(inner, is_secret=is_secret)
    elif isinstance(value, str) and is_secret and len(value) >= _SHORTEST_SECRET:
        yield value
