"""Front matter in the forms that people write it."""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from blog_engine.importing.source import ImageUse, LossKind, Omitted, SourcePost, SourceRefused, SourceStatus
from tests.importing.markdown.sites import losses_of, read, read_post, write_file, write_site
from tests.requirements import requirement

DATED = "date: 2024-01-02\n"


def yaml(*lines: str, body: str = "Text.\n") -> str:
    return "---\n" + "".join(f"{line}\n" for line in ("title: A post", *lines)) + f"---\n{body}"


def utc(*values: int) -> datetime:
    return datetime(*values, tzinfo=UTC)  # type: ignore[arg-type, misc] # the parts of a time


@requirement("import.markdown.formats")
@pytest.mark.parametrize(
    "content",
    [
        "---\ntitle: A post\ndate: 2024-01-02\n---\nText.\n",
        "---\r\nTitle: A post\r\nDATE: 2024-01-02\r\n---\r\nText.\r\n",
        "\ufeff---\ntitle: A post\ndate: 2024-01-02\n---\nText.\n",
        "--- \ntitle: A post\ndate: 2024-01-02\n----\nText.\n",
        "+++\ntitle = 'A post'\ndate = 2024-01-02\n+++\nText.\n",
        '{\n"title": "A post",\n"date": "2024-01-02"\n}\nText.\n',
        '{"title": "A post", "date": "2024-01-02"}\nText.\n',
        "Title: A post\nDate: 2024-01-02\n\nText.\n",
    ],
)
def test_each_format_of_front_matter_is_read(tmp_path: Path, content: str) -> None:
    post = read_post(tmp_path, content)

    assert (post.title, post.published_at, post.body.lstrip("\n")) == ("A post", utc(2024, 1, 2), "Text.\n")


@requirement("import.markdown.formats")
def test_a_rule_at_the_beginning_is_no_front_matter(tmp_path: Path) -> None:
    post = read_post(tmp_path, "---\n\n# A heading\n\nText --- and more.\n", name="2024-01-02-x.md")

    assert post.body.startswith("---\n\n# A heading")


@requirement("import.markdown.formats")
@pytest.mark.parametrize("content", ["{ not JSON }\n", "{% kramdown }\n", "{{ 1 }}", "Text: with a colon\n", ""])
def test_a_file_without_front_matter_is_all_body(tmp_path: Path, content: str) -> None:
    assert read_post(tmp_path, content, name="posts/2024-01-02-x.md").body == content


