"""Read values that PHP serialised."""

import re
from typing import Final

_MOST_VALUES: Final = 20_000
_DEEPEST: Final = 20
_SCALAR: Final = re.compile(rb"(?:([ib]):(-?[0-9]{1,19})|d:([-+.0-9eEINFA]{1,40})|(N));")
_STRING: Final = re.compile(rb's:([0-9]{1,9}):"')
_ARRAY: Final = re.compile(rb"a:([0-9]{1,7}):\{")


class NotSerialized(ValueError):
    """The text is not what PHP's ``serialize`` writes, or has objects, or is too deep or too long."""


def php_value(text: str) -> object:
    """Return the value of a text that PHP's ``serialize`` wrote; arrays are dicts.

    Objects are refused with ``NotSerialized``: they have no place in the data of a post.
    """
    reader = _PhpReader(text.encode())
    value = reader.value(0)
    if reader.position != len(reader.data):
        raise NotSerialized("more follows after the value")
    return value


class _PhpReader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self._left = _MOST_VALUES

    def value(self, depth: int) -> object:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise NotSerialized("too many or too deeply nested values")
        if found := _SCALAR.match(self.data, self.position):
            self.position = found.end()
            if found[1]:
                number = int(found[2])
                return bool(number) if found[1] == b"b" else number
            return found[3].decode() if found[3] else None
        if found := _STRING.match(self.data, self.position):
            end = found.end() + int(found[1])
            if self.data[end : end + 2] != b'";':
                raise NotSerialized("a text has another length than it declares")
            self.position = end + 2
            return self.data[found.end() : end].decode(errors="replace")
        if found := _ARRAY.match(self.data, self.position):
            return self._array(found, depth)
        raise NotSerialized("an unknown kind of value")

    def _array(self, found: re.Match[bytes], depth: int) -> dict[object, object]:
        self.position = found.end()
        values: dict[object, object] = {}
        for _ in range(int(found[1])):
            key = self.value(depth + 1)
            if not isinstance(key, str | int):
                raise NotSerialized("a key is neither a number nor a text")
            values[key] = self.value(depth + 1)
        if self.data[self.position : self.position + 1] != b"}":
            raise NotSerialized("an array does not end")
        self.position += 1
        return values
