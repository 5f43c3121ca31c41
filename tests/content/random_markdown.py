"""Random Markdown: marks, URLs, references and rare characters in any order."""

import random
from collections.abc import Iterator

_PIECES = [
    *("a", "word ", "w", "www.", "*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", "(", ")", "](", "![", "!"),
    *("www.x.com", "http://a_b.c/d_e", "https://x.y/z_ ", "https://x.y/*a*", "http://x/[a](b)", "me@x.org", "a_b@c.de"),
    *(
        "HTTPS://",
        "://",
        "http://",
        "http://x.y/?a=1&b=2",
        "http://x.y/a&amp;b;",
        "www.x.com/a~b~c",
        "<http://u.v/w_x>",
    ),
    *("h&#116;tp://x.y", "\\http://x.y", "mailto:a@b.c", "javascript:alert(1)", "](javascript:x)", "](data:x)"),
    *(
        "](/a)",
        '](http://q.r "t")',
        "](//h)",
        "](http://[x)",
        "](http://h:p)",
        "](a:b)",
        "](#f)",
        "](<a b>)",
        "](?q)",
    ),
    *("[^1]", "[^1]: ", "[r]: /u 't'\n\n", "[r]", "[r][]", "> [!NOTE]\n> ", "> [!note]\n"),
    *("<", "<b>", "</b>", "<!-- c -->", '<a href="http://x">', "&", "&amp;", "&#58;", "&#x6a;avascript:", "&lt;"),
    *("# ", "## ", "- ", "1. ", "> ", "- [x] ", "|a|b|\n|-|:-:|\n|c|d|\n", "```py\nx=1\n```\n", "    code\n", "---\n"),
    *("$", "$$", "$a$", "$x^2$", "$$b$$\n", "\\frac", "==", "=", "<kbd>", "</kbd>", "<mark>", "</MARK>"),
    *("<details>\n", "<details open><summary>*s*</summary>\n", "<summary>s</summary>\n", "</details>\n", "t\n: d\n"),
    *("\n", "\n\n", "  \n", "\\\n", "\t", " ", "\\", "'", '"', ";", ":", "{", "==\n", "+", "|"),
    *("é", "日本", "שלום", "\x01", "\x0b", "\u2028", "\ufeff", "\0"),
]


def random_bodies(number: int, *, seed: int) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311  chance decides what is tested, no secret
    for _ in range(number):
        yield "".join(chance.choices(_PIECES, k=chance.randrange(1, 40)))
