"""Faults that models make are found where they are, and not in articles that are about them."""

import pytest

from blog_engine.content.faults import FaultCode, TextBlock, faults_of_body, faults_of_field
from tests.content.bodies import render_markdown, render_rich_text
from tests.requirements import requirement
from tests.support.costs import takes_at_most

ESCAPES, PLACEHOLDER, CHAT = FaultCode.ESCAPES, FaultCode.PLACEHOLDER, FaultCode.CHAT
CITATION, LINK, FENCED, FRONT = FaultCode.CITATION, FaultCode.LINK, FaultCode.FENCED, FaultCode.FRONT_MATTER


def codes(body: str) -> list[str]:
    return [code.value for code, *_ in faults_of_body(render_markdown(body).prose, body)]


FAULTY = {
    # Escapes.
    "## Winter\\n\\nThe beds rest.\\n\\nNothing grows.": [ESCAPES],
    "The beds rest.\\nNothing grows.\\nFrost comes.": [ESCAPES],
    "Tools:\\n- a spade\\n- a rake": [ESCAPES],
    "Tools:\\r\\n\\r\\nA spade.": [ESCAPES],
    "Das Caf\\u00e9 am Hafen \\u00f6ffnet.": [ESCAPES],
    "It\\u2019s cold, and it doesn\\u2019t stop.": [ESCAPES],
    "It doesn&amp;#39;t stop.": [ESCAPES],
    "Wahr.\\nÜber alles.": [ESCAPES],
    # The whole body as code.
    "```markdown\n# Winter\n\nThe beds rest.\n```": [FENCED],
    "~~~md\nThe beds rest.\n~~~\n": [FENCED],
    "\n```\n## Winter\n\nThe beds rest.\n```": [FENCED],
    "```markdown\nThe beds rest, and the answer was cut": [FENCED],
    "```html\n<p>The beds rest.</p>\n```": [FENCED],
    "````markdown\n# Winter\n\n```python\nx = 1\n```\n````": [FENCED],
    "```markdown\n# Winter\n\n```python\nx = 1\n```\n\nMore.\n```": [FENCED],
    # Metadata.
    "---\ntitle: Winter\ndate: 2026-01-01\ntags:\n  - soil\n---\n\nThe beds rest.": [FRONT],
    '\ufeff---\r\ntitle: "Winter: a garden"\r\n---\r\nThe beds rest.': [FRONT],
    '+++\ntitle = "Winter"\ndraft = false\n[extra]\nx = 1\n+++\n\nThe beds rest.': [FRONT],
    '{\n  "title": "Winter",\n  "body": "The beds rest."\n}': [FRONT],
    "**Title:** Winter garden\n**Slug:** winter-garden\n**Meta description:** What winter does.\n\nText.": [FRONT],
    "Title: Winter garden\n\nMeta description: What winter does.\n\nThe beds rest.": [FRONT],
    # What is still to be written.
    "The beds rest.\n\n[Insert image here]\n\nMore.": [PLACEHOLDER],
    "Written by [Your Name], who gardens.": [PLACEHOLDER],
    "At **[Your Company Name]** we garden.": [PLACEHOLDER],
    "It grew by [insert statistic] in a year.": [PLACEHOLDER],
    "[TODO: say more]": [PLACEHOLDER],
    "The frost came in [TBD].": [PLACEHOLDER],
    "TODO: describe the beds": [PLACEHOLDER],
    "Lorem ipsum dolor sit amet, consectetur.": [PLACEHOLDER],
    "It costs $XX and saves XX% of water.": [PLACEHOLDER],
    "See [link to the study].": [PLACEHOLDER],
    "[Image of a bed in winter]": [PLACEHOLDER],
    "[Bild hier einfügen]": [PLACEHOLDER],
    "Dear {{ first_name }}, the beds rest.": [PLACEHOLDER],
    "{% include figure.html %}\n\nThe beds rest.": [PLACEHOLDER],
    "Von [Ihr Name], die gärtnert.": [PLACEHOLDER],
    # Remarks to the person who asked.
    "Certainly! Here is an article about winter.\n\nThe beds rest.": [CHAT],
    "Sure!\n\nThe beds rest.": [CHAT],
    "Here is the article:\n\nThe beds rest.": [CHAT],
    "Here's a polished version of your draft:\n\nThe beds rest.": [CHAT],
    "Gerne! Hier ist der Artikel.\n\nDie Beete ruhen.": [CHAT],
    "The beds rest. As an AI language model, I have no garden.": [CHAT],
    "As a large language model trained by Example, I cannot dig.": [CHAT],
    "Als KI-Sprachmodell habe ich keinen Garten.": [CHAT],
    "As of my last knowledge update in 2023, it froze.": [CHAT],
    "The beds rest.\n\nI hope this helps!": [CHAT],
    "The beds rest.\n\nLet me know if you'd like me to add a section.": [CHAT],
    "The beds rest.\n\nWould you like me to shorten it?": [CHAT],
    "Die Beete ruhen.\n\nSoll ich den Artikel noch kürzen?": [CHAT],
    # Marks of citations.
    "It froze.:contentReference[oaicite:0]{index=0}": [CITATION],
    "It froze 【12†source】.": [CITATION],
    "It froze \ue200cite\ue202turn0search1\ue201.": [CITATION],
    "It froze citeturn0search0.": [CITATION],
    "It froze. [cite_start]So it was.[cite: 1, 2]": [CITATION],
    "[The study](https://gardens.test/study?utm_source=chatgpt.com)": [CITATION],
    "[The study](https://gardens.test/study?a=1&utm_source=openai)": [CITATION],
    # Links that lead nowhere.
    "[The study](https://example.com/study)": [LINK],
    "[The study](http://www.example.org)": [LINK],
    "[The study](#)": [LINK],
    "[The study]()": [LINK],
    "[The study](URL)": [LINK],
    "[The study](http://localhost:3000/study)": [LINK],
    "[The study](https://yourwebsite.com/study)": [LINK],
    "[The study](https://...)": [LINK],
}


