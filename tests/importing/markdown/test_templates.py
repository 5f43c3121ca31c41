"""Shortcodes, Liquid, components and links of the programs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from blog_engine.importing.source import LossKind, SourcePost
from tests.importing.markdown.sites import losses_of, read, read_post, write_file
from tests.requirements import requirement
from tests.support.costs import takes_at_most

HUGO = "baseURL = 'https://old.example/'\n[markup.goldmark.renderer]\nunsafe = true\n"


def hugo_post(folder: Path, body: str) -> SourcePost:
    write_file(folder / "hugo.toml", HUGO)
    write_file(folder / "content" / "notes" / "other.md", "---\ntitle: Other\ndate: 2024-01-02\ndraft: true\n---\n")
    name = "content/posts/a-post.md"
    write_file(folder / name, f"---\ntitle: A post\ndate: 2024-01-02\nmood: calm\n---\n{body}")
    return one_in(folder, "posts/a-post.md")


def jekyll_post(folder: Path, body: str) -> SourcePost:
    write_file(folder / "_config.yml", "baseurl: /blog\n")
    write_file(folder / "_posts" / "2024-01-01-other.md", "---\ntitle: Other\n---\n")
    write_file(folder / "_posts" / "2024-01-02-a-post.md", f"---\ntitle: A post\nmood: calm\n---\n{body}")
    return one_in(folder, "_posts/2024-01-02-a-post.md")


def one_in(folder: Path, source_id: str) -> SourcePost:
    from_folder = read(folder)
    return next(item for item in from_folder if isinstance(item, SourcePost) and item.source_id == source_id)


FIGURE = '{{< figure src="/a b.png" alt="A [b]" title="T" caption="A \\"c\\"" link="/x" >}}'


SHORTCODES = [
    (FIGURE, '[![A \\[b\\]](</a b.png> "T A \\"c\\"")](/x)', []),
    ('{{< figure "/a.png" >}}', "![](/a.png)", []),
    ("{{< highlight go >}}\na ``` b\n{{< /highlight >}}", "````go\na ``` b\n````", []),
    ('[x]({{< ref "other.md#part" >}})', "[x](/notes/other.md#part)", []),
    ('[x]({{% relref path="/notes/other" %}})', "[x](/notes/other.md)", []),
    ('[x]({{< ref "#here" >}})\n\n# Here', "[x](#here)\n\n# Here", []),
    ('[x]({{< ref "#here" >}})', "[x](#here)", [LossKind.LINK]),
    ('[x]({{< ref "missing.md" >}})', "[x](/posts/a-post/missing.md)", [LossKind.LINK]),
    ("{{< vimeo 123 >}}", "[https://vimeo.com/123](https://vimeo.com/123)", [LossKind.EMBED]),
    ('{{< youtube id="abc" title="A film" >}}', "[A film](https://www.youtube.com/watch?v=abc)", [LossKind.EMBED]),
    (
        "{{< gist user 1a2b >}}",
        "[https://gist.github.com/user/1a2b](https://gist.github.com/user/1a2b)",
        [LossKind.EMBED],
    ),
    ('{{< x user="u" id="1" >}}', "[https://x.com/u/status/1](https://x.com/u/status/1)", [LossKind.EMBED]),
    ("{{% param mood %}}", "calm", []),
    ("{{% param gloom %}}", "", [LossKind.SHORTCODE]),
    ("{{< comment >}}unseen{{< /comment >}}", "", []),
    (
        '{{< details summary="More" >}}inner{{< /details >}}',
        "<details>\n<summary>More</summary>\n\ninner\n\n</details>",
        [],
    ),
    ('{{% details "Two" %}}a', "a", []),
    ("{{< /details >}}a", "a", []),
    ("a {{< strange 1 2 />}} b", "a  b", [LossKind.SHORTCODE]),
    ("{{< tabs/tab >}}\n", "", [LossKind.SHORTCODE]),
    ("{{</* youtube x */>}}", "{{< youtube x >}}", []),
    ("`{{< youtube x >}}`", "`{{< youtube x >}}`", []),
    ("    {{< youtube x >}}", "    {{< youtube x >}}", []),
    ("{{< never closed", "{{< never closed", []),
    ("{{ .Site.Title }}", "{{ .Site.Title }}", []),
]
LIQUID = [
    ("[x]({% post_url 2024-01-01-other %}#part)", "[x](/_posts/2024-01-01-other.md#part)", []),
    ("[x]({% link _posts/2024-01-01-other.md %})", "[x](/_posts/2024-01-01-other.md)", []),
    ("[x]({% post_url missing %})", "[x](/blog/2024/01/02/missing)", [LossKind.LINK]),
    ("[x]({{ '/a/' | relative_url }})", "[x](/blog/a/)", []),
    ('[x]({{ "/a/" | prepend: site.baseurl }})', "[x](/blog/a/)", []),
    ("[x]({{ site.baseurl }}/a/)", "[x](/blog/a/)", []),
    ("{{ page.mood }} {{- mood -}}", "calm calm", []),
    ("{{ page.gloom | upcase }}", "", [LossKind.SHORTCODE]),
    ("{%- if x -%}a{% else %}b{% endif %}", "ab", [LossKind.SHORTCODE, LossKind.SHORTCODE]),
    ("{% comment %}unseen{% endcomment %}{% assign a = 1 %}", "", []),
    ("{% raw %}{{ a }}{% endraw %}", "{{ a }}", []),
    ("```\n{% raw %}{{ a }}{% endraw %}\n```", "```\n{{ a }}\n```", []),
    ("`{{ a }}` and {{ page.mood }}", "`{{ a }}` and calm", []),
    ("{% highlight html linenos %}\n<b>\n{% endhighlight %}", "```html\n<b>\n```", []),
    ("{% gist user/1 %}", "[https://gist.github.com/user/1](https://gist.github.com/user/1)", [LossKind.EMBED]),
    ("{% never closed", "{% never closed", []),
    ("# H {#own}\n{: .wide}\nText.", "# H\n\nText.", [LossKind.HTML]),
]


@requirement("import.markdown.shortcodes", "import.markdown.liquid")
@pytest.mark.parametrize(
    ("make", "body", "expected", "kinds"),
    [*((hugo_post, *row) for row in SHORTCODES), *((jekyll_post, *row) for row in LIQUID)],
)
def test_tags_become_markdown_or_are_named(
    tmp_path: Path, make: Callable[[Path, str], SourcePost], body: str, expected: str, kinds: list[LossKind]
) -> None:
    post = make(tmp_path, body)

    assert post.body.strip("\n") == expected
    assert [loss.kind for loss in post.losses if loss.kind is not LossKind.FIELD] == kinds


SOURCES = [
    (
        hugo_post,
        '{{< quote name="Ada" title="CEO" >}}Text{{< /quote >}}',
        "Text",
        '{{< quote name="Ada" title="CEO" >}}',
    ),
    (hugo_post, "a\n\n{{% button\n  href='/x'\n  text=`T` %}}", "a", "{{% button href='/x' text=`T` %}}"),
    (hugo_post, "{{< youtube id=abc title=T start=3 >}}", "", "{{< youtube id=abc title=T start=3 >}}"),
    (hugo_post, "{{< img src='/i.png' >}}", "", "{{< img src='/i.png' >}}"),
    (
        jekyll_post,
        "{% include box.html src='a' caption=\"C *e*\" %}",
        "",
        "{% include box.html src='a' caption=\"C *e*\" %}",
    ),
    (jekyll_post, "a {%- youtube abc -%} b", "a  b", "{%- youtube abc -%}"),
    (jekyll_post, "{% if site.data.x and page.z %}T{% endif %}", "T", "{% if site.data.x and page.z %}"),
    (
        jekyll_post,
        "{{ page.gloom | default: site.missing | upcase }}",
        "",
        "{{ page.gloom | default: site.missing | upcase }}",
    ),
    (jekyll_post, "{% gist user/1 a.rb %}", "", "{% gist user/1 a.rb %}"),
]


@requirement("import.markdown.shortcodes", "import.markdown.liquid")
@pytest.mark.parametrize(("make", "body", "expected", "source"), SOURCES)
def test_what_is_left_out_is_named_with_its_whole_source_and_line(
    tmp_path: Path, make: Callable[[Path, str], SourcePost], body: str, expected: str, source: str
) -> None:
    post = make(tmp_path, body)

    (loss,) = [loss for loss in post.losses if loss.kind in {LossKind.SHORTCODE, LossKind.EMBED}]
    assert source in loss.message
    assert loss.line == (3 if body.startswith("a\n") else 1)
    assert not expected or post.body.strip("\n") == expected


@requirement("import.markdown.shortcodes")
def test_the_source_of_a_tag_in_a_loss_is_bounded(tmp_path: Path) -> None:
    post = hugo_post(tmp_path, f"{{{{< x {'a' * 100_000} >}}}}")

    assert [len(loss.message) < 3_000 for loss in post.losses if loss.kind is LossKind.SHORTCODE] == [True]


@requirement("import.markdown.shortcodes", "import.markdown.liquid")
@pytest.mark.parametrize(
    ("make", "body", "expected"),
    [
        (hugo_post, '{{< img src="/i.png" alt="A" caption="C" >}}', '![A](/i.png "C")'),
        (hugo_post, "{{< picture image=i.webp >}}", "![](/posts/a-post/i.webp)"),
        (hugo_post, "{{< x src='{{ .a }}.png' >}}", ""),
        (jekyll_post, '{% include figure.html src="/i.png" caption="C" %}', '![C](/i.png "C")'),
        (jekyll_post, "{% include image url='https://x.example/i.jpg' %}", "![](https://x.example/i.jpg)"),
        (jekyll_post, '{% include figure.html src="i.png" %}', ""),
    ],
)
def test_a_picture_that_the_parameters_name_is_shown(
    tmp_path: Path, make: Callable[[Path, str], SourcePost], body: str, expected: str
) -> None:
    post = make(tmp_path, body)

    assert post.body.strip() == expected
    assert [loss.kind for loss in post.losses if loss.kind is LossKind.SHORTCODE] == [LossKind.SHORTCODE]


@requirement("import.markdown.liquid")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{{ site.title }} and {{site.repo}}/issues", "Small & Boats and https://x.example/r/issues"),
        ("{{ site.author.name | escape }}", "Ann"),
        ("{{ site.Title }}", "Small & Boats"),
        ("{{ site.number }}", "7"),
        ("{% assign a = 'x y' %}{{ a }}", "x y"),
        ("{{ site.baseurl }}{{ page.url }}", "/blog/2024/01/02/a-post.html"),
    ],
)
def test_values_of_the_configuration_of_jekyll_are_shown(tmp_path: Path, body: str, expected: str) -> None:
    write_file(
        tmp_path / "_config.yml",
        "baseurl: /blog\ntitle: Small & Boats\nrepo: https://x.example/r\nauthor: {name: Ann}\nnumber: 7\nlist: [1]\n",
    )
    post = read_post(tmp_path, f"---\ntitle: A\n---\n{body}", name="_posts/2024-01-02-a-post.md")

    assert (post.body.strip(), losses_of(post)) == (expected, [])


@requirement("import.markdown.liquid")
@pytest.mark.parametrize(
    "body", ["{{ site.missing }}", "{{ site.list }}", "{{ site.title | upcase }}", "{{ site.time }}"]
)
def test_other_values_are_left_out_and_named(tmp_path: Path, body: str) -> None:
    write_file(tmp_path / "_config.yml", "title: T\nlist: [1]\n")
    post = read_post(tmp_path, f"---\ntitle: A\n---\na{body}b", name="_posts/2024-01-02-a-post.md")

    assert (post.body.strip(), losses_of(post)) == (
        "ab",
        [(LossKind.SHORTCODE, f"The output {body} is left out.", 1)],
    )


@requirement("import.markdown.shortcodes")
def test_parameters_of_the_site_and_of_its_languages_are_shown(tmp_path: Path) -> None:
    write_file(
        tmp_path / "hugo.toml",
        "[params]\nmood = 'glad'\n[params.deep]\na = 'A'\nb = 'B'\n"
        "[languages.en]\n[languages.fr.params.deep]\na = 'F'\n",
    )
    body = '---\ntitle: A\n---\n{{< param mood >}} {{% param "deep.a" %}} {{< param deep.b >}}\n'
    write_file(tmp_path / "content" / "posts" / "a.fr.md", body)

    write_file(tmp_path / "content" / "posts" / "b.md", body)

    assert one_in(tmp_path, "posts/b.md").body.strip() == "glad A B"
    assert one_in(tmp_path, "posts/a.fr.md").body.strip() == "glad F B"


@requirement("import.markdown.attributes")
@pytest.mark.parametrize(
    ("configuration", "expected"),
    [("[markup.goldmark.parser.attribute]\nblock = true\n", "> A\n\n\n| a |\n| - |\n| b |"), ("", None)],
)
def test_attributes_of_blocks_are_left_out_where_hugo_reads_them(
    tmp_path: Path, configuration: str, expected: str | None
) -> None:
    write_file(tmp_path / "hugo.toml", configuration)
    body = "> A\n{.note}\n\n| a |\n| - |\n| b |\n{#table .wide width=100}\n"

    post = read_post(tmp_path, f"---\ntitle: A\n---\n{body}", name="content/posts/b.md")

    assert (post.body.strip() == expected) is bool(expected)
    assert ("{.note}" in post.body) is not bool(expected)


@requirement("import.markdown.mdx")
def test_components_are_left_out_and_their_text_stays(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", "export default {}")
    body = (
        "import A from 'a';\nexport const b = {\n  c: 1,\n};\n\n"
        'Text <Box kind="x" on={() => 1}>inner</Box>.\n\n<A />\n\n```jsx\n<A />\n```\n'
    )

    post = read_post(tmp_path, f"---\ntitle: A post\npubDate: 2024-01-02\n---\n{body}", name="src/content/blog/a.mdx")

    assert post.body.strip("\n") == "Text inner.\n\n\n\n```jsx\n<A />\n```"
    assert losses_of(post) == [
        (LossKind.SHORTCODE, "Lines of JavaScript are left out: import A from 'a';", 1),
        (LossKind.SHORTCODE, "Lines of JavaScript are left out: export const b = { c: 1, };", 2),
        (
            LossKind.SHORTCODE,
            'The component Box is left out; text in it remains: <Box kind="x" on={() => 1}>',
            6,
        ),
        (LossKind.SHORTCODE, "The component A is left out; text in it remains: <A />", 8),
    ]


@requirement("import.markdown.pelican-links")
def test_links_of_pelican_lead_to_files(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "")
    body = (
        "[a]({filename}../b.md) ![c]({static}/images/c.png) ![d]({attach}d.png) [e](|filename|/e.md) `{filename}f.md`\n"
    )

    post = read_post(tmp_path, f"Title: A post\nDate: 2024-01-02\n\n{body}", name="content/in/a.md")

    assert post.body == ("[a](/b.md) ![c](/images/c.png) ![d](/d.png) [e](/e.md) `{filename}f.md`\n")


@requirement("import.markdown.links")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[x](../other/)", "[x](/posts/other/)"),
        ("[x](other-file.md)", "[x](other-file.md)"),
        ("[x](./missing#a)", "[x](/posts/a-post/missing#a)"),
        ("[x]: ../other/ 'T'\n\n[x]", "[x]: /posts/other/ 'T'\n\n[x]"),
        ("![x](<../i.png>)", "![x](</posts/i.png>)"),
        (
            "[x](https://e.example/../a) [y](#z) [m](mailto:a@b.example)",
            "[x](https://e.example/../a) [y](#z) [m](mailto:a@b.example)",
        ),
        ("`[x](../other/)`", "`[x](../other/)`"),
        ("[x](http://[)", "[x](http://[)"),
    ],
)
def test_relative_urls_are_those_of_the_page_or_the_file(tmp_path: Path, body: str, expected: str) -> None:
    write_file(tmp_path / "content" / "posts" / "other-file.md", "---\ntitle: Other\ndraft: true\n---\n")

    assert hugo_post(tmp_path, body).body == expected


HOSTILE = (
    *("{{< a >}}", "{{< highlight x >}}", "{{<", "{{% a %}}`", "`" * 3 + "a` ", "<b>", "<b ", "> ", "[]("),
    *("[x]: ", "- ", '<a href="x">', "{{< ref ", "**a <i>b", "a  \n", "<div>\n", "{#a} ", "|a"),
)
HOSTILE_LIQUID = ("{% a %}", "{% raw %}", "{{", "{{ a }}", "{%", "{% highlight %}", "{: a", "{:a}", "* a\n{:toc}\n")


@requirement("import.markdown.hostile")
@pytest.mark.parametrize(
    ("make", "piece"),
    [*((hugo_post, piece) for piece in HOSTILE), *((jekyll_post, piece) for piece in HOSTILE_LIQUID)],
)
def test_a_hostile_body_takes_seconds_at_most(
    tmp_path: Path, make: Callable[[Path, str], SourcePost], piece: str
) -> None:
    with takes_at_most(4):
        make(tmp_path, piece * (30_000 // len(piece)))


def site_with_include(folder: Path, text: str, **includes: str) -> SourcePost:
    write_file(folder / "_config.yml", "title: Boats\nshown: true\ncollections: {lakes: {output: true}}\n")
    for name, content in includes.items():
        write_file(folder / f"_includes/{name}.html", content)
    return read_post(folder, f"---\ntitle: A\ntoc: false\n---\n{text}\n", name="_posts/2024-01-02-a.md")


@requirement("import.markdown.liquid")
def test_a_file_that_can_be_told_is_included_and_others_are_named(tmp_path: Path) -> None:
    post = site_with_include(
        tmp_path,
        '{% include box.html text="Mind" by=site.title %}\n\n{% include loop.html %}{% include none.html a="b" %}'
        "{% include round.html %}{% include ../_config.yml %}",
        box="{{ include.text }}{% if include.by %} of {{ include.by }}{% endif %}{% if include.no %}x{% endif %}",
        loop="{% for one in site.posts %}x{% endfor %}",
        round="{% include round.html %}",
    )

    assert post.body.strip() == "Mind of Boats"
    assert [loss.message.partition("Its source: ")[2] for loss in post.losses] == [
        "{% include loop.html %}",
        '{% include none.html a="b" %}',
        "{% include round.html %}",
        "{% include ../_config.yml %}",
    ]


@requirement("import.markdown.liquid")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{% if page.toc %}a{% else %}b{% endif %}", "b"),
        ("{% unless page.toc %}a{% else %}b{% endunless %}", "a"),
        ("{% if page.toc %}a{% elsif site.title == 'Boats' %}b{% else %}c{% endif %}", "b"),
        ("{% if site.shown and page.title contains 'A' %}a{% if page.toc %}b{% endif %}{% endif %}c", "ac"),
        ("{% if page.toc or site.none == nil %}a{% endif %}", "a"),
        ("{% if site.title != 'Boats' %}a{% endif %}b", "b"),
        ("{% if 1 == 1 %}`{% endif %}`{% endif %}", "`{% endif %}`"),
    ],
)
def test_the_branch_that_readers_saw_is_shown(tmp_path: Path, text: str, shown: str) -> None:
    post = site_with_include(tmp_path, text)

    assert (post.body.strip(), post.losses) == (shown, ())


@requirement("import.markdown.liquid")
@pytest.mark.parametrize("condition", ["site.lakes", "page.url == '/a'", "jekyll.environment", "site.posts.size > 1"])
def test_a_condition_that_is_not_known_is_named(tmp_path: Path, condition: str) -> None:
    post = site_with_include(tmp_path, f"{{% if {condition} %}}a{{% endif %}}")

    assert post.body.strip() == "a"
    assert losses_of(post) == [
        (LossKind.SHORTCODE, f"The tag {{% if %}} is left out. Its source: {{% if {condition} %}}", 1)
    ]
