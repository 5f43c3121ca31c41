"""Faults that language models make in texts, found by one table of patterns (findings.models).

Code and quotations are left out, because there an article shows such faults. The time grows with the text alone: no
pattern has two ways to match the same characters, and what repeats is bounded.
"""

# ruff: noqa: RUF001  # quotation marks and dashes as people write them

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice, takewhile
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from blog_engine.content.html import INLINE, Element, text_of

_MOST_LINKS: Final = 20
"""Links of a body that are named for each fault."""
_CODE: Final = frozenset({"code", "pre", "kbd", "samp", "math"})
_CODE_SIGN: Final = "\ufffc"
_QUOTES: Final = f"\"'“”„«»‘’‚‹›`*{_CODE_SIGN}"
_EMPHASIS: Final = frozenset({"strong", "em"})
_EMPHASISED: Final = "\u2060"
"""Stands before a text that begins with emphasis, as a term does that is defined."""
_PAIRS: Final = (("“", "”"), ("„", "“"), ("«", "»"))
_MOST_MATCHES: Final = 20
"""Passages of a block that are looked at for each sign, because several can be quoted."""
_AROUND: Final = 16
_LONGEST: Final = 80


class FaultCode(StrEnum):
    """The faults, by the codes of their findings."""

    ESCAPES = "escapes_in_text"
    MARKUP = "markup_in_text"
    PLACEHOLDER = "placeholder_left"
    CHAT = "chat_remark_left"
    CITATION = "citation_mark_left"
    LINK = "link_placeholder"
    FENCED = "body_fenced"
    FRONT_MATTER = "front_matter_in_body"


class TextFault(NamedTuple):
    """A fault, and the passage that has it or the target of the link."""

    code: FaultCode
    shown: str
    is_link: bool = False
    """Whether ``shown`` is the target of a link."""


class TextBlock(NamedTuple):
    """The text of a paragraph (``p``), a heading, list item, cell or field; code in it is U+FFFC."""

    element: str
    text: str


class Link(NamedTuple):
    """A link as written."""

    href: str
    text: str


class Prose(NamedTuple):
    """The own words of a body, and all its code."""

    blocks: list[TextBlock]
    links: list[Link]
    code: list[str]


def prose_of(tree: Element) -> Prose:
    """Return the prose of a sanitised tree."""
    prose = Prose([], [], [])
    _read(tree, prose, prose.blocks, [])
    return prose


def _read(element: Element, prose: Prose, blocks: list[TextBlock], text: list[str]) -> None:
    """Read the children of a block, or of an inline element in it, whose ``text`` goes on."""
    for child in element.children:
        if isinstance(child, str):
            text.append(child)
        elif child.name in _CODE:
            prose.code.append(text_of(child))
            text.append(_CODE_SIGN)
        elif child.name in INLINE:
            if child.name == "a" and "href" in child.attrs:
                prose.links.append(Link(child.attrs["href"], text_of(child)))
            if child.name in _EMPHASIS and not any(text):
                text.append(_EMPHASISED)
            text.append("\n" if child.name == "br" else "")
            _read(child, prose, blocks, text)
        else:
            _end(element.name, blocks, text)
            own: list[str] = []
            inner = [] if child.name == "blockquote" else blocks
            _read(child, prose, inner, own)
            _end(child.name, inner, own)
    if element.name not in INLINE:
        _end(element.name, blocks, text)


def _end(element: str, blocks: list[TextBlock], text: list[str]) -> None:
    whole = "".join(text).strip()
    text.clear()
    if whole:
        blocks.append(TextBlock(element, whole))


class _Place(StrEnum):
    """The place at which a pattern is looked for."""

    ANYWHERE = "anywhere"
    PARAGRAPH = "paragraph"
    """At the start of a paragraph."""
    FIRST = "first"
    """At the start of the text."""
    LAST = "last"
    """At the start of the last paragraph."""


