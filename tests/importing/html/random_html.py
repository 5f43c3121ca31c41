"""Random HTML as people and editors write it, for properties of the conversion."""

from random import Random

_WORDS = [
    *("rope", "tide", "a", "x2", "snake_case", "5 * 3", "1.", "- no list", "# no heading", "&gt; no quote", "`tick`"),
    *("[x]", "[[y]]", "![z]", "a|b", "~so~", "&amp;", "&lt;b&gt;", "&amp;amp;", "\\", "\\*", "*star*", "_under_", "C#"),
    *("https://bare.example/x", "www.bare.example", "me@mail.example", "&nbsp;", "…", "“quote”", "鷗", "é", "=", "---"),
    *("<!-- note -->", "!", "(", ")", '"', "'", ":", "::", "+ plus", "2) two", "\n", "  ", "&#x3000;", "🐟", "^", "|"),
]
_URLS = [
    *("/a", "https://x.example/a_(b)?x=1&amp;y=2", "https://x.example/ü b", "#top", "mailto:a@b.example"),
    *("?p=1&amp;copy;=2", "https://plain.example/", "/a|b", "/back\\slash"),
]
_ALTS = ["", "a picture", "[x] *y* &quot;z&quot;"]
_CODE = ["x = 1\n", "\n\n  a\n\tb", "```\nx", "&lt;b&gt;", "", "a\n\n\nb", "<b>x</b>", "    four", "|"]


def random_html(random: Random) -> str:
    """Return a body of up to four blocks."""
    glue = random.choice(["", "\n", "\n\n"])
    return glue.join(_block(random, depth=3) for _ in range(random.randint(1, 4)))


def _text(random: Random) -> str:
    return random.choice(["", " "]).join(random.choices(_WORDS, k=random.randint(1, 4)))


def _image(random: Random) -> str:
    return f'<img src="{random.choice(_URLS[:3])}" alt="{random.choice(_ALTS)}">'


def _inline(random: Random, *, depth: int = 3, in_link: bool = False) -> str:
    parts = []
    for _ in range(random.randint(1, 4)):
        match random.randrange(8 if depth else 2):
            case 0 | 1 | 2:
                parts.append(_text(random))
            case 3:
                parts.append(random.choice(["<br>", _image(random)]))
            case 4 if not in_link:
                title = random.choice(["", ' title="t"', ' title="a &quot;b&quot; *c*"'])
                parts.append(
                    f'<a href="{random.choice(_URLS)}"{title}>{_inline(random, depth=depth - 1, in_link=True)}</a>'
                )
            case _:
                name = random.choice(
                    ["strong", "em", "b", "i", "del", "strong", "em", "code", "sup", "span", "u", "kbd", "mark"]
                )
                parts.append(f"<{name}>{_inline(random, depth=depth - 1, in_link=in_link)}</{name}>")
    return random.choice(["", " "]).join(parts)


def _block(random: Random, *, depth: int) -> str:
    match random.randrange(13 if depth else 6):
        case 0 | 1:
            start = random.choice(["<p>", "<p>", '<p align="center">', "<p lang=fr>"])
            return f"{start}{_inline(random)}</p>"
        case 2:
            level = random.randint(1, 6)
            return f"<h{level}>{_inline(random)}</h{level}>"
        case 3:
            language = random.choice(["", ' class="language-python"', ' lang="sh"'])
            return f"<pre{language}>{random.choice(_CODE)}</pre>"
        case 4:
            caption = f"<figcaption>{_inline(random)}</figcaption>" if random.random() < 0.6 else ""
            return f"<figure>{_image(random)}{caption}</figure>"
        case 5:
            return random.choice(["<hr>", _inline(random)])
        case 6 | 7:
            return _list(random, depth=depth)
        case 8:
            return _table(random, depth=depth)
        case 9:
            return f"<blockquote>{''.join(_block(random, depth=depth - 1) for _ in range(2))}</blockquote>"
        case 10:
            start = random.choice(["<details>", "<details open>"])
            blocks = "".join(_block(random, depth=depth - 1) for _ in range(random.randint(0, 2)))
            return f"{start}<summary>{_inline(random)}</summary>{blocks}</details>"
        case 11:
            terms = (f"<dt>{_inline(random)}</dt><dd>{_block(random, depth=depth - 1)}</dd>" for _ in range(2))
            return f"<dl>{''.join(terms)}</dl>"
        case _:
            name = random.choice(["div", "section", "center", "dl", "article"])
            return f"<{name}>{_block(random, depth=depth - 1)}</{name}>"


def _list(random: Random, *, depth: int) -> str:
    start = random.choice(["ul", "ol", 'ol start="7"', 'ol start="0"', "ul"])
    items = []
    for _ in range(random.randint(1, 3)):
        inner = _inline(random) if random.random() < 0.8 else ""
        below = _block(random, depth=depth - 1) if random.random() < 0.4 else ""
        box = random.choice(
            ["", "", "", '<input type="checkbox" disabled>', '<input type="checkbox" checked disabled> ']
        )
        items.append(f"<li>{box}{inner}{below}</li>")
    return f"<{start}>{''.join(items)}</{start[:2]}>"


def _table(random: Random, *, depth: int) -> str:
    rows = []
    width = random.randint(1, 3)
    for number in range(random.randint(1, 3)):
        cells = []
        for _ in range(width if random.random() < 0.9 else width + 1):
            tag = "th" if number == 0 and random.random() < 0.8 else random.choice(["td", "td", 'td align="right"'])
            inner = _block(random, depth=depth - 1) if random.random() < 0.1 else _inline(random, depth=2)
            cells.append(f"<{tag}>{inner}</{tag[:2]}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"
