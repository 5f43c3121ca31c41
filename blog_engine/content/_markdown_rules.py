"""Additions to the Markdown parser: HTML of its tokens, links of bare URLs."""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from blog_engine.content.code_options import code_attributes
from blog_engine.content.dialect import INLINE_HTML, MATH_FENCE
from blog_engine.content.urls import is_web_url, trim_bare_url

MAX_URL: Final = 2048

MAX_BARE_LINKS: Final = 5_000
"""The most bare URLs and email addresses of a text that become links."""
_LINKED: Final = "bare_links"

BUDGET: Final = "budget"
"""The key in ``env`` of what the text has left of its limits."""
_LINK_COST: Final = 4
"""What the tokens of a link spend."""

LINKED_MARKUP: Final = "linked_markup"
"""The key that ``env`` has once a bare link contains what is read as markup without it."""
_MARKUP: Final = re.compile(r"[\\`*~$\[\]&]|==|(?<![^\W_])_|_(?![^\W_])")

BARE_LINK_START: Final = "w"
"""A character at which the text of a line is divided: ``www.`` starts a link."""
_BEFORE: Final = frozenset(" \t\n*_~(")
_REST: Final = re.compile(rf"[^\s<]{{1,{MAX_URL}}}")
TRAILING: Final = ".,;:!?*_~'\""
_LOCAL: Final = re.compile(r"[A-Za-z0-9.+_-]{1,64}\Z")
_DOMAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){1,8}")


class MarkdownHtml(RendererHTML):
    """Renders our footnotes, formulas and code blocks; ``env`` contains ``footnote_prefix``."""

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return ""

    def html_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        tag = tokens[idx].content.lower()
        return tag if tag in INLINE_HTML else ""

    def math_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<code class="math">{escapeHtml(tokens[idx].content.strip())}</code>'

    def math_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<div class="math">{self.math_inline(tokens, idx, options, env)}</div>\n'

    def renderInlineAsText(  # noqa: N802
        self, tokens: Sequence[Token] | None, options: OptionsDict, env: EnvType
    ) -> str:
        # The base class does not know formulas, which stay as they are written, that raw HTML is left out, nor, before
        # its version 4.3, code and escaped characters.
        visible = [
            Token("text", "", 0, content=token.info if token.type == "math_inline" else token.content)
            if token.type in {"math_inline", "code_inline", "text_special"}
            else token
            for token in tokens or ()
            if token.type != "html_inline"
        ]
        return super().renderInlineAsText(visible, options, env)

    def s_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<del>"

    def s_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</del>"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        if tokens[idx].info.split(maxsplit=1)[:1] == [MATH_FENCE]:
            return self.math_block(tokens, idx, options, env)
        # Language and options pass the sanitiser as lang and title, which are allowed.
        attributes: dict[str, str | int | float] = {**code_attributes(tokens[idx].info)}
        block = Token("code_block", "", 0, content=tokens[idx].content, attrs=attributes)
        return self.code_block([block], 0, options, env)

    def footnote_ref(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        number = tokens[idx].meta["id"] + 1
        target = f"{env['footnote_prefix']}{number}"
        return f'<sup id="{_mark_id(tokens[idx], env)}"><a class="footnote-ref" href="#{target}">{number}</a></sup>'

    def footnote_block_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<section class="footnotes">\n<ol>\n'

    def footnote_block_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</ol>\n</section>\n"

    def footnote_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<li id="{env["footnote_prefix"]}{tokens[idx].meta["id"] + 1}">'

    def footnote_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</li>\n"

    def footnote_anchor(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # The variation selector keeps browsers from showing the arrow as an emoji.
        return f' <a class="footnote-back" href="#{_mark_id(tokens[idx], env)}">\u21a9\ufe0e</a>'


def _mark_id(token: Token, env: EnvType) -> str:
    repeat = f"-{token.meta['subId']}" if token.meta["subId"] else ""
    return f"{env['footnote_prefix']}ref-{token.meta['id'] + 1}{repeat}"


def autolink_plugin(parser: MarkdownIt) -> None:
    """Add rules to the parser that link bare URLs and email addresses."""
    parser.inline.add_terminator_char(BARE_LINK_START)
    parser.inline.ruler.push("blog_www", _link_www)
    parser.inline.ruler.push("blog_web_url", _link_web_url)
    parser.inline.ruler.push("blog_email", _link_email)


def _link_www(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("www.", state.pos):
        return False
    text = _bare_url(state, start=state.pos)
    return "." in text[4:] and _link(state, "http://", text, back=0, silent=silent)


def _link_web_url(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("://", state.pos):
        return False
    scheme = next((name for name in ("https", "http") if state.pending[-5:].lower().endswith(name)), "")
    if not scheme:
        return False
    text = _bare_url(state, start=state.pos - len(scheme))
    return _link(state, "", text, back=len(scheme), silent=silent)


def _link_email(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "@":
        return False
    local = _LOCAL.search(state.src, max(0, state.pos - 64), state.pos)
    domain = _DOMAIN.match(state.src, state.pos + 1, state.posMax)
    if not local or not domain or not state.pending.endswith(local[0]):
        return False
    return _link(state, "mailto:", f"{local[0]}@{domain[0]}".rstrip("-"), back=len(local[0]), silent=silent)


def _bare_url(state: StateInline, *, start: int) -> str:
    found = _REST.match(state.src, start, state.posMax)
    # A longer run is hostile or binary text, no URL, and half of it must not become a link.
    text = found[0] if found and len(found[0]) < MAX_URL else ""
    return trim_bare_url(text, trailing=TRAILING)


def _link(state: StateInline, scheme: str, text: str, *, back: int, silent: bool) -> bool:
    start = state.pos - back
    if (
        silent
        or state.linkLevel > 0
        or state.env.get(_LINKED, 0) >= MAX_BARE_LINKS
        or (start > 0 and state.src[start - 1] not in _BEFORE)
    ):
        return False
    if scheme != "mailto:" and not is_web_url(scheme + text):
        return False
    state.env[_LINKED] = state.env.get(_LINKED, 0) + 1
    if _MARKUP.search(text) or not state.pending.endswith(text[:back]):
        state.env[LINKED_MARKUP] = True
    state.pending = state.pending[: len(state.pending) - back]
    # The limit is that of the text, which has no bare links outside of pages.
    state.env[BUDGET].markup += _LINK_COST
    token = state.push("link_open", "a", 1)
    token.attrs = {"href": state.md.normalizeLink(scheme + text)}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)
    state.pos += len(text) - back
    return True