@requirement("findings.models")
@pytest.mark.parametrize("body", FAULTY)
def test_a_fault_of_a_model_is_found(body: str) -> None:
    assert codes(body) == [code.value for code in FAULTY[body]]


LEGITIMATE = [
    # About line breaks and escapes.
    'Print `"a\\nb"`: the `\\n` is a line break, and `\\r\\n` one of Windows.',
    "The escape \\n stands for a line feed, \\t for a tab.",
    'Write "first\\nsecond" to get two lines, or "\\n\\n" for a blank one.',
    '```c\nprintf("a\\n\\nb\\n");\n```\n\nThat prints `\\n` twice.',
    "Open C:\\new\\notes.txt, or C:\\Users\\nina\\n2.",
    "In JSON, é is `\\u00e9`, so caf\\u00e9 is a café.",
    "The class `\\n` matches line breaks, and \\nabla is a command of TeX: $\\nabla f \\neq \\nu$.",
    "Split on \\n, then on \\r\\n.",
    # About metadata and fences.
    "Posts begin with front matter:\n\n```yaml\n---\ntitle: Winter\ndate: 2026-01-01\n---\n```\n\nHugo reads `+++`.",
    "---\n\nA rule opens this text: nothing more.\n\n---\n\nAnd another one.",
    "---\nA line between rules\n---\n\nText.",
    "```python\nprint(1)\n```",
    "```\n$ make\n# comment of a shell\n$ make install\n```",
    "```markdown\n# A heading\n```\n\nThat is how a heading is written.",
    "```markdown\n# A heading\n```\n\nAnd a list:\n\n```markdown\n- one\n```",
    "Title: Abbey Road\nAuthor: The Beatles\n\nA review.",
    "Date: 4 May. Place: the quay. The ferry left at ten.",
    '`{"title": "Winter"}` is a JSON object.',
    # About entities and markup.
    "Write `&amp;` for an ampersand, and `&lt;` for <.",
    "In HTML, &amp;nbsp; keeps words together, and `&#39;` is an apostrophe.",
    # About placeholders.
    "TODO lists are the oldest tool. A TODO list has no end.",
    "Search for `TODO:` comments. Ours said “TODO: rewrite this” for ten years.",
    "## TODO: the comment that stays\n\nEvery code base has some.",
    "- TODO: work that is left\n- FIXME: a known fault\n- XXX: beware",
    "**TODO**: marks work that is left.",
    "- [ ] buy seeds\n- [x] dig\n- [ ] TODO later",
    "Click [Insert Table], then press [Enter] and choose [Add to cart].",
    "Designers paste “Lorem ipsum dolor sit amet” where the text is missing. Lorem ipsum is Latin, nearly.",
    "> Dear [Your Name],\n>\n> thank you for the seeds.\n\nSo begins each letter.",
    "Replace [Your Name] with yours in this template.",
    "The array a[i] and the citation [citation needed], [sic], [...] and [1].",
    "Super Bowl XXX, size XXL, CVE-2024-XXXX and 20XX are no amounts; HTTP 4XX is a class.",
    "Jinja prints a variable with `{{ name }}`. In prose, {{ name }} is the same.",
    "Liquid has tags: `{% if x %}`. Here {% if x %} begins a condition.",
    "Mustache writes {{}} around names.",
    # About chat programs.
    "Models say “As an AI language model, I cannot do that” when they refuse.",
    'Readers laughed at "Sorry, as an AI language model, I have no opinion" in a review.',
    "> Certainly! Here is your article.\n\nSo it began. The editor printed it.",
    "Certainly the winter was cold. Of course, it froze.",
    "Sure, it froze! And then it thawed.",
    "Here is the text of the talk that I gave in May:\n\nDear all.",
    "Here is what we learned:\n\n- Dig early.",
    "An AI model, I think, is a tool.",
    "The beds rest.\n\nLet me know in the comments how yours do.",
    "The script is done.\n\nFeel free to modify the code for your needs.",
    "This is as of my last visit in May.",
    "I hope this helps gardeners to decide.",
    # About links.
    "Visit https://example.com for an example, or <https://example.org>.",
    "Ask `https://example.com/api`, then open [the answer](https://example.com/api).",
    "Start it and open [http://localhost:8000/](http://localhost:8000/).",
    "```sh\ncurl http://localhost:3000/\n```\n\nOpen [the start page](http://localhost:3000/).",
    "`[text](https://example.com)` is a link, `[text](#)` one to the top.",
    "[Up](#top), [the part](#beds) and a note[^1].\n\n[^1]: The note.",
    "[Ours](https://gardens.test/?utm_source=newsletter)",
    "The parameter `utm_source=chatgpt.com` shows up in logs. utm_source=chatgpt.com is ChatGPT.",
    "A turn of the screw, turn 0, and his return to news 3.",
    "Daggers† mark notes, and 【 is a bracket.",
]


