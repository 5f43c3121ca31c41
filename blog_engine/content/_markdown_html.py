"""How the tokens of a Markdown body are written as HTML; raw HTML is read and not written."""

from collections.abc import Sequence

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict


class MarkdownHtml(RendererHTML):
    """The library's renderer with our footnotes and code blocks; ``env`` carries the ``footnote_prefix``."""

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return ""

    def html_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return ""

    def renderInlineAsText(  # noqa: N802
        self, tokens: Sequence[Token] | None, options: OptionsDict, env: EnvType
    ) -> str:
        visible = [token for token in tokens or () if token.type != "html_inline"]
        return super().renderInlineAsText(visible, options, env)

    def s_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<del>"

    def s_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</del>"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # The language travels through the sanitiser as lang, which it allows.
        words = tokens[idx].info.split(maxsplit=1)
        block = Token("code_block", "", 0, content=tokens[idx].content, attrs={"lang": words[0]} if words else {})
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
        # The variation selector keeps the arrow from being shown as an emoji.
        return f' <a class="footnote-back" href="#{_mark_id(tokens[idx], env)}">\u21a9\ufe0e</a>'


def _mark_id(token: Token, env: EnvType) -> str:
    repeat = f"-{token.meta['subId']}" if token.meta["subId"] else ""
    return f"{env['footnote_prefix']}ref-{token.meta['id'] + 1}{repeat}"