@requirement("import.markdown.urls")
def test_posts_among_the_pages_of_astro_are_posts(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", "export default { site: 'https://a.example', base: '/b' }")

    post = read_post(tmp_path, yaml("pubDate: 2024-01-02"), name="src/pages/posts/A Post.md")

    assert (post.source_id, post.url) == ("src/pages/posts/A Post.md", "https://old.example/b/posts/a-post/")


@requirement("import.markdown.refused", "import.markdown.bounds")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"---\ntitle: \xff\n---\n", "not encoded in UTF-8"),
        ("---\ntitle: x\n---\n".encode("utf-16"), "not encoded in UTF-8"),
        ("---\ntitle: [unclosed\n---\n", "YAML cannot be read, line 3"),
        ("---\ntitle: !!python/object:os.system x\n---\n", "YAML cannot be read"),
        ("---\n- a list\n---\n", "no names with values"),
        ("---\njust text\n---\n", "no names with values"),
        ("---\ntitle: never ends\n", "does not end"),
        ("---\na: &a [*a]\n---\n", "alias"),
        ("---\na: " + "[" * 5_000 + "]" * 5_000 + "\n---\n", "nested too deeply|YAML cannot be read"),
        ("---\ndate: 2024-13-45\n---\n", "values cannot be read"),
        ("---\na: " + "x" * 10_000_000 + "\n---\n", "more than 4194304 bytes"),
        ("---\na: " + "x" * 300_000 + "\n---\n", "front matter has more than"),
        ("+++\ntitle = \n+++\n", "values cannot be read"),
        ("+++\na = " + "[" * 5_000 + "]" * 5_000 + "\n+++\n", "nested too deeply"),
        ("+++\na = 1\n", "does not end"),
        ('{"title": \n\n', "no JSON"),
        ('{"a": ' + "[" * 500_000, "nested too deeply"),
        ('{"a": ' + "[" * 100 + "]" * 100 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "no JSON"),
        ("+++\ntitle = 'a'\n" + "a." * 20_000 + "b = 1\n+++\n", "more than 20 dots"),
        ("---toml\n" + "a." * 20_000 + "b = 1\n---\n", "more than 20 dots"),
        ("---json\n" + "[" * 20_000 + "\n---\n", "nested too deeply"),
        ("---\na: 0x" + "f" * 9_000 + "\n---\n", "more than 100 digits"),
        ("Title: a\n" + "    more\n" * 100_000, "more than 262144 characters"),
    ],
)
def test_a_file_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path, content: str | bytes, words: str) -> None:
    write_file(tmp_path / "good.md", yaml(DATED.strip()))
    write_file(tmp_path / "posts" / "bad.md", content)

    good, bad = read(tmp_path)

    assert isinstance(good, SourcePost) and isinstance(bad, Omitted)
    assert (bad.source_id, bad.where, bad.title) == ("posts/bad.md", "posts/bad.md", "posts/bad.md")
    assert re.search(words, bad.unreadable or "")
    assert bad.what == f"file that cannot be read: {bad.unreadable}"


@requirement("import.markdown.refused")
def test_a_name_that_is_not_utf_8_is_listed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.md")).write_text(yaml(DATED.strip()))

    (bad,) = read(tmp_path)

    assert isinstance(bad, Omitted)
    assert (bad.where, bad.unreadable) == ("?.md", "the name of the file is not encoded in UTF-8")


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    post = read_post(tmp_path, '{"title": "A\\ud83d", "tags": ["\\udc00"]}')

    assert (post.title, post.tags) == ("A\ufffd", ("\ufffd",))


@requirement("import.markdown.translations")
def test_folders_of_translations_are_versions_of_a_post(tmp_path: Path) -> None:
    languages = "[languages.en]\ncontentDir = 'content/english'\n[languages.fr]\ncontentDir = 'content/french'\n"
    write_site(
        tmp_path,
        hugo_toml=languages,
        content__english__posts__a_md=yaml(DATED.strip()),
        content__french__posts__a_md=yaml(DATED.strip()),
    )

    post, translation = read(tmp_path)

    assert isinstance(post, SourcePost) and isinstance(translation, SourcePost)
    assert (post.source_id, post.slug, post.url) == ("posts/a.md", "a", "https://old.example/posts/a/")
    assert (post.language, post.translation_key) == (None, "posts/a.md")
    assert (translation.source_id, translation.slug) == ("content/french/posts/a.md", "a-fr")
    assert translation.url == "https://old.example/fr/posts/a/"
    assert (translation.language, translation.translation_key) == ("fr", "posts/a.md")


