"""Bodies, how they are rendered, what rendered HTML must not hold, and payloads that try to run a script."""

import random
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from blog_engine.content.formulas import MATH_ATTRIBUTES, MATH_TAGS
from blog_engine.content.options import KnownImage, RenderOptions
from blog_engine.content.rendering import Rendered, render
from blog_engine.enums import BodyFormat

DIGEST = "a" * 64
QUAY = KnownImage(path=f"/blog/media/{DIGEST}/quay.png", width=640, height=480)


def render_options(
    *,
    hard_breaks: bool = True,
    site_origin: str | None = "https://blog.example",
    images: Mapping[str, KnownImage] | None = None,
) -> RenderOptions:
    return RenderOptions(
        hard_breaks=hard_breaks,
        site_origin=site_origin,
        mount="/blog",
        script_name="",
        footnote_prefix="fn-7-",
        images={DIGEST: QUAY} if images is None else images,
    )


def render_markdown(body: str, options: RenderOptions | None = None) -> Rendered:
    return render(body, body_format=BodyFormat.MARKDOWN, options=options or render_options())


def render_rich_text(body: str, options: RenderOptions | None = None) -> Rendered:
    return render(body, body_format=BodyFormat.RICH_TEXT, options=options or render_options())


ELEMENTS = frozenset(
    [
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "a", "strong", "em", "del", "code", "pre"),
        *("blockquote", "br", "hr", "img", "figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td"),
        *("sup", "sub", "section", "div", "span", "input", "button", "picture", "source"),
        *("kbd", "mark", "details", "summary", "dl", "dt", "dd", *MATH_TAGS),
        *("b", "i", "u", "s", "ins", "small", "abbr"),
    ]
)
ATTRIBUTES = frozenset(
    [
        *("href", "rel", "src", "srcset", "sizes", "alt", "title", "width", "height", "lang", "type", "checked"),
        *("disabled", "start", "class", "id", "role", "tabindex", "loading", "hidden", "data-lang", "data-blog-copy"),
        *("aria-label", "aria-hidden", "aria-describedby", "open", "data-blog-diagram", "data-blog-load"),
        *("data-blog-title",),
        *MATH_ATTRIBUTES,
    ]
)
VOID = frozenset({"br", "hr", "img", "input", "source"})
_IN_LINES = {"a", "strong", "em", "del", "code", "sup", "sub", "span", "button", "picture", "kbd", "mark"} | {
    *("b", "i", "u", "s", "ins", "small", "abbr")
}
BLOCKS = ELEMENTS - VOID - MATH_TAGS - _IN_LINES
SCHEMES = frozenset({"http", "https", "mailto"})
CLASS = re.compile(r"blog-[a-z-]+( blog-[a-z-]+)*|[a-z][a-z0-9]{0,2}")


