"""Faults that models make are found where they are, and not in articles that are about them."""

# ruff: noqa: RUF001  # letters and marks as people and models write them

import pytest

from blog_engine.content.fault_signs import FaultCode
from blog_engine.content.faults import TextBlock, faults_of_body, faults_of_field
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
    "The beds \\u2014 all of them \\u2014 rest.": [ESCAPES],
    "\\u2022 A spade\n\n\\u2022 A rake": [ESCAPES],
    "\\u201cIt froze\\u201d, she wrote.": [ESCAPES],
    "\\ud83c\\udf31 The beds rest.": [ESCAPES],
    '"\\\\"It froze\\\\", she wrote."': [ESCAPES],
    "Salt &amp;amp; straw keep the frost out.": [ESCAPES],
    "&amp;quot;It froze&amp;quot;, she wrote.": [ESCAPES],
    "It didnâ€™t thaw.": [ESCAPES],
    "Die BÃ¤ume ruhen, die KÃ¼rbisse auch.": [ESCAPES],
    # The whole body as code.
    "```markdown\n# Winter\n\nThe beds rest.\n```": [FENCED],
    "~~~md\nThe beds rest.\n~~~\n": [FENCED],
    "\n```\n## Winter\n\nThe beds rest.\n```": [FENCED],
    "```markdown\nThe beds rest, and the answer was cut": [FENCED],
    "```html\n<p>The beds rest.</p>\n```": [FENCED],
    "````markdown\n# Winter\n\n```python\nx = 1\n```\n````": [FENCED],
    "```markdown\n# Winter\n\n```python\nx = 1\n```\n\nMore.\n```": [FENCED],
    "```mdown\n# Winter\n\nThe beds rest.\n```": [FENCED],
    # Metadata.
    "title: Winter\ndate: 2026-01-01\ntags: [soil]\n\nThe beds rest.": [FRONT],
    "---\ntitle: Winter\nslug: winter\n\nThe beds rest.": [FRONT],
    "# Winter\n\n**Meta description:** What winter does.\n\nThe beds rest.": [FRONT],
    "**SEO Title**: Winter\n\n**URL Slug**: /winter\n\nThe beds rest.": [FRONT],
    "**Titel:** Winter\n**Meta-Beschreibung:** Was der Winter tut.\n\nDie Beete ruhen.": [FRONT],
    "Titre : Hiver\nMéta-description : Ce que fait l’hiver.\n\nLes planches dorment.": [FRONT],
    '{"post": {"title": "Winter", "body": "The beds rest."}}': [FRONT],
    '[{"title": "Winter", "body": "The beds rest."}]': [FRONT],
    '{"markdown": "The beds rest."}': [FRONT],
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
    "Par [Votre nom], qui jardine.": [PLACEHOLDER],
    "Por [tu nombre aquí], que cultiva.": [PLACEHOLDER],
    "[Insérer une photo ici]": [PLACEHOLDER],
    "[Inserire immagine qui]": [PLACEHOLDER],
    "[Вставить фото]": [PLACEHOLDER],
    "[أضف صورة هنا]": [PLACEHOLDER],
    "[הוסף תמונה כאן]": [PLACEHOLDER],
    "[在此处添加照片]": [PLACEHOLDER],
    "[您的姓名]写于冬天。": [PLACEHOLDER],
    "[ここに写真を挿入]": [PLACEHOLDER],
    "[여기에 사진을 넣으세요]": [PLACEHOLDER],
    "[Image: Beds under snow]": [PLACEHOLDER],
    "**[PHOTO: A rake in the frost]**": [PLACEHOLDER],
    "[Hero image]": [PLACEHOLDER],
    "[Call to action]": [PLACEHOLDER],
    "[Conclusion goes here]": [PLACEHOLDER],
    "Ring us at [phone number].": [PLACEHOLDER],
    "Ours is [email address].": [PLACEHOLDER],
    "We dig on [date] at [time].": [PLACEHOLDER],
    "Greetings from {your_name} of {company_name}.": [PLACEHOLDER],
    "It grew by __% in a year.": [PLACEHOLDER],
    "The beds rest.\n\n[... rest of the article remains unchanged ...]": [PLACEHOLDER],
    "The beds rest.\n\n(Rest of the post unchanged)": [PLACEHOLDER],
    "The beds rest.\n\n[Content truncated]": [PLACEHOLDER],
    "Die Beete ruhen.\n\n[Rest des Artikels unverändert]": [PLACEHOLDER],
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
    "Sure, here's the post:\n\nThe beds rest.": [CHAT],
    "Okay, here is the revised article:\n\nThe beds rest.": [CHAT],
    "Here's your blog post!\n\nThe beds rest.": [CHAT],
    "As requested, here is the final version.\n\nThe beds rest.": [CHAT],
    "I've rewritten the introduction to be more lively:\n\nThe beds rest.": [CHAT],
    "Understood. I will keep the tone friendly.\n\nThe beds rest.": [CHAT],
    "You're absolutely right! Let me fix the dates.\n\nThe beds rest.": [CHAT],
    "I'm sorry, but I can't browse the weather reports.": [CHAT],
    "ChatGPT said:\n\nThe beds rest.": [CHAT],
    "Write a 500-word blog post about winter in a friendly tone.\n\nThe beds rest.": [CHAT],
    "Klar, hier ist der überarbeitete Text:\n\nDie Beete ruhen.": [CHAT],
    "Bien sûr ! Voici un article de blog sur l’hiver :\n\nLes planches dorment.": [CHAT],
    "Aquí tienes el artículo:\n\nLos bancales descansan.": [CHAT],
    "Certamente! Ecco l’articolo:\n\nLe aiuole riposano.": [CHAT],
    "Claro! Aqui está o artigo:\n\nOs canteiros dormem.": [CHAT],
    "好的，以下是关于冬天的文章：\n\n菜地在休息。": [CHAT],
    "承知しました。冬の記事です。\n\n畑は休んでいます。": [CHAT],
    "بالتأكيد! إليك المقال:\n\nالحديقة نائمة.": [CHAT],
    "בטח! הנה הפוסט:\n\nהגינה ישנה.": [CHAT],
    "Конечно! Вот статья:\n\nГрядки спят.": [CHAT],
    "The beds rest.\n\nWant me to turn this into a newsletter?": [CHAT],
    "The beds rest.\n\n👉 Would you like me to add pictures?": [CHAT],
    "The beds rest.\n\nWould you like me to:\n\n1. add pictures\n2. shorten it": [CHAT],
    "The beds rest.\n\nShall I continue with the next part?": [CHAT],
    "The beds rest.\n\nIf you want, I can also write a shorter version.": [CHAT],
    "The beds rest.\n\nLet me know if you'd like any changes!": [CHAT],
    "The beds rest.\n\nFeel free to customize this post.": [CHAT],
    "Les planches dorment.\n\nSouhaitez-vous que je développe ?": [CHAT],
    "Los bancales descansan.\n\n¿Quieres que lo adapte?": [CHAT],
    "菜地在休息。\n\n如果您需要修改，请告诉我。": [CHAT],
    "The beds rest.\n\n*(Word count: ~800 words)*": [CHAT],
    "As of my knowledge cutoff in 2023, it froze.": [CHAT],
    "<think>\nThe user wants winter.\n</think>\n\nThe beds rest.": [CHAT],
    "The user wants winter.\n</think>\n\nThe beds rest.": [CHAT],
    "The beds rest.<|im_end|>": [CHAT],
    "python\nCopy code\n\nThe beds rest.": [CHAT],
    # Marks of citations.
    "It froze.[^1^]": [CITATION],
    "It froze [web:3][web:12].": [CITATION],
    "It froze [cite: 12-14].": [CITATION],
    "It froze [source: 3].": [CITATION],
    "It froze [3†L1-L4].": [CITATION],
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
    "[The study](your-link-here)": [LINK],
    "[The study](#link)": [LINK],
    "[The study](https://[your-domain].com/study)": [LINK],
    "[Die Studie](https://www.beispiel.de/studie)": [LINK],
    "[El estudio](https://ejemplo.com)": [LINK],
    "[Write to us](mailto:you@example.com)": [LINK],
    "[Write to us](mailto:your@email.com)": [LINK],
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
    "In JSON, \\u201cword\\u201d is in quotation marks, and \\ud83c\\udf31 is one character.",
    "UTF-8 read as Latin-1 gives Ã¼ for ü, and donâ€™t for don’t.",
    "A maçã é boa, e IRMÃ é irmã. Â, â e € também.",
    "A path such as C:\\temp\\notes and the commands \\textit, \\theta of TeX.",
    # About metadata and fences.
    "Meta description: the words below a result. A good meta description is short.",
    "Date: 4 May\n\nThe ferry left at ten.",
    "[1, 2] and {a: b} are not the same.",
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
    "![A bed](/bed.jpg)\n\n[Image: A bed in winter]",
    "点击【添加链接】，再选择[在此处打开]。",
    "Cliquez sur [Ajouter une photo], puis sur le bouton [Insérer un lien].",
    "The format of a log is [date] [time] and the message.",
    "A template has variables such as {first_name} and {company_name}.",
    "She left the rest of the post for later (the rest, she said, can wait).",
    "Fields such as name, date [optional] and link [here].",
    # About chat programs.
    "It is long since my last update. Since my latest update, the beds froze.",
    "Of course, here is where the post of the gate stood.",
    "As requested by readers, here is the recipe.",
    "I have written about winter before.",
    "You are right to dig early.",
    "Write a blog post every day, they said, and it will grow.",
    "The beds rest.\n\nShould I dig deeper? Tell me in the comments.",
    "The beds rest.\n\nWant me to visit yours? Write to me.",
    "The beds rest.\n\nIf you want, I can send you seeds.",
    "A word count: 800 words are enough for most posts.",
    "The button “Copy code” is above each block, and Copy code copies it.",
    "```\n<think>\nWhat is it?\n</think>\n```\n\nSo a model thinks.",
    "The tag `<think>` opens its thoughts. </think> closes them.",
    "The mark `<|im_end|>` ends a turn, which looks like this: <|im_end|>",
    "今天天气很好，当然，以下是我的看法。",
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
    "[Zelda](link-to-the-past) and [links](/links), [the gate](/link).",
    "Write to <you@example.com>, or [you@example.com](mailto:you@example.com).",
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
    "Salt &#38; Pepper": "markup_in_text",
    "Frost &mdash; and snow": "markup_in_text",
    "Caf&eacute; in winter": "markup_in_text",
    "SEO title: Winter garden": "markup_in_text",
    "Título: Jardín de invierno": "markup_in_text",
    "标题：冬天的花园": "markup_in_text",
    "Title (short): The beds rest": "markup_in_text",
    'The \\"old\\" garden': "escapes_in_text",
    "It\\'s cold": "escapes_in_text",
    "The CafÃ© in winter": "escapes_in_text",
    "[Title]": "placeholder_left",
    "Blog Post Title": "placeholder_left",
    "Your Title Here": "placeholder_left",
    "Winter garden | Your Blog Name": "placeholder_left",
    "Here is a meta description for your post: it froze.": "chat_remark_left",
    "How to choose your blog name": None,
    "The title of a post": None,
    "Your title deeds": None,
    "R&D & more": None,
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
        *(
            "[image: a",
            "[date] ",
            "\\u201c",
            '\\\\"a',
            "â€",
            "Ã ",
            "&quot;a ",
            "(rest of the post ",
            "【插入图片",
            "[a b ",
        ),
        *("<think>\n", "# a\n", "Meta title: x\n", "title: x\n", "{[{", "Sure, here's the a a ", "write a tone "),
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


_SENTENCE = "冬の畑は静かに休んでいて、霜が土をほぐし、春の種まきまで人は道具の手入れをして"


@requirement("findings.lost-markup")
@pytest.mark.parametrize(
    ("lines", "is_wrapped"),
    [
        ([f"{_SENTENCE}{'待つ' * number}。" for number in (8, 20, 4, 11)], False),
        ([_SENTENCE[:30] * 2] * 4, True),
        (["The beds rest all winter, and the frost opens the soil to"] * 4, True),
        ([f"![A bed in winter, seen from the gate](/beds-of-winter-{n}.jpg)" for n in range(4)], False),
        ([f'import winter{n} from "../../gardens/of/winter/beds-{n}";' for n in range(5)], False),
    ],
)
def test_lines_are_wrapped_where_the_next_character_would_pass_a_column(lines: list[str], is_wrapped: bool) -> None:
    assert render_markdown("\n".join(lines)).is_hard_wrapped is is_wrapped