@requirement("import.markdown.translations")
@pytest.mark.parametrize(
    ("name", "front_matter", "version"),
    [
        ("a.md", "", (None, "posts/a.md", "a", "/posts/a/")),
        ("a.fr.md", "", ("fr", "posts/a.md", "a-fr", "/fr/posts/a/")),
        ("b/index.fr.md", "", ("fr", "posts/b/index.md", "b-fr", "/fr/posts/b/")),
        ("a.fr.md", "slug: 'b'", ("fr", "posts/a.md", "b", "/fr/posts/b/")),
        ("a.fr.md", "lang: 'fr-CA'", ("fr-CA", "posts/a.md", "a-fr", "/fr/posts/a/")),
        ("a.fr.md", "url: '/x/'", ("fr", "posts/a.md", "x-fr", "/x/")),
        ("a.pl.md", "", ("pl", "posts/a.md", "a-pl", "/posts/a.pl/")),
        ("a.min.md", "", (None, "posts/a.min.md", "a.min", "/posts/a.min/")),
        ("c.md", "translationKey: 'x'", (None, "x", "c", "/posts/c/")),
        ("c.md", "translation_group: '7-1'", (None, "7-1", "c", "/posts/c/")),
    ],
)
def test_the_name_of_a_file_and_the_front_matter_name_the_version(
    tmp_path: Path, name: str, front_matter: str, version: tuple[str | None, ...]
) -> None:
    write_site(tmp_path, hugo_toml="[languages.en]\n[languages.fr]\n", content__posts__a_md=yaml(DATED.strip()))
    write_file(tmp_path / "content" / "posts" / name, yaml(DATED.strip(), front_matter))

    found = {post.source_id: post for post in read(tmp_path) if isinstance(post, SourcePost)}

    post = found[f"posts/{name}"]
    assert (post.language, post.translation_key, post.slug, urlsplit(post.url or "").path) == version


@requirement("import.markdown.not-posts")
@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("hugo.toml", "baseURL = ", SourceStatus.PUBLISHED),
        ("hugo.toml", "[[cascade]]\ndraft = true\n[", SourceStatus.DRAFT),
        ("hugo.yaml", "a: *b", SourceStatus.PUBLISHED),
        ("hugo.yaml", "cascade: *b", SourceStatus.DRAFT),
        ("config.json", "{", SourceStatus.PUBLISHED),
        ("config/_default/hugo.toml", "ignoreFiles = ", SourceStatus.DRAFT),
        ("_config.yml", "a: [" * 3_000, SourceStatus.PUBLISHED),
        ("_config.yml", "defaults: [", SourceStatus.DRAFT),
        ("pelicanconf.py", "PATH = (" * 1_000, SourceStatus.PUBLISHED),
        ("pelicanconf.py", "DEFAULT_METADATA = {'status': 'draft'}\ndef\n", SourceStatus.DRAFT),
        ("astro.config.mjs", b"\xff", SourceStatus.PUBLISHED),
        ("eleventy.config.js", b"\xff", SourceStatus.PUBLISHED),
        ("hugo.toml", "x" * 2_000_000, SourceStatus.PUBLISHED),
    ],
)
def test_a_configuration_that_cannot_be_read_is_listed_and_hides_what_it_may_hide(
    tmp_path: Path, name: str, content: str | bytes, status: SourceStatus
) -> None:
    write_file(tmp_path / name, content)
    place = {"_config.yml": "_posts/2024-01-02-a.md", "astro.config.mjs": "src/content/blog/a.md"}
    write_file(tmp_path / place.get(name, "content/posts/a.md"), yaml(DATED.strip()))

    listed, post = read(tmp_path)

    assert isinstance(listed, Omitted) and isinstance(post, SourcePost)
    assert (listed.where, listed.what.partition(":")[0]) == (name, "configuration that cannot be read")
    assert post.status is status
    assert [name in loss.message for loss in post.losses if loss.kind is LossKind.WITHHELD] == [True] * (
        status == "draft"
    )
    assert name in post.url_guess or status == "draft"


def test_a_file_instead_of_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="a folder of Markdown files was expected"):
        read(write_file(tmp_path / "a.md", yaml()))


@requirement("import.markdown.texts")
@pytest.mark.parametrize("name", ["search_title", "seo_title", "meta_title"])
def test_texts_for_search_engines_have_several_names(tmp_path: Path, name: str) -> None:
    post = read_post(tmp_path, yaml(f"{name}: Ferries", "meta_description: Of the bay", DATED.strip()))

    assert post.texts == {"search_title": "Ferries", "search_description": "Of the bay"}
    assert losses_of(post) == []