class _Sign(NamedTuple):
    """A pattern by which a fault is known."""

    code: FaultCode
    needs: str
    """A part of each passage that matches, in lower case; empty for none."""
    pattern: re.Pattern[str]
    place: _Place = _Place.ANYWHERE
    unless_before: re.Pattern[str] | None = None
    """The words before a passage that is no fault."""
    unless_in_code: str = ""
    """What an article has in its code that is about such passages."""


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Buttons, keys, menus and templates, of which an article tells.
_SHOWN: Final = _words(
    r"\b(?:click|press|hit|tap|select|choose|button|key|menu|tab|type|write|template|placeholder|variable|replace"
    r"|klick\w*|drück\w*|taste|schaltfläche|menü|wähl\w*|platzhalter|ersetz\w*)\b[^.!?\n]{0,30}\Z"
)
_MODEL: Final = (
    r"(?:an? (?:AI|artificial intelligence)(?: language)?(?: model| assistant)?|a (?:large )?language model)"
    r"(?: (?:trained|developed|created|made) by \w{1,20})?,? I(?:['’]m|['’]ve)?\b"
)
_ARTICLE: Final = (
    r"(?:article|blog (?:post|article)|markdown(?: version)?|(?:revised|updated|rewritten|polished|improved|edited"
    r"|corrected|translated|expanded|shortened) (?:version|text|draft|post|translation)"
    r"(?: of (?:your|the) (?:article|draft|text|(?:blog )?post))?)"
)
_THING: Final = (
    r"name|company|business|brand|product|e-?mail|addres{2}|website|site|url|city|town|title|role|industry|team|phone"
    r"|username|domain|link|image|photo|text|topic|keyword|location|organi[sz]ation|school|logo|token|text here"
)

