"""Plain values of data files in JavaScript, which are read and never run."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

CORE: Final = ("draft", "published", "permalink", "eleventyexcludefromcollections", "eleventycomputed")
HIDING: Final = frozenset(
    {
        *(*CORE, "isdraft", "is_draft", "publish", "ispublished", "is_published", "unpublished", "unlisted", "hidden"),
        *("private", "protected", "password", "status", "visibility", "expires", "expirydate", "unpublishdate"),
        "publishdate",
    }
)
"""Names, in lower case, of values that can keep a post from readers."""
_NAMED: Final = re.compile(
    rf"(?<![\w-])(?!eleventycomputed[\"'\]]{{0,2}}\s*[:=]\s*\{{)"
    rf"(?:({'|'.join(CORE)})(?![\w-])|({'|'.join(sorted(HIDING))})(?=[\"'\]]{{0,2}}\s*[:=(]))",
    re.IGNORECASE,
)
"""A hiding name, a usual word only before its value; an object of computed values is known by the names in it."""
_TOKEN: Final = re.compile(
    r"(?P<space>\s+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)"
    r"|(?P<text>'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"|`(?:[^`\\$]|\\.|\$(?!\{))*+`)"
    r"|(?P<template>`(?:[^`\\$]|\\.|\$(?!\{)|\$\{[^`{}]*\})*+`)"
    r"|(?P<number>-?(?:0|[1-9][0-9_]{0,15})(?:\.[0-9]{1,15})?(?![\w.]))"
    r"|(?P<name>[A-Za-z_$][\w$]*+)"
    r"|(?P<sign>=>|\.\.\.|[{}()\[\],:;=.?!&|+<>*%@#~^-])",
    re.DOTALL,
)
_QUOTED: Final = r"""["'`]([^"'`\n$]+)["'`]"""
_OF_PAGE: Final = r"\$\{\s*(?:\w+\.)?(page\.(?:fileSlug|filePathStem))\s*\}"
_TEXT_OF_PAGE: Final = rf"`((?:[^`\\$\n\"]|{_OF_PAGE}){{1,500}})`\s*;?\s*"
_URL_FUNCTION: Final = re.compile(
    r"\bpermalink\b\s*(?::\s*(?:function\b\s*)?)?(?:\(\s*(?:\w+|\{\s*page\s*\})\s*\)|\w+)\s*"
    rf"(?:=>\s*{_TEXT_OF_PAGE}(?=[,}}])|(?:=>\s*)?\{{\s*return\s+{_TEXT_OF_PAGE}\}})"
)
"""A function for a URL that decides nothing: it only puts the name of the file in a text."""
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_SIMPLE: Final = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_CONSTANTS: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None, "undefined": None}
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_CHOICES: Final = frozenset({"if", "else", "switch", "for", "while", "?", "&", "|", "try", "catch"})
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class ScriptValues:
    """The values that the text of a script gives to posts."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """The plain values, by names in lower case."""
    unknown: frozenset[str] = frozenset()
    """Names in lower case that can keep a post from readers, and whose values would have to be worked out."""


class _NotPlain(Exception):
    """A value is no plain literal."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def read_script(text: str) -> ScriptValues:
    """Return the plain values of a script: those of the object that it exports, if it is written out."""
    text = _URL_FUNCTION.sub(_plain_url, text)
    try:
        tokens = list(_tokens(text))
    except _NotPlain:
        # Comments cannot be told from code here, so that they count as well.
        return ScriptValues(unknown=names_hiding(text))
    found = _Reader(tokens).exported()
    return found or _assigned(tokens)


def _plain_url(function: re.Match[str]) -> str:
    template = re.sub(_OF_PAGE, r"{{ \1 }}", function[1] or function[3])
    return f'permalink: "{template}"'


def names_hiding(text: str) -> frozenset[str]:
    """Return the names in a text, in lower case, that can keep a post from readers."""
    return frozenset(found[0].lower() for found in _NAMED.finditer(_unescaped(text)))


def script_text(script: str, name: str) -> str | None:
    """Return the text that a configuration in JavaScript gives for a name."""
    found = re.search(rf"(?<![\w.]){name}\s*:\s*{_QUOTED}", script)
    return found[1] if found else None


def outermost_text(script: str, name: str) -> str | None:
    """Return the text that the object of a configuration in JavaScript gives for a name, not one of its parts."""
    begin = re.search(r"\bdefineConfig\(|\bexport default\b", script)
    tail = script[begin.start() if begin else 0 :]
    is_function = re.match(r"(?:export default\s+)?(?:defineConfig\()?\s*(?:async\b|function\b|\()", tail) is not None
    found = re.finditer(rf"(?<![\w.]){name}\s*:\s*{_QUOTED}", tail)
    depths = {one[1]: tail.count("{", 0, one.start()) - tail.count("}", 0, one.start()) for one in found}
    text = min(depths, key=lambda one: depths[one], default=None)
    return text if text is not None and depths[text] <= 1 + is_function else None


def script_calls(script: str, name: str) -> list[str]:
    """Return the texts that a configuration in JavaScript passes first to the calls of a method."""
    return re.findall(rf"\b{name}\(\s*{_QUOTED}", script)


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _NotPlain
        at = found.end()
        if found.lastgroup != "space":
            yield _Token(str(found.lastgroup), found[0])


class _Reader:
    """A reader of an object that is written out, over its tokens."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = [*tokens, _Token("end", ""), _Token("end", "")]
        self._at = 0
        self._ends: list[str] = []
        """What is open around the object."""

    def exported(self) -> ScriptValues | None:
        """Return the values of the object that the whole script is; ``None`` if it is anything else."""
        try:
            self._find_export()
            self._skip_beginning()
            values, unknown = self._members(depth=0)
            self._skip_end()
        except _NotPlain:
            return None
        return ScriptValues(values, frozenset(unknown)) if self._now.kind == "end" else None

    def assigned(self) -> Any:
        """Return the literal that is behind a name; raises ``_NotPlain``."""
        if not (self._take(":") or self._take("=")):
            raise _NotPlain
        value = self._value(depth=_DEEPEST + 1)
        if self._now.text not in {",", "}", ";", ""}:
            raise _NotPlain
        return value

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *texts: str) -> bool:
        if [token.text for token in self._tokens[self._at : self._at + len(texts)]] != list(texts):
            return False
        self._at += len(texts)
        return True

    def _find_export(self) -> None:
        """Go to the only export, if no hiding name is before it."""
        texts = [token.text for token in self._tokens]
        at = [number for number, text in enumerate(texts) if text in {"export", "exports"}]
        before = {text.strip("'\"`").lower() for text in texts[: at[0]]} if at else set()
        if len(at) == 1 and HIDING.isdisjoint(before) and _CHOICES.isdisjoint(before):
            self._at = at[0] - (2 if texts[at[0] - 2 : at[0]] == ["module", "."] else 0)

    def _skip_beginning(self) -> None:
        """Skip what comes before the object, also that of a function which only returns it."""
        self._take("export", "default") or self._take("module", ".", "exports", "=") or self._take("exports", "=")
        self._take("async")
        if self._take("function"):
            if self._now.kind == "name":
                self._at += 1
            self._skip_group("(")
            if not self._take("{", "return"):
                raise _NotPlain
            self._ends = ["}"]
            return
        arrow = self._at
        if self._now.kind == "name":
            self._at += 1
        elif self._now.text == "(":
            self._skip_group("(")
        if self._take("=>"):
            if self._take("("):
                self._ends = [")"]
            elif self._take("{", "return"):
                self._ends = ["}"]
            else:
                raise _NotPlain
            return
        self._at = arrow
        self._ends = [")"] if self._take("(") else []

    def _skip_end(self) -> None:
        self._take(";")
        for end in self._ends:
            if not self._take(end):
                raise _NotPlain
        self._take(";")

    def _skip_group(self, opening: str) -> None:
        if not self._take(opening):
            raise _NotPlain
        ends = [_OPENING[opening]]
        while ends:
            token = self._now
            if token.kind == "end":
                raise _NotPlain
            if token.text in _OPENING:
                ends.append(_OPENING[token.text])
            elif token.text == ends[-1]:
                ends.pop()
            self._at += 1

    def _members(self, *, depth: int) -> tuple[dict[str, Any], set[str]]:
        """Return the values of an object by names in lower case, and the hiding names whose values are not plain."""
        values: dict[str, Any] = {}
        unknown = set[str]()
        if depth > _DEEPEST or not self._take("{"):
            raise _NotPlain
        while not self._take("}"):
            name = self._name()
            begin = self._at
            try:
                if not self._take(":"):
                    raise _NotPlain
                if name == "eleventycomputed" and self._now.text == "{":
                    values[name], inner = self._members(depth=depth + 1)
                    unknown |= inner
                else:
                    values[name] = self._value(depth=depth + 1)
                if self._now.text not in {",", "}"}:
                    raise _NotPlain
                unknown.discard(name)
            except _NotPlain:
                self._at = begin
                self._skip_value()
                values.pop(name, None)
                unknown |= {name} & HIDING
            self._take(",")
        return values, unknown

    def _name(self) -> str:
        self._take("[")
        while self._now.text in {"get", "set", "async"} and self._tokens[self._at + 1].kind in {"name", "text"}:
            self._at += 1
        token = self._now
        if token.kind not in {"name", "text", "number"} and token.text != "...":
            raise _NotPlain
        self._at += 1
        self._take("]")
        return (_text_of(token) if token.kind == "text" else token.text).lower()

    def _skip_value(self) -> None:
        """Skip to the comma or brace that ends a member."""
        while self._now.text not in {",", "}"}:
            if self._now.kind == "end":
                raise _NotPlain
            if self._now.text in _OPENING:
                self._skip_group(self._now.text)
            else:
                self._at += 1

    def _value(self, *, depth: int) -> Any:
        token = self._now
        if token.text == "{":
            values, unknown = self._members(depth=depth)
            if unknown:
                raise _NotPlain
            return values
        if token.text == "[":
            return self._list(depth=depth)
        self._at += 1
        if token.kind == "text":
            return _text_of(token)
        if token.kind == "number":
            return json.loads(token.text.replace("_", ""))
        if token.text == "!" and self._now.text in {"0", "1"}:
            self._at += 1
            return self._tokens[self._at - 1].text == "0"
        if token.text not in _CONSTANTS:
            raise _NotPlain
        return _CONSTANTS[token.text]

    def _list(self, *, depth: int) -> list[Any]:
        if depth > _DEEPEST or not self._take("["):
            raise _NotPlain
        found = []
        while not self._take("]"):
            found.append(self._value(depth=depth + 1))
            if not self._take(",") and self._now.text != "]":
                raise _NotPlain
        return found


def _assigned(tokens: list[_Token]) -> ScriptValues:
    """Return the hiding names of any script: plain where each has one literal, and no choice is made."""
    values: dict[str, Any] = {}
    unknown = set[str]()
    has_choice = any(token.text in _CHOICES for token in tokens)
    for number, token in enumerate(tokens):
        name = (_text_of(token) if token.kind == "text" else token.text).lower()
        inner = "".join(one.text for one in tokens[number + 1 : number + 3])
        if name not in HIDING or (name == "eleventycomputed" and inner in {":{", "={"}):
            continue
        after = _Reader(tokens[number + 1 : number + 4])
        try:
            value = after.assigned()
            if has_choice or values.setdefault(name, value) != value:
                raise _NotPlain
        except _NotPlain:
            unknown.add(name)
    return ScriptValues({name: value for name, value in values.items() if name not in unknown}, frozenset(unknown))


def _text_of(token: _Token) -> str:
    return _unescaped(token.text[1:-1])


def _unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        if code:
            return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else ""
        return _SIMPLE.get(found[4], found[4])

    return _ESCAPE.sub(character, text)