@requirement("import.markdown.dates")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("date: 2024-01-02", utc(2024, 1, 2)),
        ("date: 2024-01-02 03:04:05 +0200", utc(2024, 1, 2, 1, 4, 5)),
        ("date: 2024-01-02T03:04:05.678-05:00", utc(2024, 1, 2, 8, 4, 5, 678000)),
        ("date: '2024-01-02 03:04'", utc(2024, 1, 2, 3, 4)),
        ("date: 2024/01/02", utc(2024, 1, 2)),
        ("pubDate: Jul 08 2022", utc(2022, 7, 8)),
        ("pubDate: July 8, 2022", utc(2022, 7, 8)),
        ("date: Tue, 02 Jan 2024 03:04:05 GMT", utc(2024, 1, 2, 3, 4, 5)),
        ("publishDate: 2024-01-02", utc(2024, 1, 2)),
        ("date: 1969-07-20", utc(1969, 7, 20)),
        ("date: 2014-07-16 23:29 UTC", utc(2014, 7, 16, 23, 29)),
        ("date: 2014-07-16 23:29:10 GMT", utc(2014, 7, 16, 23, 29, 10)),
        ("date: 2012-03-30 23:00:00 UTC+02:00", utc(2012, 3, 30, 21)),
        ("date: 2012-03-30T23:00 UTC-0500", utc(2012, 3, 31, 4)),
        ("published: 2024-04-01", utc(2024, 4, 1)),
    ],
)
def test_each_form_of_a_date_is_read(tmp_path: Path, line: str, expected: datetime) -> None:
    post = read_post(tmp_path, yaml(line))

    assert (post.published_at, losses_of(post)) == (expected, [])


@requirement("import.markdown.dates")
@pytest.mark.parametrize(
    "value", ["soon", "[2024]", "'2024-02-30'", "12", "0001-01-01 00:00:00 +14:00", "9999-12-31T23:00:00-12:00"]
)
def test_what_is_no_date_is_no_error(tmp_path: Path, value: str) -> None:
    post = read_post(tmp_path, yaml(f"lastmod: {value}", DATED.strip()))

    assert post.modified_at is None
    assert post.published_at == utc(2024, 1, 2)


@requirement("import.markdown.dates")
def test_a_date_that_is_none_and_a_missing_one_are_named(tmp_path: Path) -> None:
    post = read_post(tmp_path, yaml("date: soon"))

    assert post.published_at is None
    assert losses_of(post) == [
        (LossKind.DATE, "The field date is no date: 'soon'.", None),
        (LossKind.DATE, "It has no date.", None),
    ]


@requirement("import.markdown.status")
@pytest.mark.parametrize(
    ("line", "status", "kinds"),
    [
        ("draft: true", SourceStatus.DRAFT, []),
        ("draft: 'yes'", SourceStatus.DRAFT, []),
        ("draft: false", SourceStatus.PUBLISHED, []),
        ("published: false", SourceStatus.DRAFT, []),
        ("published: true", SourceStatus.PUBLISHED, []),
        ("status: Draft", SourceStatus.DRAFT, []),
        ("status: hidden", SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ("private: true", SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ("password: secret", SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ("expiryDate: 2024-02-03", SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ("expiryDate: 2199-02-03", SourceStatus.PUBLISHED, []),
        ("publishDate: 2199-02-03", SourceStatus.SCHEDULED, []),
        ("publishDate: 2024-02-03", SourceStatus.PUBLISHED, []),
    ],
)
def test_the_status_follows_from_the_fields(
    tmp_path: Path, line: str, status: SourceStatus, kinds: list[LossKind]
) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), line))

    assert (post.status, [loss.kind for loss in post.losses]) == (status, kinds)
    assert "secret" not in repr(post)


@requirement("import.markdown.status")
def test_a_scheduled_post_has_the_time_at_which_it_appears(tmp_path: Path) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), "publishDate: 2199-02-03"))

    assert post.published_at == utc(2199, 2, 3)