@requirement("findings.models.none")
@pytest.mark.parametrize("body", LEGITIMATE)
def test_an_article_that_is_about_a_fault_has_none(body: str) -> None:
    assert codes(body) == []


FIELDS = {
    "The <b>winter</b> garden": "markup_in_text",
    "Salt &amp; Pepper": "markup_in_text",
    "Ada&#39;s garden": "markup_in_text",
    "**Winter** garden": "markup_in_text",
    "# Winter garden": "markup_in_text",
    "Title: Winter garden": "markup_in_text",
    "One<br>two": "markup_in_text",
    "See [the study](https://gardens.test/)": "markup_in_text",
    "Winter\\n\\ngarden": "escapes_in_text",
    "Das Caf\\u00e9": "escapes_in_text",
    "[Your Title] in winter": "placeholder_left",
    "[Insert title here]": "placeholder_left",
    "TODO": "placeholder_left",
    "Untitled": "placeholder_left",
    "Here is the meta description": None,
    "Certainly! Here is a title": "chat_remark_left",
    "What does <b> do?": None,
    "Escaping &amp; in HTML": None,
    "What the entity &amp;amp; is": None,
    "2**3**4 is not 4096": None,
    "*args and **kwargs": None,
    "# of requests per second": None,
    "#1 of our list": None,
    "Why I love <details>": None,
    "C# & F#": None,
    "TODO lists that work": None,
    "a < b and b > c": None,
    "Q & A": None,
    "Using __init__ and {% raw %} in `code`": "placeholder_left",
}


@requirement("findings.models", "findings.models.none")
@pytest.mark.parametrize("text", FIELDS)
def test_faults_of_a_field(text: str) -> None:
    expected = FIELDS[text]

    assert [fault.code.value for fault in faults_of_field(text)] == ([expected] if expected else [])


@requirement("findings.models")
def test_the_passage_is_shown_with_the_words_around_it() -> None:
    body = "The first bed is full of leeks and it\\u2019s cold there all winter long, every night of it."

    (fault,) = faults_of_body(render_markdown(body).prose, body)

    assert fault.shown == "full of leeks and it\\u2019s cold there all"


@requirement("findings.models")
def test_rich_text_has_the_same_faults() -> None:
    body = "<p>Written by [Your Name].</p><pre><code>[Your Name]</code></pre><blockquote>TODO: x</blockquote>"

    found = faults_of_body(render_rich_text(body).prose, body)

    assert found == [(PLACEHOLDER, "Written by [Your Name].", False)]


@requirement("findings.models.time")
@pytest.mark.parametrize(
    "unit",
    [
        *(
            "[insert ",
            "[your a ",
            "{{ a ",
            "{% a ",
            "\\n",
            "a.\\n\\n",
            "a\\u00e9",
            "As an AI ",
            "**Title: x ",
            "click [insert x] ",
        ),
        *(
            "“as an AI, I ",
            "x X",
            "$XXX",
            "turn0",
            "【1†",
            ":contentReference[oaicite:",
            "[cite: 1, ",
            "<p>[a](#)</p> ",
            "> a\n",
        ),
        *("Here is the very very very very ", "let me know if you ", "&#39;a", "TODO: ", "- TODO: x\n\n"),
    ],
)
def test_a_body_of_a_megabyte_takes_little_time(unit: str) -> None:
    body = (unit * (1_000_000 // len(unit)))[:1_000_000]
    prose = render_markdown("x").prose._replace(blocks=[TextBlock("p", body)])
    fenced = f"```markdown\n{body}"

    with takes_at_most(2):
        faults_of_body(prose, body)
        faults_of_body(prose, f"---\n{body}\n---")
        faults_of_body(prose, fenced)
        list(faults_of_field(body))
