"""The code in WordPress posts: shortcodes and attributes by which plugins show code as it is written."""

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Final

_GENERAL: Final = ("code", "sourcecode", "source", "crayon", "codesyntax", "geshi", "prism", "pastacode", "syntax")
"""Shortcodes of SyntaxHighlighter (wordpress.com), Crayon, WP-GeSHi and the like; the language is an attribute."""
_LANGUAGES: Final = (
    *("actionscript3", "as3", "bash", "shell", "clojure", "clj", "coldfusion", "cf", "cpp", "c", "csharp", "css"),
    *("delphi", "pascal", "diff", "patch", "erl", "erlang", "fsharp", "go", "golang", "groovy", "haskell", "hs"),
    *("html", "xhtml", "xml", "xslt", "java", "javafx", "javascript", "js", "jscript", "json", "matlab", "objc"),
    *("objective-c", "obj-c", "perl", "pl", "php", "plain", "text", "powershell", "ps", "py", "python", "r"),
    *("rails", "ror", "ruby", "rb", "scala", "scss", "sql", "swift", "typescript", "vb", "vbnet", "yaml", "yml"),
)
"""Shortcodes of SyntaxHighlighter that are named like their language."""
_TAG: Final = re.compile(
    r"<!--|<(?P<element>pre|code|script|style|textarea)(?=[\s>])(?P<markup>[^<>]*)>"
    rf"|(?P<escape>\[?)\[(?P<name>{'|'.join(map(re.escape, (*_GENERAL, *_LANGUAGES)))}|cc[a-z]*(?:_[\w-]+)?)"
    r"(?=[\s\]=])(?P<attributes>[^\[\]]*)\]",
    re.IGNORECASE,
)
_END: Final = re.compile(r"\[/([\w-]+)\]|</(pre|code|script|style|textarea)\s*>|-->", re.IGNORECASE)
_COLORER: Final = re.compile(r"cc(?P<modes>[a-z]*)(?:_(?P<language>[\w-]+))?", re.IGNORECASE)
"""Shortcodes of CodeColorer, such as ``cci_php``: ``i`` is code in a line, ``e`` code with character references."""
_ATTRIBUTE: Final = re.compile(r"""([\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))""")
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,40}")
_SPOKEN: Final = re.compile(r"(?!sh|ts|cs|md|rs|kt|tf|fs|go)[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
"""What ``lang`` of a ``pre`` may be besides the name of a programming language."""
_MARKED_UP: Final = re.compile(r"<(?:code|span|br|strong|em|mark|a)[\s/>]", re.IGNORECASE)
_NONE: Final = frozenset({"", "plain", "text", "txt", "none", "default", "plaintext"})


def with_code(content: str) -> str:
    """Return a content in which code of plugins is HTML; no other shortcode is read in it, and lines stay.

    SyntaxHighlighter shows what has no ``<`` and ``>`` with its character references read once, and all else as it is
    written.
    """
    return "".join(_parts(content))


def _parts(content: str) -> Iterator[str]:
    last_ends = {_name(ending): ending.start() for ending in _END.finditer(content)}
    position = 0
    while found := _TAG.search(content, position):
        yield content[position : found.start()]
        element, name = (found["element"] or "").lower(), (found["name"] or "").lower()
        wanted = element or name
        if last_ends.get(wanted, -1) < found.end():
            yield found[0]
            position = found.end()
            continue
        ending = next(one for one in _END.finditer(content, found.end()) if _name(one) == wanted)
        position = ending.end()
        inner = content[found.end() : ending.start()]
        if element == "pre":
            yield _preformatted(found, inner, ending[0])
        elif not name:
            yield found[0] + inner + ending[0]
        elif found["escape"] and content[position : position + 1] == "]":
            # Two brackets show the shortcode itself.
            position += 1
            yield f"&#91;{found[0][2:]}{inner}&#91;{ending[0][1:]}"
        else:
            yield found["escape"] + _block(found, inner)
    yield content[position:]


def _block(found: re.Match[str], inner: str) -> str:
    """Return the HTML of a shortcode and its content."""
    name = found["name"].lower()
    attributes = _attributes(found["attributes"])
    colorer = _COLORER.fullmatch(name)
    modes = found["name"][2:].partition("_")[0] if colorer else ""
    language = attributes.get("language") or attributes.get("lang") or attributes.get("") or ""
    language = language or ((colorer["language"] or "") if colorer else name if name in _LANGUAGES else "")
    code = _shown(inner, has_references="e" in modes or attributes.get("escaped") == "true")
    if colorer and ("i" in modes or attributes.get("inline") == "true"):
        return f"<code>{escape(code, quote=False)}</code>"
    title = attributes.get("title", "").strip()
    return (f"<p>{escape(title)}</p>" if title else "") + _pre(code, language, lines=found[0].count("\n"))


def _pre(code: str, language: str, *, lines: int) -> str:
    """Return a block of code, with empty lines at its start and end outside of it; ``lines`` more are added."""
    stripped = code.lstrip("\n")
    # Blank lines may have spaces.
    start = len(code) - len(stripped)
    body = stripped.rstrip()
    after = stripped[len(body) :].count("\n")
    is_known = language.lower() not in _NONE and _LANGUAGE.fullmatch(language)
    shown = f' class="language-{escape(language.lower())}"' if is_known else ""
    return "\n" * (lines + start) + f"<pre><code{shown}>{escape(body, quote=False)}</code></pre>" + "\n" * after


def _shown(written: str, *, has_references: bool = False) -> str:
    return unescape(written) if has_references or not {"<", ">"} & set(written) else written


def _preformatted(found: re.Match[str], inner: str, end: str) -> str:
    """Return a ``pre`` whose language is in ``lang``, as WP-Syntax and GeSHi have it, in the usual form.

    Both show its content as it is written, but HTML with other marks in it was made by the editor.
    """
    attributes = _attributes(found["markup"])
    language = attributes.get("lang", "").lower()
    is_spoken = language not in _LANGUAGES and _SPOKEN.fullmatch(language)
    if is_spoken or not _LANGUAGE.fullmatch(language):
        return found[0] + inner + end
    lines = found[0].count("\n")
    if "class" in attributes or _MARKED_UP.search(inner):
        return "\n" * lines + f'<pre class="language-{language}">{inner}{end}'
    return _pre(_shown(inner, has_references=attributes.get("escaped") == "true"), language, lines=lines)


def _name(ending: re.Match[str]) -> str:
    """Return what an end mark ends; empty for a comment."""
    return (ending[1] or ending[2] or "").lower()


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(text)}