_SIGNS: Final = (
    # Line breaks and letters as JSON and Python write them: between words, not as the subject of a sentence.
    *(
        _Sign(FaultCode.ESCAPES, "\\n", re.compile(pattern))
        for pattern in (
            r"(?<=[\w.!?:;,)*\]”…])(?:\\r)?\\n(?:\\r)?\\n(?=[\w#*>\[(“\\-])",
            r"(?<=[.!?)”…])(?:\\r)?\\n(?=[^\W\d_a-z]|[#*>-])",
            r"(?<=[\w.!?:;,)\]”…])(?:\\r)?\\n(?=[-*•] |\d{1,3}[.)] |#{1,6} )",
        )
    ),
    _Sign(
        FaultCode.ESCAPES,
        "\\u",
        re.compile(r"(?<=[^\W\d_])\\u(?:00[a-fA-F][0-9a-fA-F]|20[12][0-9a-fA-F])(?=[^\W\d_]|\\u|[\s.,;:!?)]|\Z)"),
        unless_in_code="\\u",
    ),
    # Passages that are still to be written.
    _Sign(
        FaultCode.PLACEHOLDER,
        "[",
        _words(
            r"\[(?:(?:todo|tbd|tba|tk|tktk|xxx?|lorem ipsum|placeholder|to be (?:added|completed|determined|written))\b"
            r"[^\]\n]{0,80}"
            r"|(?:insert|add|enter|include|paste|fill in|insérer|insertar)\b:?[ ][^\]\n]{1,80}"
            r"|(?:bild|foto|link|name|text|datum|quelle)\b[^\]\n]{0,40} einfügen"
            rf"|(?:your|ihre?|deine?|votre|su) (?:[\w-]{{1,20}} ){{0,2}}(?:{_THING})"
            r"|(?:author|company|client|customer|product|brand|website|business|recipient|first|last|full|city"
            r"|hiring manager)(?:['’]s)? name"
            r"|(?:image|photo|picture|screenshot|diagram|chart|video|link) (?:of|to|showing|placeholder|here)\b"
            r"[^\]\n]{0,80})\]"
        ),
        unless_before=_SHOWN,
    ),
    _Sign(FaultCode.PLACEHOLDER, "todo", re.compile(r"TODO(?::\s|\s[-–—]\s|\Z)"), _Place.PARAGRAPH),
    _Sign(FaultCode.PLACEHOLDER, "tbd", re.compile(r"TBD(?::\s|\Z)"), _Place.PARAGRAPH),
    _Sign(FaultCode.PLACEHOLDER, "lorem ipsum", _words(r"lorem ipsum dolor sit amet\b"), _Place.PARAGRAPH),
    _Sign(FaultCode.PLACEHOLDER, "xx", re.compile(r"(?<![\w.,-])(?:[$€£]X{2,4}(?![\w])|X{2,4} ?%)")),
    _Sign(FaultCode.PLACEHOLDER, "xxx", re.compile(r"XXX(?::\s|\Z)"), _Place.PARAGRAPH),
    _Sign(
        FaultCode.PLACEHOLDER,
        "{{",
        re.compile(r"\{\{[-#/]?[ ]?[A-Za-z_][\w.|: '\"-]{0,80}\}\}"),
        unless_before=_SHOWN,
        unless_in_code="{{",
    ),
    _Sign(FaultCode.PLACEHOLDER, "{%", re.compile(r"\{%-? ?[a-z][^%\n]{0,100}%\}"), unless_in_code="{%"),
    # What a chat program says to the person who asked it.
    _Sign(FaultCode.CHAT, "as a", _words(rf"\bas {_MODEL}")),
    _Sign(
        FaultCode.CHAT, "ki-", _words(r"\bals (?:ein(?:e)? )?KI-(?:Sprach)?(?:modell|assistent)\b[^.!?\n]{0,20}\bich\b")
    ),
    _Sign(FaultCode.CHAT, "modèle de langage", _words(r"\ben tant que modèle de langage\b")),
    _Sign(FaultCode.CHAT, "modelo de lenguaje", _words(r"\bcomo (?:un )?modelo de lenguaje\b")),
    _Sign(
        FaultCode.CHAT,
        " my la",
        _words(r"\b(?:as of|up to|since) my (?:last|latest) (?:knowledge |training )?(?:update|cut-?off)\b"),
    ),
    _Sign(
        FaultCode.CHAT,
        "!",
        _words(
            r"(?:certainly|sure(?: thing)?|of course|absolutely|got it|no problem|great (?:question|idea|topic)"
            r"|gerne|natürlich|selbstverständlich|bien sûr|avec plaisir|¡?claro(?: que sí)?|¡?por supuesto)!"
            r"(?:\Z|\s{1,3}(?:here|below|i['’]ll|i['’]ve|i can|i have|let['’]s|let me|this is|hier|ich|voici|aquí)\b)"
        ),
        _Place.FIRST,
    ),
    _Sign(
        FaultCode.CHAT,
        "here",
        _words(
            r"(?:(?:certainly|sure|of course|absolutely)[,.!] )?(?:here(?:['’]s| is)|below is) (?:the|your|an?) "
            rf"(?:[\w,'’-]{{1,20}} ){{0,4}}{_ARTICLE}"
            r"(?: (?:about|on|for|with|in|based|optimi[sz]ed|you requested)\b[^.!?:\n]{0,100})?(?::\Z|:\s{1,2}\S)"
        ),
        _Place.FIRST,
    ),
    _Sign(
        FaultCode.CHAT,
        "hier",
        _words(
            r"(?:gerne|natürlich)?[,.!]? ?hier (?:ist|kommt) (?:der|dein|ihr|ein) (?:[\w-]{1,20} ){0,3}"
            r"(?:artikel|blog-?(?:beitrag|artikel|post)|entwurf)\b[^.!?:\n]{0,100}:\Z"
        ),
        _Place.FIRST,
    ),
    _Sign(
        FaultCode.CHAT,
        "",
        _words(
            r"(?:i hope (?:this|that) helps|ich hoffe,? (?:das|dies) hilft|j['’]espère que cela (?:vous )?aide"
            r"|espero que (?:esto )?(?:te |le )?(?:ayude|sirva))[.!]{0,3}\Z"
            r"|(?:i hope this helps[.!] )?(?:please )?let me know if you(?:['’]d| would)? (?:like|want|need)"
            r" (?:me to\b|any (?:changes|adjustments|edits|revisions|modifications))"
            r"|would you like me to\b|if you(?:['’]d| would) like, i can\b"
            r"|(?:please )?feel free to (?:adjust|modify|edit|tweak) (?:this|the) (?:article|draft|post|text|tone)"
            r"|(?:soll|möchten sie, dass|möchtest du, dass) ich\b[^.!?\n]{0,80}"
            r"\b(?:anpasse|änder|kürze|erweiter|überarbeite|schreibe|erstelle|ergänze)n?\b[^.!?\n]{0,20}\?\Z"
        ),
        _Place.LAST,
    ),
    # Marks that chat programs put where they cite.
    _Sign(
        FaultCode.CITATION, "oaicite", re.compile(r":?contentReference\[oaicite:[^\]\n]{0,20}\](?:\{[^}\n]{0,30}\})?")
    ),
    _Sign(FaultCode.CITATION, "oai_citation", re.compile(r"\[?oai_citation[:_‡][^\]\s]{0,60}\]?")),
    _Sign(FaultCode.CITATION, "†", re.compile(r"【\d{1,4}(?::\d{1,4})?†[^】\n]{0,60}】")),
    _Sign(
        FaultCode.CITATION,
        "turn",
        re.compile(r"(?:\ue200?cite\ue202?)?\bturn\d{1,3}(?:search|view|news|file|image)\d{1,3}\b"),
    ),
    _Sign(FaultCode.CITATION, "citeturn", re.compile(r"\bciteturn\d{1,3}\w{3,10}\d{1,3}\b")),
    _Sign(FaultCode.CITATION, "[cite", re.compile(r"\[cite(?:_start|_end|: ?\d{1,3}(?:, ?\d{1,3}){0,20})\]")),
)
"""The signs in prose: of a body, and of the fields of a post."""