@requirement("import.markdown.title")
@pytest.mark.parametrize(
    ("body", "title", "rest"),
    [
        ("# A *heading* #\n\nText.\n", "A heading", "Text."),
        ("\nHeading\n=======\n\nText.\n", "Heading", "Text."),
        ("Text.\n\n# Later\n", "My post", "Text.\n\n# Later"),
        ("", "My post", ""),
    ],
)
def test_a_post_without_title_gets_one_and_is_named(tmp_path: Path, body: str, title: str, rest: str) -> None:
    post = read_post(tmp_path, f"---\n{DATED}---\n{body}", name="posts/2024-01-02-my-post.md")

    assert (post.title, post.body.strip()) == (title, rest)
    assert [loss.kind for loss in post.losses] == [LossKind.FIELD]


@requirement("import.markdown.terms")
@pytest.mark.parametrize(
    ("lines", "category", "tags"),
    [
        (["categories: [A, B]", "tags: [c, C, b]"], "A", ("b", "C")),
        (["category: A", "tags: c, d"], "A", ("c", "d")),
        (["categories: {name: A}"], "A", ()),
        (["tags: '[c, \"d\"]'"], None, ("c", "d")),
        (["keywords: [k]"], None, ("k",)),
        (["tags: [c]", "keywords: [k]"], None, ("c",)),
        (["tags: [1, 2.5, true, null, [x], 2024-01-02]"], None, ("1", "2.5", "true", "2024-01-02")),
        (["categories: []", "tags:"], None, ()),
    ],
)
def test_terms_can_be_lists_and_texts(
    tmp_path: Path, lines: list[str], category: str | None, tags: tuple[str, ...]
) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), *lines))

    assert (post.category, post.tags) == (category, tags)


@requirement("import.markdown.people")
@pytest.mark.parametrize(
    ("line", "author", "others"),
    [
        ("author: Olga", "Olga", ()),
        ("author_name: Olga Owner\nauthors: [olga]", "Olga Owner", ()),
        ("author: 'Owner, Olga'", "Owner, Olga", ()),
        ("author: {name: Olga, email: olga@example.test}", "Olga", ()),
        ("authors: [{name: Olga}, Rita]", "Olga", ("Rita",)),
        ("authors: Olga, Rita", "Olga", ("Rita",)),
        ("authors: 'Owner, Olga; Rower, Rita'", "Owner, Olga", ("Rower, Rita",)),
        ("author: [Olga, Rita, Rolf]", "Olga", ("Rita", "Rolf")),
        ("author: {email: olga@example.test}", None, ()),
    ],
)
def test_people_can_be_texts_lists_and_maps(
    tmp_path: Path, line: str, author: str | None, others: tuple[str, ...]
) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), line))

    assert (post.author, post.coauthors, post.losses) == (author, others, ())
    assert "example.test" not in repr(post)


@requirement("import.markdown.images")
@pytest.mark.parametrize(
    ("lines", "cover", "social"),
    [
        (["cover: /a.png"], ImageUse(url="/a.png"), None),
        (["cover: {image: a.png, alt: An A}"], ImageUse(url="/posts/a.png", alt="An A"), None),
        (["image: {path: /a.png, alt: An A}"], ImageUse(url="/a.png", alt="An A"), None),
        (["heroImage: /a.png", "heroImageAlt: An A"], ImageUse(url="/a.png", alt="An A"), None),
        (["images: [/a.png, /b.png]"], ImageUse(url="/a.png"), None),
        (["cover: /c.png", "images: [/a.png]"], ImageUse(url="/c.png"), ImageUse(url="/a.png")),
        (["header: {teaser: /a.png}"], ImageUse(url="/a.png"), None),
        (["resources: [{name: featured, src: a.png}]"], ImageUse(url="/posts/a.png"), None),
        (["cover: ../../../etc/passwd"], ImageUse(url="/etc/passwd"), None),
        (["cover: 'http://['"], ImageUse(url="http://["), None),
        (["cover: {hidden: true}"], None, None),
        (["cover: 5"], None, None),
    ],
)
def test_the_cover_is_found(tmp_path: Path, lines: list[str], cover: ImageUse | None, social: ImageUse | None) -> None:
    write_file(tmp_path / "posts" / "a.png", b"a")

    post = read_post(tmp_path, yaml(DATED.strip(), *lines))

    assert (post.cover, post.social_image) == (cover, social)


