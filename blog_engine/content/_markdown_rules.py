"""Additions to the Markdown parser: HTML of its tokens, links of bare URLs, emphasis in scripts without spaces."""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from blog_engine.content.code_options import code_attributes
from blog_engine.content.dialect import INLINE_HTML, MATH_FENCE
from blog_engine.content.scripts import is_full_width_mark, is_letter_beside_marks, is_punctuation
from blog_engine.content.urls import bare_url, is_web_url

MAX_BARE_LINKS: Final = 5_000
"""The most bare URLs and email addresses of a text that become links."""
_LINKED: Final = "bare_links"

BUDGET: Final = "budget"
"""The key in ``env`` of what the text has left of its limits."""
_LINK_COST: Final = 4
"""What the tokens of a link spend."""

BARE_LINK_START: Final = "w"
"""A character at which the text of a line is divided: ``www.`` starts a link."""
_NO_START: Final = re.compile(r"[A-Za-z0-9]")
"""Characters after which no bare link starts: it would be a part of what they belong to."""
_NO_START_OF_HOST: Final = re.compile(r"[A-Za-z0-9./\\@:-]")
"""As well for ``www.`` and email addresses, which may be a part of a path."""
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
    text = bare_url(state.src, state.pos, state.posMax)
    return "." in text[4:] and _link(state, "http://", text, back=0, silent=silent)


def _link_web_url(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("://", state.pos):
        return False
    scheme = next((name for name in ("https", "http") if state.pending[-5:].lower().endswith(name)), "")
    if not scheme:
        return False
    text = bare_url(state.src, state.pos - len(scheme), state.posMax)
    return _link(state, "", text, back=len(scheme), silent=silent)


def _link_email(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "@":
        return False
    local = _LOCAL.search(state.src, max(0, state.pos - 64), state.pos)
    domain = _DOMAIN.match(state.src, state.pos + 1, state.posMax)
    if not local or not domain or not state.pending.endswith(local[0]):
        return False
    return _link(state, "mailto:", f"{local[0]}@{domain[0]}".rstrip("-"), back=len(local[0]), silent=silent)


def _link(state: StateInline, scheme: str, text: str, *, back: int, silent: bool) -> bool:
    start = state.pos - back
    if (
        silent
        or state.linkLevel > 0
        or state.env.get(_LINKED, 0) >= MAX_BARE_LINKS
        or (start > 0 and (_NO_START_OF_HOST if scheme else _NO_START).match(state.src, start - 1))
    ):
        return False
    if scheme != "mailto:" and not is_web_url(scheme + text):
        return False
    state.env[_LINKED] = state.env.get(_LINKED, 0) + 1
    state.pending = state.pending[: len(state.pending) - back]
    # The limit is that of the text, which has no bare links outside of pages.
    state.env[BUDGET].markup += _LINK_COST
    token = state.push("link_open", "a", 1)
    token.attrs = {"href": state.md.normalizeLink(scheme + text)}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)
    state.pos += len(text) - back
    return True


def beside_letters(source: str, start: int, scanned: Scanned, *, in_words: bool) -> Scanned:
    """Return what a run of marks can open and close where it is beside a letter of Chinese, Japanese or the like.

    CommonMark takes the letters on both sides of a word for its end, and so cannot end emphasis after punctuation that
    has no space after it, as in ``これは**重要。**次``. Beside such letters, punctuation decides nothing
    (rendering.emphasis). Without ``in_words``, as for ``_``, marks between two letters stay text.
    """
    end = start + scanned.length
    before, after = source[start - 1 : start] or " ", source[end : end + 1] or " "
    ends_word, starts_word = (_is_of_east_asia(before), _is_of_east_asia(after))
    if not (ends_word or starts_word):
        return scanned
    marks_before, marks_after = is_punctuation(before), is_punctuation(after)
    opens = not after.isspace() and (not marks_after or starts_word or before.isspace() or marks_before or ends_word)
    closes = not before.isspace() and (not marks_before or ends_word or after.isspace() or marks_after or starts_word)
    if in_words:
        return Scanned(opens, closes, scanned.length)
    return Scanned(
        opens and (not closes or marks_before or marks_after),
        closes and (not opens or marks_after or marks_before),
        scanned.length,
    )


def _is_of_east_asia(char: str) -> bool:
    return is_letter_beside_marks(char) or is_full_width_mark(char)