_BODY_SIGNS: Final = (
    *_SIGNS,
    _Sign(FaultCode.ESCAPES, "&", re.compile(r"(?<=[^\W\d_])&(?:#0?39|#x27|apos|[lr]squo);(?=[^\W\d_])")),
)
_FIELD_SIGNS: Final = (
    _Sign(
        FaultCode.PLACEHOLDER,
        "",
        _words(r"(?:(?:todo|tbd|tba|untitled|xxx)[.:…]{0,3}\Z|lorem ipsum dolor\b)"),
        _Place.FIRST,
    ),
    _Sign(
        FaultCode.MARKUP,
        "<",
        re.compile(r"<(b|i|u|em|strong|h[1-6]|p|a|code|span|mark|small|sup|sub)\b[^<>]{0,200}>(?=[^<>]{0,300}</\1>)"),
    ),
    _Sign(FaultCode.MARKUP, "<br", re.compile(r"(?<=\S)<br ?/?>(?=\S)")),
    _Sign(
        FaultCode.MARKUP,
        "&",
        re.compile(
            r"(?<![\w&])&amp;(?= \w)|(?<=\w)&(?:amp|#0?39|#x27|apos|quot|nbsp|[lr][sd]quo|[nm]dash|hellip);"
            r"|&quot;(?=\w)"
        ),
    ),
    _Sign(FaultCode.MARKUP, "**", re.compile(r"(?<![\w*])\*\*(?=[^\s*])[^*\n]{1,200}(?<=\S)\*\*(?![\w*])")),
    _Sign(FaultCode.MARKUP, "](", re.compile(r"\[[^\]\n]{1,200}\]\((?:https?://|/)[^)\s]{0,300}\)")),
    _Sign(FaultCode.MARKUP, "#", re.compile(r"#{1,6} (?=[^\sa-z\d])"), _Place.FIRST),
    _Sign(
        FaultCode.MARKUP,
        ":",
        _words(r"(?:\*\*)?(?:title|titel|titre|headline|meta description)(?:\*\*)? ?: "),
        _Place.FIRST,
    ),
)
"""Further signs in fields, which are shown as plain text."""
_ABOUT_MARKUP: Final = _words(r"html|xml|entit|escap|encod|markup|sanitiz|\btags?\b|element|character|zeichen|maskier")
"""Words of texts about markup."""


def faults_of_field(text: str) -> Iterator[TextFault]:
    """Yield the first fault of each kind in a field of plain text."""
    signs = _SIGNS if _ABOUT_MARKUP.search(text) else (*_FIELD_SIGNS, *_SIGNS)
    return _faults([TextBlock("field", text.strip())], signs, code=[])


def faults_of_body(prose: Prose, source: str) -> list[TextFault]:
    """Return the first fault of each kind in a body, and those of its links; ``source`` is the body as written."""
    return [*_of_source(source), *_faults(prose.blocks, _BODY_SIGNS, code=prose.code), *_of_links(prose)]