@requirement("import.markdown.series")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["series: S", "series_order: 3"], ("S", 3)),
        (["series: [S, T]", "weight: 2"], ("S", 2)),
        (["series: S", "series_index: first"], ("S", None)),
        (["weight: 2"], (None, None)),
    ],
)
def test_a_series_has_a_position(tmp_path: Path, lines: list[str], expected: tuple[str | None, int | None]) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), *lines))

    assert (post.series, post.series_position) == expected


@requirement("import.markdown.language")
@pytest.mark.parametrize(
    ("lines", "expected", "refused"),
    [
        (["lang: de"], "de", []),
        (["language: PT-br"], "pt-BR", []),
        (["lang: ' zh-hans '", "language: fr"], "zh-Hans", []),
        (["lang: en_US"], None, ["lang is no language tag: 'en_US'"]),
        (["lang: en_US", "language: en-us"], "en-US", ["lang is no language tag: 'en_US'"]),
        (["lang: no"], None, ["lang is no language tag: 'False'"]),
        (["lang: 'no'"], "no", []),
        (["lang: English", "language: de"], "de", ["lang is no language tag: 'English'"]),
        (["lang: art-lojban"], None, ["lang is no language tag: 'art-lojban'"]),
        (["language: [de, fr]"], None, ["language is no language tag: \"['de', 'fr']\""]),
        (["language: {code: de}"], None, ["language is no language tag: \"{'code': 'de'}\""]),
        (["lang: ''", "locale: de"], None, []),
    ],
    ids=str,
)
def test_a_language_tag_is_the_language_of_the_post(
    tmp_path: Path, lines: list[str], expected: str | None, refused: list[str]
) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), *lines))

    assert post.language == expected
    assert losses_of(post) == [(LossKind.FIELD, message, None) for message in refused]


@requirement("import.markdown.other-fields")
def test_values_without_a_place_are_named_together(tmp_path: Path) -> None:
    post = read_post(
        tmp_path, yaml(DATED.strip(), "mood: calm", "empty: ''", "layout: post", "toc: true", "params: {Zoo: 1}")
    )

    assert losses_of(post) == [(LossKind.FIELD, "These fields have no place here: mood, zoo.", None)]


@requirement("import.markdown.aliases")
def test_aliases_become_former_urls(tmp_path: Path) -> None:
    lines = (
        "aliases: [/old/, older, '../up/', 'https://elsewhere.example/x', 'http://[', '/?p=3']",
        "url: /new/place/",
    )

    post = read_post(tmp_path, yaml(DATED.strip(), *lines))

    assert post.url == "https://old.example/new/place/"
    assert post.former_urls == (
        "https://old.example/old/",
        "https://old.example/new/older",
        "https://old.example/up/",
        "https://elsewhere.example/x",
        "http://[",
        "https://old.example/?p=3",
    )


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    ("configuration", "name", "lines", "expected"),
    [
        ("permalink: pretty", "_posts/2024-01-02-x.md", [], "/2024/01/02/x/"),
        ("permalink: none", "_posts/2024-01-02-x.md", ["category: A"], "/a/x.html"),
        ("permalink: /:short_year/:i_month/:i_day/:y_day/:slug/", "_posts/2024-02-03-My_X.md", [], "/24/2/3/034/my-x/"),
        ("permalink: /:mood/:title/", "_posts/2024-01-02-x.md", [], None),
        ("collections_dir: all", "all/_posts/2024-01-02-x.md", [], "/2024/01/02/x.html"),
    ],
)
def test_the_patterns_of_jekyll_are_filled(
    tmp_path: Path, configuration: str, name: str, lines: list[str], expected: str | None
) -> None:
    write_file(tmp_path / "_config.yml", configuration)

    post = read_post(tmp_path, yaml(*lines), name=name)

    assert post.url == (f"https://old.example{expected}" if expected else None)
    assert [loss.kind for loss in post.losses] == ([] if expected else [LossKind.REDIRECT])


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    ("configuration", "lines", "expected"),
    [
        ("uglyURLs = true", [], "/posts/a-post.html"),
        ("[permalinks]\nposts = '/:section/:sections/:slug/'", ["slug: My Slug"], "/posts/posts/my-slug/"),
        ("[permalinks]\nposts = '/:year/:yearday/:contentbasename/'", [], "/2024/2/a-post/"),
        ("[permalinks]\nposts = '/:2006/:title/'", [], "/2024/a-post/"),
        ("[permalinks]\nposts = '/:nothing/:title/'", [], None),
        ("baseURL = 'https://x.example/sub/'", [], "/sub/posts/a-post/"),
    ],
)
def test_the_patterns_of_hugo_are_filled(
    tmp_path: Path, configuration: str, lines: list[str], expected: str | None
) -> None:
    write_file(tmp_path / "hugo.toml", configuration)

    post = read_post(tmp_path, yaml(DATED.strip(), *lines), name="content/posts/a-post.md")

    assert post.url == (f"https://old.example{expected}" if expected else None)