def faults(html: str) -> list[str]:
    """Return what is not allowed, badly nested or duplicated in the HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [*reader.faults, *(f"<{name}> is not closed" for name in reader.open)]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.open: list[str] = []
        self._ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self.faults.append(f"<{tag}>")
        if "p" in self.open and tag in BLOCKS:
            self.faults.append(f"<{tag}> in <p>")
        for name, value in attrs:
            self._look_at(tag, name, value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_comment(self, data: str) -> None:
        self.faults.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.faults.append("declaration")

    def handle_pi(self, data: str) -> None:
        self.faults.append("processing instruction")

    def _look_at(self, tag: str, name: str, value: str) -> None:
        if name not in ATTRIBUTES:
            self.faults.append(f"{tag}.{name}")
        if name == "id":
            if value in self._ids:
                self.faults.append(f"id {value} twice")
            self._ids.add(value)
        if name == "class" and not CLASS.fullmatch(value):
            self.faults.append(f"class {value}")
        if name in {"href", "src"}:
            seen = re.sub(r"[\x00-\x20\x7f-\xa0]", "", value).lower()
            scheme = re.match(r"([^/?#:]*):", seen)
            if scheme and scheme[1] not in SCHEMES:
                self.faults.append(f"{name} {value}")


PAYLOAD_SCHEMES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "javascript&colon;alert(1)",
    "javascript&#58;alert(1)",
    "javascript&#x3A;alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript:alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "javascript\u00a0:alert(1)",
    "\u2028javascript:alert(1)",
    "\ufeffjavascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "file:///etc/passwd",
    "feed:javascript:alert(1)",
    "blob:https://x.example/1",
    "ftp://x.example/a",
    "jav&#x09;ascript:alert(1)",
    "jav&#0;ascript:alert(1)",
    "%6Aavascript:alert(1)",
    "http://[::1",
    "http://x.example:99999999/",
    "view-source:javascript:alert(1)",
]

MARKDOWN = [
    *(f"[x](<{scheme}>)" for scheme in PAYLOAD_SCHEMES),
    *(f"![x](<{scheme}>)" for scheme in PAYLOAD_SCHEMES),
    *(f"[x][r]\n\n[r]: <{scheme}>" for scheme in PAYLOAD_SCHEMES),
    *(f"<{scheme}>" for scheme in PAYLOAD_SCHEMES),
    '[x](http://a.example "\\" onmouseover=alert(1) x=\\"")',
    '![x" onerror="alert(1)](http://a.example/a.png)',
    '```" onload=alert(1)\nx\n```',
    "```js</code><script>alert(1)</script>\nx\n```",
    "`<img src=x onerror=alert(1)>`",
    "# <img src=x onerror=alert(1)>",
    '# x" onclick="alert(1)',
    "> [!NOTE]<script>alert(1)</script>\n> x",
    "[^a]\n\n[^a]: <script>alert(1)</script>",
    '[^"><script>]\n\n[^"><script>]: x',
    "| <script> |\n|---|\n| <img src=x onerror=alert(1)> |",
    "- [x] <input onfocus=alert(1) autofocus>",
    'http://a.example/"onmouseover=alert(1)',
    "www.a.example/<script>alert(1)</script>",
    'a"onmouseover=alert(1)@a.example',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "\\<script>alert(1)\\</script>",
    "[x](http://a.example){onclick=alert(1)}",
    "[a](b)\n<div\n\n<img src=x onerror=alert(1)\n\n>",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\text{</mtext><img src=x onerror=alert(1)>}$",
    "$$\n</annotation></semantics></math><script>alert(1)</script>\n$$",
    "$$\n\\style{x:expression(alert(1))}{a} \\class{blog-copy}{b}\n$$",
    "<details open ontoggle=alert(1)>\n<summary>x</summary>\n</details>",
    "<details open>\n<summary><img src=x onerror=alert(1)></summary>\n<script>alert(1)</script>\n</details>",
    "==<svg onload=alert(1)>== <kbd onclick=alert(1)>x</kbd>",
    "<img src=x onerror=alert(1)>\n: <script>alert(1)</script>",
    'https://youtu.be/dQw4w9WgXcQ?x="onmouseover=alert(1)',
]

HTML = [
    *(f'<a href="{scheme}">x</a>' for scheme in PAYLOAD_SCHEMES),
    *(f'<img src="{scheme}">' for scheme in PAYLOAD_SCHEMES),
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script><!--</script><img src=x onerror=alert(1)>-->",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)//",
    "<img/src=x/onerror=alert(1)>",
    "<img src='x' / onerror='alert(1)' />",
    '<img src="x"onerror="alert(1)">',
    "<img src=`x` onerror=alert(1)>",
    "<img srcset='x' onload=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml></math>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<style>@import 'javascript:alert(1)';</style>",
    '<style><img src="</style><img src=x onerror=alert(1)>">',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
    '<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp>',
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<input type=image src=x onerror=alert(1)>",
    "<input type=checkbox disabled onfocus=alert(1) autofocus>",
    "<input type=text disabled>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<html manifest=x><head><base href=//x.example/></head>",
    "<link rel=stylesheet href=javascript:alert(1)>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<p style='background:url(javascript:alert(1))'>x</p>",
    "<p style='width:expression(alert(1))'>x</p>",
    "<p onclick=alert(1) ONMOUSEOVER=alert(1) class=blog-alert id=blog-main>x</p>",
    "<div id=location name=cookie>x</div>",
    "<a href=x target=_blank ping=//x.example download>x</a>",
    "<a href='x' rel='\"><script>alert(1)</script>'>x</a>",
    "<a title='\"><img src=x onerror=alert(1)>'>x</a>",
    "<p lang='\" onclick=\"alert(1)'>x</p>",
    "<p align='\" onclick=\"alert(1)'>x</p>",
    "<img src=x alt='\"><script>alert(1)</script>'>",
    "<img src=x title='</figcaption><script>alert(1)</script>'>",
    "<img src=x width='1 onload=alert(1)'>",
    "<pre lang='\"><script>alert(1)</script>'>x</pre>",
    "<pre><img src=x onerror=alert(1)></pre>",
    "<code><script>alert(1)</script></code>",
    '<h2>"><script>alert(1)</script></h2>',
    "<ol start='1\" onclick=\"alert(1)'><li>x</ol>",
    "<table><td background=javascript:alert(1)>x",
    "<table><p><img src=x onerror=alert(1)></table>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!---><img src=x onerror=alert(1)>-->",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<!DOCTYPE html [<!ENTITY x '<script>alert(1)</script>'>]>&x;",
    "<<script>alert(1)//<</script>",
    "<a\x0bhref=javascript:alert(1)>x</a>",
    "<a\x00 href=java\x00script:alert(1)>x</a>",
    "<custom-element onconnected=alert(1)>x</custom-element>",
    "<template><script>alert(1)</script></template>",
    "<select><option><img src=x onerror=alert(1)></select>",
    "<frameset onload=alert(1)>",
    "<plaintext><script>alert(1)</script>",
    "</p><script>alert(1)</script><p>",
    "&lt;img src=x onerror=alert(1)&gt;",
]


_PIECES = [
    *("a", "word ", "w", "www.", "*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", "(", ")", "](", "![", "!"),
    *("www.x.com", "http://a_b.c/d_e", "https://x.y/z_ ", "https://x.y/*a*", "http://x/[a](b)", "me@x.org"),
    *("a_b@c.de", "HTTPS://", "://", "http://", "http://x.y/?a=1&b=2", "http://x.y/a&amp;b;", "www.x.com/a~b~c"),
    *("<http://u.v/w_x>", "h&#116;tp://x.y", "\\http://x.y", "mailto:a@b.c", "javascript:alert(1)"),
    *("](javascript:x)", "](data:x)", "](/a)", '](http://q.r "t")', "](//h)", "](http://[x)", "](http://h:p)"),
    *("](a:b)", "](#f)", "](<a b>)", "](?q)", "[^1]", "[^1]: ", "[r]: /u 't'\n\n", "[r]", "[r][]", "> [!NOTE]\n> "),
    *("> [!note]\n", "<", "<b>", "</b>", "<!-- c -->", '<a href="http://x">', "&", "&amp;", "&#58;"),
    *("&#x6a;avascript:", "&lt;", "# ", "## ", "- ", "1. ", "> ", "- [x] ", "|a|b|\n|-|:-:|\n|c|d|\n"),
    *("```py\nx=1\n```\n", "    code\n", "---\n", "$", "$$", "$a$", "$x^2$", "$$b$$\n", "\\frac", "==", "="),
    *("<kbd>", "</kbd>", "<mark>", "</MARK>", "<details>\n", "<details open><summary>*s*</summary>\n"),
    *("<summary>s</summary>\n", "</details>\n", "t\n: d\n", "\n", "\n\n", "  \n", "\\\n", "\t", " ", "\\", "'"),
    *('"', ";", ":", "{", "==\n", "+", "|", "é", "日本", "שלום", "\x01", "\x0b", "\u2028", "\ufeff", "\0"),
]


def random_bodies(number: int, *, seed: int) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311  chance decides what is tested, no secret
    for _ in range(number):
        yield "".join(chance.choices(_PIECES, k=chance.randrange(1, 40)))