def _faults(blocks: list[TextBlock], signs: Iterable[_Sign], *, code: list[str]) -> Iterator[TextFault]:
    lowered = [block.text.lower() for block in blocks]
    found = set[FaultCode]()
    for sign in signs:
        if sign.code in found or (sign.unless_in_code and any(sign.unless_in_code in one for one in code)):
            continue
        for number in _numbers(sign.place, blocks):
            if sign.needs in lowered[number] and (shown := _passage(sign, blocks[number].text)):
                found.add(sign.code)
                yield TextFault(sign.code, shown)
                break


def _numbers(place: _Place, blocks: list[TextBlock]) -> Iterable[int]:
    """Return the numbers of the blocks in which a sign is looked for."""
    match place:
        case _Place.ANYWHERE:
            return range(len(blocks))
        case _Place.PARAGRAPH:
            return (number for number, block in enumerate(blocks) if block.element == "p")
        case _Place.FIRST:
            return range(min(1, len(blocks)))
        case _Place.LAST:
            return range(max(0, len(blocks) - 1), len(blocks))


def _passage(sign: _Sign, text: str) -> str:
    """Return the first passage that has a sign, with words around a short one; empty for none."""
    if sign.place is not _Place.ANYWHERE:
        text = text if sign.place is _Place.PARAGRAPH else text.lstrip(_EMPHASISED)
        match = sign.pattern.match(text)
        return _excerpt(text, match.start(), match.end()) if match else ""
    for match in islice(sign.pattern.finditer(text), _MOST_MATCHES):
        start = match.start()
        if sign.code is not FaultCode.ESCAPES and _is_quoted(text, start):
            continue
        if sign.unless_before and sign.unless_before.search(text, max(0, start - 2 * _LONGEST), start):
            continue
        return _excerpt(text, start, match.end())
    return ""


def _excerpt(text: str, start: int, end: int) -> str:
    if end - start < _AROUND:
        start, end = max(0, start - _AROUND), end + _AROUND
        start = text.rfind(" ", 0, start) + 1 if start else 0
        space = text.find(" ", end)
        end = len(text) if space < 0 else space
    shown = " ".join(
        text[start : min(end, start + 2 * _LONGEST)].replace(_CODE_SIGN, "…").replace(_EMPHASISED, "").split()
    )
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _is_quoted(text: str, position: int) -> bool:
    if position and text[position - 1] in _QUOTES:
        return True
    before = text[:position]
    is_open = any(before.rfind(opens) > before.rfind(closes) for opens, closes in _PAIRS)
    return is_open or before.count('"') % 2 == 1


_LINES: Final = re.compile(r"\r\n|\r|\n")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([\w+-]{0,20})[ \t]*")
_MARKDOWN: Final = frozenset({"markdown", "md", "mdx"})
_TEXTS: Final = frozenset({"", "text", "txt", "plaintext", "html"})
_ARTICLE_LINE: Final = re.compile(r"#{2,6} [^\W\d_]|<(?:p|h[1-6])>|[^\W\d_][^`{};=]{60,}[.!?:]\Z")
_MOST_LINES: Final = 60
_FRONT_KEY: Final = (
    r"(?:title|date|slug|tags?|description|authors?|layout|draft|categor(?:y|ies)|published|permalink|excerpt|summary"
    r"|keywords|image|lang(?:uage)?|status|updated|cover(?:_image)?"
    r"|(?:meta|seo|focus)[ _-](?:description|title|keyword))"
)
_FRONT_LINE: Final = {
    "---": (_words(rf"{_FRONT_KEY}:(?:\s.*)?"), re.compile(r"[\w .-]{1,40}:(?:\s.*)?|\s.*|-\s.*|#.*|")),
    "+++": (_words(rf"{_FRONT_KEY} ?=.*"), re.compile(r"[\w .-]{1,40}=.*|\s.*|\[.*|\].*|#.*|")),
}
_FRONT_JSON: Final = _words(r"\{\s{0,20}\"(?:title|slug|body|content|description|tags)\"\s?:")
_LABEL: Final = _words(rf"(?:\*\*|__)?{_FRONT_KEY}(?:\*\*|__)?[ ]?:(?:\*\*|__)? \S.*")
_LABEL_OF_A_PAGE: Final = _words(r"\W{0,2}(?:slug|permalink|excerpt|(?:meta|seo|focus)[ _-])")