@requirement("import.markdown.others")
def test_files_that_are_no_posts_are_listed_or_passed_over(tmp_path: Path) -> None:
    write_site(
        tmp_path,
        hugo_toml="[languages.en]\n[languages.fr]\n",
        content__posts__a_md=yaml(DATED.strip()),
        content__posts__b_adoc="Text\n",
        content__posts__c_html="<p>No front matter</p>",
        content__posts__d_md=yaml(DATED.strip(), "headless: true"),
        content__posts__e_md=yaml(DATED.strip(), "layout: page"),
        content__posts__README_md="Read me.\n",
        content__posts__node_modules__x_md=yaml(DATED.strip()),
        content__posts__notes_txt="Text\n",
        themes__x__content__y_md=yaml(DATED.strip()),
    )
    write_file(tmp_path / "content" / "posts" / "a.fr.md", yaml(DATED.strip()))
    write_file(tmp_path / "content" / "posts" / ".hidden.md", yaml(DATED.strip()))
    write_file(tmp_path.parent / "outside.md", yaml(DATED.strip()))
    (tmp_path / "content" / "posts" / "link.md").symlink_to(tmp_path.parent / "outside.md")
    (tmp_path / "content" / "posts" / "up").symlink_to(tmp_path.parent)

    found = {item.source_id: item.what if isinstance(item, Omitted) else "post" for item in read(tmp_path)}

    assert found == {
        "posts/a.md": "post",
        "posts/a.fr.md": "post",
        "posts/b.adoc": "file of AsciiDoc",
        "posts/c.html": "HTML file without front matter",
        "posts/d.md": "part of other pages",
        "posts/e.md": "page",
    }


def test_a_configuration_cannot_lead_out_of_the_site(tmp_path: Path) -> None:
    write_file(tmp_path / "outside" / "secret.md", yaml(DATED.strip()))
    write_file(tmp_path / "site" / "hugo.toml", "contentDir = '../outside'\n")

    assert read(tmp_path / "site") == []


def test_pelican_settings_are_not_run(tmp_path: Path) -> None:
    script = "import os\nos.mkdir('made')\nPATH = 'texts'\nSITEURL = 'https://' + 'x.example'\nAUTHOR = 'Olga'\n"
    write_file(tmp_path / "pelicanconf.py", script)

    post = read_post(tmp_path, "Title: A post\nDate: 2024-01-02\n\nText.\n", name="texts/a.md")

    assert post.author == "Olga"
    assert not Path("made").exists()


