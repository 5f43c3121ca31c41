"""reStructuredText, converted by docutils: files are not included, HTML in it is not read, and no directive is added.

The extra ``rest`` installs docutils. The rules are those of its "reStructuredText Markup Specification" and
"reStructuredText Directives"; directives of Pelican and Nikola are read where they show a picture, code or a link.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any, Final

from blog_engine.importing.data import LARGEST_DATA, FileRefused
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.markdown.front_matter import Document
from blog_engine.importing.source import Loss, Losses, LossKind

try:
    from docutils import nodes
    from docutils.core import publish_doctree
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser
    from docutils.transforms.writer_aux import Admonitions
    from docutils.utils import Reporter
    from docutils.writers.html5_polyglot import HTMLTranslator, Writer
except ModuleNotFoundError:
    IS_INSTALLED = False
else:
    IS_INSTALLED = True

_LONGEST_LINE: Final = 10_000
"""Characters; docutils refuses longer ones."""
_MOST_MESSAGES: Final = 500
_LONGEST: Final = 500
"""Characters of the source in a report."""
_OPEN, _CLOSE, _NOTE = "\ue0f0", "\ue0f1", "\ue0f2"
"""Signs around the number of a footnote, until the text is Markdown."""
_LARGEST_EXPANDED: Final = 1_000_000
"""Characters of all substitutions together."""
_SUBSTITUTION: Final = re.compile(r"\|[^|\n]{1,200}\|")
_SIGNS: Final = re.compile(f"[{_OPEN}{_CLOSE}{_NOTE}]")
_DIRECTIVE: Final = re.compile(r"\s*\.\.\s+(?:\|[^|\n]*\|\s+)?([\w:+.-]+)::[ \t]*([^\n]*)\n?")
_OPTION: Final = re.compile(r"\s*:[\w -]+:(?:\s|$)")
_ROLE: Final = re.compile(r":[\w:+.-]+:`(.*)`|`(.*)`:[\w:+.-]+:", re.DOTALL)
_CODE: Final = frozenset({"code", "code-block", "sourcecode", "pygments"})
_PICTURES: Final = frozenset({"thumbnail", "lightbox"})
_EMBEDS: Final = {
    "youtube": "https://www.youtube.com/watch?v=",
    "vimeo": "https://vimeo.com/",
    "gist": "https://gist.github.com/",
    "media": "",
    "soundcloud": "https://w.soundcloud.com/player/?url=https://api.soundcloud.com/tracks/",
}


def rest_document(document: Document) -> Document:
    """Return a document in reStructuredText with the fields at its beginning, its title, and a body in HTML.

    Raises ``FileRefused`` for a text that is too long, has too long a line or is nested too deeply.
    """
    text = _SIGNS.sub("", document.body)
    if len(text) > LARGEST_DATA:
        raise FileRefused(f"the reStructuredText has more than {LARGEST_DATA} characters")
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        raise FileRefused(f"a line of the reStructuredText has more than {_LONGEST_LINE} characters")
    _refuse_substitutions(text)
    settings = get_default_settings(Parser, Writer)
    for name, value in _settings(has_title="title" in document.metadata).items():
        setattr(settings, name, value)
    try:
        tree = publish_doctree(text, settings=settings)
        losses = list(_without_messages(tree))
        Admonitions(tree).apply()
        translator = _Translator(tree)
        tree.walkabout(translator)
    except RecursionError:
        raise FileRefused("the reStructuredText is nested too deeply") from None
    found = dict(_fields(tree))
    if isinstance(tree.get("title"), str) and not settings.has_title:
        found["title"] = tree["title"]
    metadata = {**found, **document.metadata}
    return replace(
        document,
        metadata=metadata,
        body="".join(translator.body),
        has_front_matter=bool(metadata),
        losses=(*losses, *translator.losses),
    )


def rest_markdown(html: str, losses: Losses) -> str:
    """Return the HTML of ``rest_document`` as Markdown, with footnotes."""
    text = convert(html, losses=losses, rich_text_allowed=False).body
    text = re.sub(rf"(?m)^{_NOTE}(\d+){_CLOSE}[ \t]*", r"[^\1]: ", text)
    return re.sub(rf"[ \t]*{_OPEN}(\d+){_CLOSE}", r"[^\1]", text)


def _refuse_substitutions(text: str) -> None:
    """Refuse a text whose substitutions can make it much longer; docutils keeps each below the longest line."""
    definitions = [one for one in re.split(r"\n[ \t]*\n", text) if one.lstrip().startswith(".. |")]
    uses = len(_SUBSTITUTION.findall(text))
    is_nested = any(len(_SUBSTITUTION.findall(line)) > 1 for one in definitions for line in one.split("\n"))
    longest = _LONGEST_LINE if is_nested else max(map(len, definitions), default=0)
    if uses * longest > _LARGEST_EXPANDED:
        raise FileRefused("the substitutions of the reStructuredText can make it too long")


def _settings(*, has_title: bool) -> dict[str, Any]:
    return {
        "has_title": has_title,
        "_disable_config": True,
        "doctitle_xform": not has_title,
        "file_insertion_enabled": False,
        "halt_level": 6,
        "initial_header_level": 2,
        "line_length_limit": _LONGEST_LINE,
        "raw_enabled": False,
        "report_level": 2,
        "syntax_highlight": "none",
        "toc_backlinks": False,
        "traceback": True,
        "warning_stream": _Messages(),
    }


class _Messages:
    """Counts the messages of docutils, whose time grows with the square of their number."""

    def __init__(self) -> None:
        self._count = 0

    def write(self, text: str) -> None:
        """Take a message; raises ``FileRefused`` when there are too many."""
        self._count += 1
        if self._count > _MOST_MESSAGES:
            raise FileRefused(f"the reStructuredText has more than {_MOST_MESSAGES} faults")


def _fields(tree: Any) -> Iterator[tuple[str, Any]]:
    for docinfo in tree.findall(nodes.docinfo):
        for one in docinfo.children:
            if isinstance(one, nodes.field):
                yield one[0].astext().lower(), one[1].astext()
            elif isinstance(one, nodes.authors):
                yield "authors", [author.astext() for author in one.children]
            else:
                yield one.tagname, one.astext()


def _without_messages(tree: Any) -> Iterator[Loss]:
    """Replace what docutils did not understand by what can be shown of it, and yield what is lost."""
    for one in list(tree.findall(nodes.problematic)):
        role = _ROLE.fullmatch(one.astext())
        words = (role[1] or role[2] or "").partition(" <")[0] if role else one.astext()
        one.parent.replace(one, nodes.Text(words))
    for message in [*tree.findall(nodes.system_message), *tree.transform_messages]:
        source = next((one.astext() for one in message.findall(nodes.literal_block)), "")
        directive = _DIRECTIVE.match(source)
        shown = _shown(directive, source) if directive else []
        if message.parent is not None:
            message.parent.replace(message, shown)
        if message["level"] >= Reporter.WARNING_LEVEL:
            yield from _losses_of(message, source, directive, is_shown=bool(shown))


def _losses_of(message: Any, source: str, directive: Any, *, is_shown: bool) -> Iterator[Loss]:
    name = directive[1] if directive else ""
    line = message.get("line")
    if is_shown:
        if name in _EMBEDS:
            yield Loss(LossKind.EMBED, f"The directive {name}: a link to it remains.", line)
    elif directive:
        yield Loss(LossKind.SHORTCODE, f"The directive {source.strip()[:_LONGEST]} is left out.", line)
    else:
        words = next((one.astext() for one in message.children if isinstance(one, nodes.paragraph)), "")
        if source and source not in words:
            words = f"{words} {source.strip()}"
        yield Loss(LossKind.BLOCK, f"reStructuredText: {words[:_LONGEST]}", line)


def _shown(directive: re.Match[str], source: str) -> list[Any]:
    name, argument = directive[1], directive[2].strip()
    if name in _CODE:
        lines = source[directive.end() :].split("\n")
        while lines and (not lines[0].strip() or _OPTION.match(lines[0])):
            lines.pop(0)
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        code = "\n".join(line[margin:] for line in lines).rstrip()
        return [nodes.literal_block(code, code, classes=["code", argument.partition(" ")[0] or "text"])]
    if name in _PICTURES and argument:
        return [nodes.image(uri=argument.split()[0], alt="")]
    if name in _EMBEDS and argument:
        url = _EMBEDS[name] + argument.split()[0]
        return [nodes.paragraph("", "", nodes.reference(url, url, refuri=url))]
    return []


if IS_INSTALLED:

    class _Translator(HTMLTranslator):
        """Writes HTML as the conversion of HTML reads it: code, formulas, notes and boxes in their usual elements."""

        def __init__(self, document: Any) -> None:
            super().__init__(document)
            self.losses: list[Loss] = []
            self._in_note = False
            self._numbers = {
                one: number
                for number, note in enumerate(document.findall(nodes.footnote), start=1)
                for one in note["ids"]
            }

        def visit_docinfo(self, node: Any) -> None:
            raise nodes.SkipNode

        def visit_comment(self, node: Any, sub: Any = None) -> None:
            raise nodes.SkipNode

        visit_meta = visit_decoration = visit_substitution_definition = visit_docinfo

        def visit_title(self, node: Any) -> None:
            if isinstance(node.parent, nodes.document):
                raise nodes.SkipNode
            if isinstance(node.parent, nodes.section):
                super().visit_title(node)
                return
            self.body.append("<p><strong>")
            self.context.append("</strong></p>")

        def depart_title(self, node: Any) -> None:
            if isinstance(node.parent, nodes.section):
                super().depart_title(node)
            else:
                self.body.append(self.context.pop())

        def visit_literal(self, node: Any) -> None:
            self.body.append(f"<code>{escape(node.astext(), quote=False)}</code>")
            raise nodes.SkipNode

        def visit_literal_block(self, node: Any) -> None:
            language = next((one for one in node["classes"] if one not in {"code", "text", "literal-block"}), "")
            named = f' class="language-{escape(language)}"' if language else ""
            self.body.append(f"<pre{named}>{escape(node.astext(), quote=False)}</pre>\n")
            raise nodes.SkipNode

        visit_doctest_block = visit_literal_block

        def visit_math(self, node: Any) -> None:
            self.body.append(_math(node.astext(), ""))
            raise nodes.SkipNode

        def visit_math_block(self, node: Any) -> None:
            self.body.append(_math(node.astext(), ' display="block"') + "\n")
            raise nodes.SkipNode

        def visit_footnote_reference(self, node: Any) -> None:
            self.body.append(f"{_OPEN}{self._numbers.get(node.get('refid'), 0)}{_CLOSE}")
            raise nodes.SkipNode

        def visit_footnote(self, node: Any) -> None:
            self._in_note = True
            self.body.append(f"<p>{_NOTE}{self._numbers[node['ids'][0]]}{_CLOSE} ")

        def depart_footnote(self, node: Any) -> None:
            self._in_note = False
            self.body.append("</p>\n")

        def visit_citation(self, node: Any) -> None:
            self._in_note = True
            self.body.append("<p>")

        depart_citation = depart_footnote

        def visit_label(self, node: Any) -> None:
            if isinstance(node.parent, nodes.citation):
                self.body.append(f"[{escape(node.astext())}] ")
            raise nodes.SkipNode

        def visit_citation_reference(self, node: Any) -> None:
            self.body.append(f"[{escape(node.astext())}]")
            raise nodes.SkipNode

        def visit_paragraph(self, node: Any) -> None:
            if not self._in_note:
                super().visit_paragraph(node)

        def depart_paragraph(self, node: Any) -> None:
            if self._in_note:
                self.body.append(" ")
            else:
                super().depart_paragraph(node)

        def visit_admonition(self, node: Any) -> None:
            self.body.append("<blockquote>\n")

        def depart_admonition(self, node: Any = None) -> None:
            self.body.append("</blockquote>\n")

        visit_sidebar, depart_sidebar = visit_admonition, depart_admonition

        def visit_topic(self, node: Any) -> None:
            if "contents" in node["classes"]:
                self.losses.append(Loss(LossKind.BLOCK, "A generated table of contents is left out.", node.line))
                raise nodes.SkipNode
            self.body.append("<blockquote>\n")

        depart_topic = depart_admonition

        def visit_line_block(self, node: Any) -> None:
            if isinstance(node.parent, nodes.line_block):
                return
            lines = list(node.findall(nodes.line))
            node.children = [nodes.paragraph("", "", *_with_breaks(lines))]

        def depart_line_block(self, node: Any) -> None:
            """Write nothing: the lines are a paragraph."""

    def _with_breaks(lines: list[Any]) -> Iterator[Any]:
        for number, line in enumerate(lines):
            if number:
                yield nodes.raw("", "<br>\n", format="html")
            yield from line.children


def _math(tex: str, kind: str) -> str:
    encoding = 'encoding="application/x-tex"'
    return f"<math{kind}><semantics><annotation {encoding}>{escape(tex)}</annotation></semantics></math>"