def _of_source(source: str) -> Iterator[TextFault]:
    """Yield what can be wrong with a body as a whole."""
    text = source.strip("\ufeff \t\r\n")
    lines = _LINES.split(text)
    if _is_fenced(lines):
        yield TextFault(FaultCode.FENCED, lines[0].strip())
    if shown := _front_matter(text, lines[:_MOST_LINES]):
        yield TextFault(FaultCode.FRONT_MATTER, shown[:_LONGEST])


def _is_fenced(lines: list[str]) -> bool:
    """Return whether an article is one block of code, also where blocks in it end that one too early."""
    first = _FENCE.fullmatch(lines[0])
    language = first[2].lower() if first else "none"
    if language not in _MARKDOWN | _TEXTS:
        return False
    fence, number, has_text = "", 0, False
    for line in lines:
        found = _FENCE.fullmatch(line)
        if not fence:
            fence, number = (found[1], number + 1) if found else ("", number)
            has_text |= found is None and bool(line.strip())
        elif found and not found[2] and found[1].startswith(fence):
            fence = ""
    if language in _MARKDOWN:
        ends_with_fence = number > 1 and fence != "" and _FENCE.fullmatch(lines[-1]) is not None
        return ends_with_fence or (number == 1 and not has_text)
    return number == 1 and not has_text and any(_ARTICLE_LINE.match(line) for line in lines)


def _front_matter(text: str, lines: list[str]) -> str:
    """Return the first line of metadata at the start of a body; empty for none."""
    if _FRONT_JSON.match(text):
        return lines[0]
    mark = lines[0].rstrip()
    if mark in _FRONT_LINE and mark in lines[1:]:
        key, line = _FRONT_LINE[mark]
        own = lines[1 : lines.index(mark, 1)]
        named = [one for one in own if key.fullmatch(one)]
        return named[0] if named and all(map(line.fullmatch, own)) else ""
    labels = list(takewhile(_LABEL.fullmatch, (line for line in lines if line.strip())))
    return labels[0] if len(labels) > 1 and any(map(_LABEL_OF_A_PAGE.match, labels)) else ""


_NO_TARGET: Final = _words(r"(?:#|url|link|todo|tbd|placeholder|https?://(?:\.\.\.|…|%E2%80%A6).*)?")
_NO_HOST: Final = _words(
    r"(?:.{1,200}\.)?(?:example\.(?:com|org|net)|localhost|127\.0\.0\.1|0\.0\.0\.0"
    r"|your-?(?:domain|website|site|blog|company|store|app)\.(?:com|org|net|io|dev|tld))"
)
_SENT_BY_CHAT: Final = _words(
    r"[?&]utm_source=(?:chatgpt\.com|chat\.openai\.com|openai|perplexity(?:\.ai)?|copilot\.com|gemini(?:\.google\.com)?"
    r"|claude(?:\.ai)?|grok(?:\.com)?|deepseek)\b"
)


def _of_links(prose: Prose) -> Iterator[TextFault]:
    """Yield the links that lead nowhere yet, and those that chat programs marked as theirs."""
    links = list(dict.fromkeys(prose.links))
    unfinished = (link.href for link in links if _is_unfinished(link, prose.code))
    marked = (link.href for link in links if _SENT_BY_CHAT.search(link.href))
    for code, found in ((FaultCode.LINK, unfinished), (FaultCode.CITATION, marked)):
        for href in islice(dict.fromkeys(found), _MOST_LINKS):
            yield TextFault(code, href, is_link=True)


def _is_unfinished(link: Link, code: list[str]) -> bool:
    if _NO_TARGET.fullmatch(link.href):
        return True
    try:
        host = urlsplit(link.href).hostname or ""
    except ValueError:
        return False
    # A tutorial names the host in its text or code.
    return bool(_NO_HOST.fullmatch(host)) and host not in link.text and not any(host in one for one in code)