@requirement("import.markdown.terms")
def test_data_files_of_eleventy_are_inherited(tmp_path: Path) -> None:
    write_file(tmp_path / "eleventy.config.js", "export default { pathPrefix: '/sub/' }")
    write_file(tmp_path / "blog" / "blog.json", '{"tags": ["outer"], "author": "Olga"}')
    write_file(tmp_path / "blog" / "inner" / "inner.11tydata.json", '{"tags": ["inner"]}')

    post = read_post(tmp_path, yaml(DATED.strip()), name="blog/inner/a.md")

    assert (post.tags, post.author, post.url) == (("outer", "inner"), "Olga", "https://old.example/sub/blog/inner/a/")


def test_html_files_keep_their_html(tmp_path: Path) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), body="<p>Own <b>HTML</b></p>\n"), name="posts/a.html")

    assert isinstance(post, SourcePost)
    assert (post.body_format, post.body) == ("html", "<p>Own <b>HTML</b></p>\n")


@requirement("import.markdown.links")
def test_the_first_word_of_a_footnote_is_no_url(tmp_path: Path) -> None:
    post = read_post(tmp_path, yaml(DATED.strip(), body="a[^1] [b]\n\n[^1]: At last.\n\n[b]: c\n"))

    assert post.body == "a[^1] [b]\n\n[^1]: At last.\n\n[b]: /posts/a-post/c\n"


@requirement("import.markdown.images")
def test_a_cover_is_an_image_and_not_a_text(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", "")
    write_file(tmp_path / "assets/boats/only.png", b"x")
    write_file(tmp_path / "assets/one/two.png", b"x")
    write_file(tmp_path / "assets/other/two.png", b"x")
    fields = "teaser: Some words about the lake.\nimage: {}\n"

    covers = [
        read_post(tmp_path, f"---\ntitle: A\n{fields.format(name)}---\n", name="content/posts/a-post.md")
        for name in ("only.png", "two.png", "''")
    ]

    assert [one.cover and one.cover.url for one in covers] == ["/assets/boats/only.png", "/posts/a-post/two.png", None]
    assert {one.description for one in covers} == {"Some words about the lake."}


@requirement("import.markdown.other-fields")
def test_values_that_a_site_gives_to_all_posts_are_not_named(tmp_path: Path) -> None:
    write_file(tmp_path / "_config.yml", "defaults: [{scope: {path: ''}, values: {oars: 2, boats: 3}}]\n")

    post = read_post(tmp_path, "---\ntitle: A\nboats: 1\n---\n", name="_posts/2024-01-02-a.md")

    assert [loss.message for loss in post.losses] == ["These fields have no place here: boats."]


@requirement("import.markdown.dates")
@pytest.mark.parametrize(
    ("configuration", "name", "content", "month"),
    [
        ("pelicanconf.py", "content/a.md", "Title: A\nDate: 5/4/2015 14:11", 5),
        ("conf.py", "posts/a.md", ".. title: A\n.. date: 05/04/2015 14:11:00 UTC", 5),
        ("eleventy.config.js", "posts/a.md", '---\ntitle: A\ndate: "05/04/2015 14:11"\n---', 5),
        ("astro.config.mjs", "src/content/blog/a.md", '---\ntitle: A\npubDate: "05/04/2015 14:11"\n---', 5),
        ("conf.py", "posts/a.md", ".. title: A\n.. date: 2015/5/4 14:11 UTC-00:00", 5),
        ("hugo.toml", "content/posts/a.md", '---\ntitle: A\ndate: "05/04/2015 14:11"\n---', None),
    ],
)
def test_the_month_is_before_the_day_where_the_program_reads_it_so(
    tmp_path: Path, configuration: str, name: str, content: str, month: int | None
) -> None:
    nikola = "BLOG_TITLE = 'A'\nPOSTS = [('posts/*.md', 'posts', 'post.tmpl')]\n"
    write_file(tmp_path / configuration, nikola if configuration == "conf.py" else "")

    post = read_post(tmp_path, f"{content}\n\nText.\n", name=name)

    assert post.published_at == (datetime(2015, month, 4, 14, 11, tzinfo=UTC) if month else None)
