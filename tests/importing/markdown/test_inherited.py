"""Values that posts inherit, and what keeps them from readers."""

from pathlib import Path

import pytest

from blog_engine.importing.markdown.scripts import ScriptValues, names_hiding, read_script
from blog_engine.importing.source import LossKind, Omitted, SourcePost, SourceStatus
from tests.importing.markdown.sites import losses_of, read, read_post, write_file
from tests.requirements import requirement

PLAIN = "---\ntitle: A post\ndate: 2024-01-02\n---\nText.\n"
DRAFT, PUBLISHED, SCHEDULED = SourceStatus.DRAFT, SourceStatus.PUBLISHED, SourceStatus.SCHEDULED
HUGO = ("hugo.toml", "baseURL = 'https://old.example/'\n")


def post_with(*lines: str) -> str:
    return "\n".join(["---", "title: A post", "date: 2024-01-02", *lines, "---", "Text.\n"])


def post_in(folder: Path, name: str, files: dict[str, str], content: str = PLAIN) -> SourcePost:
    """Return the post of a file in a site of these files."""
    for place, text in files.items():
        write_file(folder / place, text)
    write_file(folder / name, content)
    found = {item.where: item for item in read(folder) if isinstance(item, SourcePost)}
    return found[name.removeprefix("content/")]


def withheld(post: SourcePost) -> list[str]:
    return [loss.message for loss in post.losses if loss.kind is LossKind.WITHHELD]


@requirement("import.markdown.inherited")
@pytest.mark.parametrize(
    ("section", "status", "author"),
    [
        ("---\ncascade:\n  draft: true\n---\n", DRAFT, None),
        ("---\nCascade:\n  Draft: true\n---\n", DRAFT, None),
        ("+++\n[cascade]\ndraft = true\n+++\n", DRAFT, None),
        ("+++\n[[cascade]]\nauthor = 'Ann'\n[[cascade]]\ndraft = true\nauthor = 'Bea'\n+++\n", DRAFT, "Ann"),
        ('{"cascade": {"draft": true}}\n', DRAFT, None),
        ("---\ncascade: {_target: {path: /posts/**}, draft: true}\n---\n", DRAFT, None),
        ("---\ncascade: {target: {path: /posts/*}, draft: true}\n---\n", DRAFT, None),
        ("---\ncascade: {target: {path: /notes/**}, draft: true}\n---\n", PUBLISHED, None),
        ("---\ncascade: {target: {kind: section}, draft: true}\n---\n", PUBLISHED, None),
        ("---\ncascade: {target: {lang: en}, draft: true}\n---\n", DRAFT, None),
        ("---\ncascade: {target: {lang: fr}, draft: true}\n---\n", PUBLISHED, None),
        ("---\ncascade: {target: {environment: development}, draft: true}\n---\n", PUBLISHED, None),
        ("---\ncascade: {target: {path: '/posts/[a'}, draft: true, author: Ann}\n---\n", DRAFT, None),
        ("---\ncascade: {target: {version: v1}, draft: true, author: Ann}\n---\n", DRAFT, None),
        ("---\ncascade: {params: {author: Ann}}\n---\n", PUBLISHED, "Ann"),
        ("---\ncascade: {expiryDate: 2019-01-01}\n---\n", DRAFT, None),
        ("---\ncascade: {publishDate: 2199-01-01}\n---\n", SCHEDULED, None),
        ("---\ncascade: {build: {list: never}}\n---\n", DRAFT, None),
        ("---\ncascade: {private: true}\n---\n", DRAFT, None),
        ("---\nx: &a {draft: true}\ncascade: *a\n---\n", DRAFT, None),
        ("\n---\ncascade: {draft: true}\n---\n", DRAFT, None),
        ("---\ncascade: [\n---\n", DRAFT, None),
        ("---\ntitle: [\n---\n", PUBLISHED, None),
        ("---\ncascade: text\n---\n", PUBLISHED, None),
        ("---\ncascade: [text, {draft: true}]\n---\n", DRAFT, None),
        ("---\ndraft: true\n---\n", PUBLISHED, None),
    ],
)
def test_the_page_of_a_section_gives_values(
    tmp_path: Path, section: str, status: SourceStatus, author: str | None
) -> None:
    post = post_in(tmp_path, "content/posts/a.md", {HUGO[0]: HUGO[1], "content/posts/_index.md": section})

    assert (post.status, post.author) == (status, author)


@requirement("import.markdown.inherited")
@pytest.mark.parametrize("name", ["_index.html", "_index.markdown", "_index.adoc", "_index.rst", "_index.en.md"])
def test_the_page_of_a_section_can_be_in_any_markup(tmp_path: Path, name: str) -> None:
    section = {f"content/posts/{name}": "---\ncascade: {draft: true}\n---\n"}

    assert post_in(tmp_path, "content/posts/a.md", {HUGO[0]: HUGO[1], **section}).status is DRAFT


@requirement("import.markdown.inherited")
def test_a_page_of_a_section_in_org_is_named(tmp_path: Path) -> None:
    section = {"content/posts/_index.org": "#+cascade: draft\n"}

    post = post_in(tmp_path, "content/posts/a.md", {HUGO[0]: HUGO[1], **section})

    assert withheld(post) == ["content/posts/_index.org is Org, and can keep posts from readers: now a draft."]


@requirement("import.markdown.inherited")
def test_a_folder_of_contents_alone_has_its_sections(tmp_path: Path) -> None:
    post = post_in(tmp_path, "posts/a.md", {"posts/_index.md": "---\ncascade: {draft: true, author: Ann}\n---\n"})

    assert (post.status, post.author) == (DRAFT, "Ann")


@requirement("import.markdown.inherited")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hugo.toml", "[[cascade]]\ndraft = true\n[cascade._target]\npath = '/posts/**'\n"),
        ("hugo.yaml", "cascade:\n- draft: true\n  target: {path: '/{notes,posts}/*'}\n"),
        ("hugo.json", '{"cascade": {"draft": true}}'),
        ("config.toml", "[cascade]\ndraft = true\n"),
        ("config/_default/config.yaml", "cascade: {draft: true}\n"),
        ("config/_default/cascade.toml", "draft = true\n"),
        ("config/production/hugo.toml", "[cascade]\ndraft = true\n"),
        ("config/_default/languages.toml", "[en]\nweight = 1\n[en.cascade]\ndraft = true\n"),
        ("config/_default/languages.en.toml", "[cascade]\ndraft = true\n"),
        ("hugo.toml", "[languages.en.cascade]\ndraft = true\n"),
        ("hugo.toml", "disableKinds = ['page']\n"),
        ("hugo.toml", "defaultContentLanguage = 'en'\n[languages.en]\ndisabled = true\n"),
        ("hugo.toml", "disableLanguages = ['en']\n"),
        ("hugo.toml", "renderSegments = ['x']\n[[segments.x.includes]]\npath = '/notes/**'\n"),
        ("hugo.toml", "ignoreFiles = ['(a+)+']\n"),
        ("hugo.toml", "[[module.mounts]]\nsource = 'content'\ntarget = 'content'\nexcludeFiles = 'x/[a'\n"),
        ("hugo.toml", "[frontmatter]\nexpiryDate = ['ends', ':default']\n"),
        ("hugo.toml", "[frontmatter]\npublishDate = ['ends']\n"),
    ],
)
def test_the_configuration_of_hugo_hides_posts(tmp_path: Path, name: str, text: str) -> None:
    others = {} if name.startswith("hugo") or name == "config.toml" else {"hugo.toml": ""}

    post = post_in(tmp_path, "content/posts/a.md", {**others, name: text}, post_with("ends: soon 2199"))

    assert post.status is DRAFT


@requirement("import.markdown.status")
@pytest.mark.parametrize(
    "text", ["buildDrafts = true\nbuildFuture = true\nbuildExpired = true\n", "[params]\ndraft = false\n"]
)
@pytest.mark.parametrize("line", ["draft: true", "expiryDate: 2019-01-01", "draft: 1", "draft: 'T'", "draft: maybe"])
def test_options_that_show_drafts_are_ignored(tmp_path: Path, text: str, line: str) -> None:
    assert post_in(tmp_path, "content/posts/a.md", {"hugo.toml": text}, post_with(line)).status is DRAFT


@requirement("import.markdown.inherited")
@pytest.mark.parametrize(
    ("section", "line", "status"),
    [
        ("cascade: {draft: true}", "params: {draft: false}", DRAFT),
        ("cascade: {expiryDate: 2019-01-01}", "params: {expiryDate: 2199-01-01}", DRAFT),
        ("cascade: {draft: true}", "draft:", DRAFT),
        ("title: Posts", "params: {draft: true}", PUBLISHED),
        ("cascade: {draft: true}", "draft: false", PUBLISHED),
    ],
)
def test_a_parameter_is_no_draft(tmp_path: Path, section: str, line: str, status: SourceStatus) -> None:
    files = {HUGO[0]: HUGO[1], "content/posts/_index.md": f"---\n{section}\n---\n"}

    assert post_in(tmp_path, "content/posts/a.md", files, post_with(line)).status is status


@requirement("import.markdown.others")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["posts/a.md", "docs/b.md"]),
        ("mainSections = ['posts']\n", ["posts/a.md"]),
        ("mainSections = 'Posts'\n", ["posts/a.md"]),
        ("mainSections = []\n", ["posts/a.md", "docs/b.md"]),
        ("[params]\nmainsections = ['docs']\n", ["docs/b.md"]),
        ("mainSections = ['posts']\n[params]\nmainSections = ['docs']\n", ["docs/b.md"]),
        ("[languages.en.params]\nmainSections = ['docs']\n", ["docs/b.md"]),
    ],
)
def test_the_main_sections_of_hugo_hold_the_posts(tmp_path: Path, text: str, expected: list[str]) -> None:
    write_file(tmp_path / "hugo.toml", text)
    for name in ("posts/a.md", "docs/b.md"):
        write_file(tmp_path / "content" / name, PLAIN)

    items = read(tmp_path)

    assert {item.where for item in items if isinstance(item, SourcePost)} == set(expected)
    assert {item.what for item in items if isinstance(item, Omitted)} <= {"page outside of the main sections"}


@requirement("import.markdown.inherited", "import.markdown.others")
@pytest.mark.parametrize(
    ("config", "status", "author"),
    [
        ("defaults: [{scope: {path: _posts}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {path: _pos}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {type: posts}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {type: post}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {path: '_posts/*'}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {path: '**/2024-*'}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {path: '_posts/[a*'}, values: {published: false}}]", DRAFT, None),
        ("defaults: [{scope: {path: x}, values: {published: false}}]", PUBLISHED, None),
        ("defaults: [{scope: {type: pages}, values: {published: false}}]", PUBLISHED, None),
        ("defaults: [{scope: {}, values: {author: A}}, {scope: {}, values: {author: B}}]", PUBLISHED, "B"),
        ("defaults: [{scope: {path: _posts}, values: {author: A}}, {scope: {}, values: {author: B}}]", PUBLISHED, "A"),
        ("defaults: [{scope: {type: posts}, values: {author: A}}, {scope: {}, values: {author: B}}]", PUBLISHED, "A"),
        ("x: &a {published: false}\ndefaults: [{scope: {}, values: *a}]", DRAFT, None),
        ("defaults: text", PUBLISHED, None),
        ("defaults: [text, {scope: text, values: {author: A}}, {scope: {}}]", PUBLISHED, "A"),
        ("collections: {posts: {output: false}}", DRAFT, None),
        ("limit_posts: 5", DRAFT, None),
        ("show_drafts: true\nunpublished: true\nfuture: true", PUBLISHED, None),
    ],
)
def test_the_configuration_of_jekyll_gives_values(
    tmp_path: Path, config: str, status: SourceStatus, author: str | None
) -> None:
    post = post_in(tmp_path, "_posts/2024-01-02-a.md", {"_config.yml": config})

    assert (post.status, post.author) == (status, author)


@requirement("import.markdown.inherited", "import.markdown.urls")
def test_defaults_of_jekyll_give_url_category_and_author(tmp_path: Path) -> None:
    config = (
        "defaults:\n- scope: {path: '', type: posts}\n"
        "  values: {author: Ann, permalink: '/blog/:year/:title/', category: news, tags: [x]}\n"
    )

    post = post_in(tmp_path, "_posts/2014-07-15-a.md", {"_config.yml": config}, "---\ntitle: A\n---\n")

    assert (post.url, post.author, post.category) == ("https://old.example/blog/2014/a/", "Ann", "news")
    assert (post.tags, losses_of(post)) == (("x",), [])


@requirement("import.markdown.others")
@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"_config.yml": "exclude: [_posts/private]"}, "_posts/private/2024-01-02-a.md"),
        ({"_config.yml": "exclude: ['*private*']"}, "_posts/private/2024-01-02-a.md"),
        ({"_config.yml": "exclude: [blog/]"}, "blog/_posts/2024-01-02-a.md"),
        ({"hugo.toml": "ignoreFiles = ['private/', 'x']"}, "content/private/a.md"),
        ({"hugo.toml": "ignoreFiles = '\\.md$'"}, "content/posts/a.md"),
        ({"hugo.toml": "", "content/posts/b/index.md": PLAIN}, "content/posts/b/a.md"),
        ({"hugo.toml": "", "content/index.md": PLAIN}, "content/posts/b/a.md"),
        (
            {"hugo.toml": "[[module.mounts]]\nsource = 'content/x'\ntarget = 'content'\n", "content/x/p/c.md": PLAIN},
            "content/posts/b/a.md",
        ),
        ({"pelicanconf.py": "ARTICLE_PATHS = ['blog']"}, "content/private/a.md"),
        ({"hugo.toml": "", "content/posts/b/index.fr.md": PLAIN}, "content/posts/b/deep/a.md"),
        ({"hugo.toml": "", "content/posts/index.html": PLAIN}, "content/posts/b/index.md"),
        ({"eleventy.config.js": "c.ignores.add('posts/**')"}, "posts/a.md"),
        ({"eleventy.config.js": "", ".eleventyignore": "posts\n"}, "posts/a.md"),
        ({"eleventy.config.js": "", ".gitignore": "# x\n*.log\n/posts/*.md\n"}, "posts/a.md"),
        ({"astro.config.mjs": ""}, "src/content/blog/_a.md"),
        ({"astro.config.mjs": ""}, "src/content/_blog/a.md"),
        ({"pelicanconf.py": "ARTICLE_EXCLUDES = ['private']"}, "content/private/a.md"),
        ({"pelicanconf.py": "IGNORE_FILES = ['secret*']"}, "content/x/secret-a.md"),
    ],
)
def test_what_the_program_does_not_read_is_listed(tmp_path: Path, files: dict[str, str], name: str) -> None:
    for place, text in {**files, name: PLAIN}.items():
        write_file(tmp_path / place, text)

    (listed,) = [item for item in read(tmp_path) if isinstance(item, Omitted) and name.endswith(item.where)]

    assert listed.what in {"file that the configuration leaves out", "part of other pages"}


@requirement("import.markdown.status")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("_posts/idea.md", "Its name in _posts does not begin with a date"),
        ("_posts/drafts/idea.md", "Its name in _posts does not begin with a date"),
        ("_posts/_private/2024-01-02-a.md", "Jekyll does not read names that begin with _"),
        ("_posts/~2024-01-02-a.md", "Jekyll does not read names that begin with ~"),
        ("_secret/_posts/2024-01-02-a.md", "Jekyll does not read names that begin with _"),
        ("a/#b/_posts/2024-01-02-a.md", "Jekyll does not read names that begin with #"),
        ("_posts/_posts/2024-01-02-a.md", "Jekyll does not read names that begin with _"),
    ],
)
def test_names_that_jekyll_does_not_read_make_drafts(tmp_path: Path, name: str, message: str) -> None:
    post = post_in(tmp_path, name, {"_config.yml": ""})

    assert (post.status, withheld(post)[0]) == (DRAFT, f"{message}: now a draft.")


ELEVENTY = {"eleventy.config.js": "export default {}"}


@requirement("import.markdown.inherited", "import.markdown.scripts")
@pytest.mark.parametrize(
    ("files", "status", "named"),
    [
        ({"posts/posts.11tydata.js": "export default { draft: true };"}, DRAFT, None),
        ({"posts/posts.11tydata.cjs": "module.exports = { published: false };"}, DRAFT, None),
        ({"posts/posts.11tydata.mjs": "export default { permalink: false };"}, DRAFT, None),
        ({"posts/posts.11tydata.js": "export default { eleventyExcludeFromCollections: true };"}, DRAFT, None),
        ({"posts/posts.11tydata.js": "export default { draft: !0 };"}, DRAFT, None),
        ({"posts/posts.11tydata.js": "export default { draft: process.env.X };"}, DRAFT, "draft"),
        ({"posts/posts.11tydata.js": "export default { permalink: (d) => false };"}, DRAFT, "permalink"),
        ({"posts/posts.11tydata.js": "export default { permalink() { return false; } };"}, DRAFT, "permalink"),
        (
            {"posts/posts.11tydata.js": "export default { eleventyComputed: require('./x') };"},
            DRAFT,
            "eleventyComputed",
        ),
        ({"posts/posts.11tydata.js": "export default { eleventyComputed: { draft: (d) => true } };"}, DRAFT, "draft"),
        ({"posts/posts.11tydata.js": "const draft = a && b; export default { draft };"}, DRAFT, "draft"),
        ({"posts/posts.11tydata.js": "export default { a: /x/, draft: true };"}, DRAFT, "draft"),
        ({"posts/posts.11tydata.js": "export default { draft: false, tags: ['x'] };"}, PUBLISHED, None),
        ({"posts/posts.11tydata.js": "// draft: true\nexport default { tags: ['x'] };"}, PUBLISHED, None),
        ({"posts/posts.11tydata.js": "export default { title: 'a draft: true' };"}, PUBLISHED, None),
        ({"posts/posts.11tydata.js": "export default { a: (d) => d.b ? 1 : 2 };"}, PUBLISHED, None),
        ({"posts/posts.11tydata.js": b"\xff draft".decode("latin-1")}, DRAFT, "draft"),
        ({"posts/posts.11tydata.json": '{"draft": true}'}, DRAFT, None),
        ({"posts/posts.json": '{"permalink": false}'}, DRAFT, None),
        ({"posts/posts.json": '{"draft": tru'}, DRAFT, "posts/posts.json cannot be read"),
        ({"posts/posts.json": '{"layout": tru'}, PUBLISHED, None),
        ({"posts/posts.yaml": "draft: true"}, DRAFT, None),
        ({"posts/a.11tydata.json": '{"draft": true}'}, DRAFT, None),
        ({"posts/a.json": '{"draft": true}'}, DRAFT, None),
        ({"posts/a.11tydata.js": "export default { draft: x() };"}, DRAFT, "posts/a.11tydata.js"),
        ({"_data/draft.json": "true"}, DRAFT, None),
        (
            {"_data/eleventyComputed.js": "export default { permalink: (d) => d.x };"},
            DRAFT,
            "_data/eleventyComputed.js",
        ),
        ({"_data/eleventyComputed.js": "export default { title: (d) => d.x };"}, PUBLISHED, None),
        ({"_data/eleventyDataSchema.js": "export default (d) => z({ draft: z.boolean() });"}, PUBLISHED, None),
        ({"_includes/x.njk": "---\npermalink: false\n---\n", "posts/posts.json": '{"layout": "x.njk"}'}, DRAFT, None),
        ({"_includes/x.njk": "", "posts/posts.json": '{"layout": "x.njk"}'}, PUBLISHED, None),
        ({"posts/posts.json": '{"eleventyComputed": {"draft": "{{ x }}"}}'}, DRAFT, "eleventyComputed"),
        ({"posts/posts.json": '{"permalink": {"build": false}}'}, DRAFT, None),
        ({"eleventy.config.js": "c.addGlobalData('draft', true)"}, DRAFT, None),
        ({"eleventy.config.js": "c.addGlobalData('draft', () => true)"}, DRAFT, "draft"),
        ({"eleventy.config.js": "c.addPreprocessor('d', '*', (data) => !data.draft)"}, PUBLISHED, None),
        ({"eleventy.config.js": "c.addPreprocessor('d', '*', (data) => data.state != 'wip')"}, DRAFT, "state"),
        (
            {"eleventy.config.js": "c.addX((data) => data.y); c.addPreprocessor('d', '*', (data) => !data.draft)"},
            PUBLISHED,
            None,
        ),
        (
            {"eleventy.config.js": "const f = (data) => data.y; c.addPreprocessor('d', '*', (data) => f(data))"},
            DRAFT,
            "y",
        ),
        ({"eleventy.config.js": "const g = (data) => data.y; c.addPreprocessor('d', '*', g)"}, DRAFT, "y"),
        (
            {"eleventy.config.js": "c.addGlobalData('eleventyComputed.permalink', () => (data) => data.wip)"},
            DRAFT,
            "wip",
        ),
        ({"eleventy.config.js": "// c.addGlobalData('draft', true)"}, PUBLISHED, None),
        ({"eleventy.config.js": "", ".eleventyignore": "x" * 2_000_000}, DRAFT, ".eleventyignore cannot be read"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_data_files_of_eleventy_hide_posts(
    tmp_path: Path, files: dict[str, str], status: SourceStatus, named: str | None
) -> None:
    post = post_in(tmp_path, "posts/a.md", {**ELEVENTY, **files})

    assert post.status is status
    if named:
        assert any(named in message and message.endswith(": now a draft.") for message in withheld(post))


@requirement("import.markdown.scripts")
def test_the_loss_names_the_file_and_the_value(tmp_path: Path) -> None:
    data = {"posts/deep/deep.11tydata.js": "export default { draft: isDraft(), author: 'Ann', permalink: f };"}

    post = post_in(tmp_path, "posts/deep/a.md", {**ELEVENTY, **data})

    assert (post.status, post.author) == (DRAFT, "Ann")
    assert withheld(post) == ["posts/deep/deep.11tydata.js works out draft, permalink, and is not run: now a draft."]


@requirement("import.markdown.inherited")
@pytest.mark.parametrize("name", ["package.json", "posts/posts.11tydata.js"])
def test_eleventy_needs_no_configuration(tmp_path: Path, name: str) -> None:
    data = {"posts/posts.11tydata.js": "export default { draft: true };"}
    package = {"package.json": '{"devDependencies": {"@11ty/eleventy": "^3.0.0"}}'} if name == "package.json" else {}

    assert post_in(tmp_path, "posts/a.md", data | package).status is DRAFT


@requirement("import.markdown.formats", "import.markdown.status")
@pytest.mark.parametrize(
    "content",
    [
        "---js\n{ title: 'A', date: '2024-01-02', draft: true }\n---\n",
        "---js\n{ title: 'A', draft: f() }\n---\n",
        '---json\n{"title": "A", "draft": true}\n---\n',
        "---toml\ntitle = 'A'\ndraft = true\n---\n",
        "---yaml\ntitle: A\ndraft: true\n---\n",
        "\n\n---\ntitle: A\ndraft: true\n---\n",
        " \t---\ntitle: A\ndraft: true\n---\n",
        "\n+++\ntitle = 'A'\ndraft = true\n+++\n",
        '\n {"title": "A", "draft": true}\n',
        "---\ntitle: A\ndraft: true\n...\n",
        "---\ntitle: A\ndraft: true\nDraft: false\n---\n",
        "---\ntitle: A\nDRAFT: true\n---\n",
        "Date: 2024-01-02\nDraft: true\nTitle: A\n\nText.\n",
        "<!--\n.. title: A\n.. status: draft\n-->\n\nText.\n",
        "<!--\n.. title: A\n.. date: 2024-01-02\n.. status: private\n-->\n\nText.\n",
        ".. title: A\n.. status: private\n\nText.\n",
        "---\ntitle: A\npublish: false\n---\n",
        "---\ntitle: A\nvisibility: private\n---\n",
        "---\ntitle: A\nisDraft: true\n---\n",
    ],
)
def test_no_form_of_front_matter_hides_what_it_says(tmp_path: Path, content: str) -> None:
    post = read_post(tmp_path, content)

    assert (post.title, post.status) == ("A", DRAFT)


@requirement("import.markdown.formats", "import.markdown.status")
def test_front_matter_of_javascript_can_be_declarations(tmp_path: Path) -> None:
    post = read_post(tmp_path, "---js\nconst draft = true;\n---\nText.\n", name="posts/2024-01-02-a.md")

    assert (post.status, post.body) == (DRAFT, "Text.\n")


@requirement("import.markdown.formats")
def test_a_meta_file_of_nikola_is_front_matter(tmp_path: Path) -> None:
    write_file(tmp_path / "posts" / "a.meta", ".. title: From beside\n.. status: private\n.. date: 2024-01-02\n")

    post = read_post(tmp_path, "Only text.\n", name="posts/a.md")

    assert (post.title, post.status, withheld(post)) == ("From beside", DRAFT, ["Its status was private: now a draft."])


@requirement("import.markdown.status", "import.markdown.dates")
@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["published: 2199-01-01"], SCHEDULED),
        (["pubDate: 2199-01-01"], SCHEDULED),
        (["published: 2023-01-01"], PUBLISHED),
        (["publishDate: 2023-01-01"], PUBLISHED),
        (["publishDate: some day"], DRAFT),
        (["expiryDate: some day"], DRAFT),
        (["pubDate: some day"], PUBLISHED),
        (["pubDate: some day in 2199"], DRAFT),
        (["lastmod: some day in 2199"], PUBLISHED),
        (["date: 2199-07-16 23:29 ZZZ"], DRAFT),
        (["date: 2014-07-16 23:29 ZZZ"], PUBLISHED),
        (["date: 4070908800"], SCHEDULED),
        (["date: 1704153600"], PUBLISHED),
        (["date: 20990102"], SCHEDULED),
        (["date: 20240102"], PUBLISHED),
        (["expiryDate: 1546300800"], DRAFT),
        (["expiryDate: 20990102"], DRAFT),
        (["expiryDate: 2019"], DRAFT),
        (["expiryDate: 4070908800"], PUBLISHED),
    ],
)
def test_a_time_to_come_is_no_publication(tmp_path: Path, lines: list[str], status: SourceStatus) -> None:
    assert read_post(tmp_path, post_with(*lines)).status is status


@requirement("import.markdown.parts")
@pytest.mark.parametrize(
    ("files", "source", "status"),
    [
        ({"hugo.toml": "[cascade]\ndraft = true\n"}, "content", DRAFT),
        ({"hugo.toml": "[cascade]\ndraft = true\n"}, "content/posts", DRAFT),
        ({"hugo.toml": "", "content/_index.md": "---\ncascade: {draft: true}\n---\n"}, "content/posts", DRAFT),
        ({"hugo.toml": "", "content/_index.md": "---\ntitle: Home\n---\n"}, "content/posts", PUBLISHED),
        ({"hugo.toml": "[cascade]\nauthor = 'Ann'\n"}, "content/posts", PUBLISHED),
        ({"_config.yml": "defaults: [{values: {published: false}}]"}, "content/posts", DRAFT),
        (
            {"eleventy.config.js": "", "content/content.11tydata.js": "export default {draft: 1}"},
            "content/posts",
            DRAFT,
        ),
    ],
)
def test_a_part_of_a_site_is_hidden_by_what_is_above_it(
    tmp_path: Path, files: dict[str, str], source: str, status: SourceStatus
) -> None:
    for place, text in {**files, "content/posts/a.md": PLAIN}.items():
        write_file(tmp_path / place, text)

    (post,) = [item for item in read(tmp_path / source) if isinstance(item, SourcePost)]

    assert post.status is status
    assert ["only a part of it" in message for message in withheld(post)] == [True] * (status is DRAFT)


@requirement("import.markdown.inherited", "import.markdown.status")
@pytest.mark.parametrize(
    ("config", "line", "status", "author"),
    [
        ("DEFAULT_METADATA = {'status': 'draft', 'author': 'Ann'}", "tags: x", DRAFT, "Ann"),
        ("DEFAULT_METADATA = {'status': 'draft'}", "status: published", PUBLISHED, None),
        ("DEFAULT_METADATA = {'status': 'hidden'}", "tags: x", DRAFT, None),
        ("DEFAULT_METADATA = dict(status='draft')", "tags: x", DRAFT, None),
        ("DEFAULT_METADATA = {}\nDEFAULT_METADATA['status'] = 'draft'", "tags: x", DRAFT, None),
        ("if True:\n    DEFAULT_METADATA = {'status': 'draft'}", "tags: x", DRAFT, None),
        ("EXTRA_PATH_METADATA = {'posts/a.md': {'status': 'draft'}}", "tags: x", DRAFT, None),
        ("EXTRA_PATH_METADATA = {'posts': {'status': 'draft'}}", "tags: x", DRAFT, None),
        ("EXTRA_PATH_METADATA = {'post': {'status': 'draft'}}", "tags: x", PUBLISHED, None),
        ("PATH_METADATA = '(?P<status>draft|published)/.*'", "tags: x", DRAFT, None),
        ("AUTHOR = 'Ann'", "status: review", DRAFT, "Ann"),
        ("AUTHOR = 'Ann'", "status: hidden", DRAFT, "Ann"),
        ("AUTHOR = 'Ann'", "status: Published", PUBLISHED, "Ann"),
    ],
)
def test_the_configuration_of_pelican_gives_values(
    tmp_path: Path, config: str, line: str, status: SourceStatus, author: str | None
) -> None:
    post = post_in(tmp_path, "content/posts/a.md", {"pelicanconf.py": config}, post_with(line))

    assert (post.status, post.author) == (status, author)


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    ("files", "name", "guess"),
    [
        ({"hugo.toml": ""}, "content/posts/a.md", ""),
        ({"hugo.toml": "permalinks = 'x'"}, "content/posts/a.md", "permalinks of the configuration is not understood"),
        (
            {"hugo.toml": "defaultContentLanguageInSubdirOnlyForSingle = true"},
            "content/posts/a.md",
            "defaultcontentlanguageinsubdironlyforsingle of the configuration is not read",
        ),
        ({"_config.yml": ""}, "_posts/2024-01-02-a.md", ""),
        ({"eleventy.config.js": ""}, "posts/a.md", ""),
        ({"astro.config.mjs": ""}, "src/content/blog/a.md", "the routes of Astro are programs, which are not run"),
        ({"astro.config.mjs": ""}, "src/pages/blog/a.md", ""),
        ({"pelicanconf.py": "ARTICLE_URL = f(1)"}, "content/a.md", "ARTICLE_URL of the configuration is not read"),
        ({}, "posts/a.md", "no configuration of a program was found"),
    ],
)
def test_a_url_that_had_to_be_guessed_says_so(tmp_path: Path, files: dict[str, str], name: str, guess: str) -> None:
    for place, text in {**files, name: PLAIN}.items():
        write_file(tmp_path / place, text)

    (post,) = [item for item in read(tmp_path) if isinstance(item, SourcePost)]

    assert (post.url is not None, post.url_guess) == (True, guess)


@requirement("import.markdown.urls")
def test_a_url_of_the_front_matter_is_no_guess(tmp_path: Path) -> None:
    assert read_post(tmp_path, post_with("permalink: /x/")).url_guess == ""


@requirement("import.markdown.scripts")
@pytest.mark.parametrize(
    ("text", "values", "unknown"),
    [
        (
            "module.exports = { a: 1, 'b': \"x\", c: [true, null], d: { e: -1.5 }, };",
            {"a": 1, "b": "x", "c": [True, None], "d": {"e": -1.5}},
            set(),
        ),
        ("export default () => ({ author: `Ann` });", {"author": "Ann"}, set()),
        ("export default async function data() { return { draft: true }; }", {"draft": True}, set()),
        ("import a from 'a';\nexport default { author: 'Ann', x: a };", {"author": "Ann"}, set()),
        ("export default { ['draft']: true };", {"draft": True}, set()),
        ("export default { 'dr\\u0061ft': true };", {"draft": True}, set()),
        ("export default { get draft() { return true; } };", {}, {"draft"}),
        ("export default { draft: true || false };", {}, {"draft"}),
        ("if (x) { module.exports = { draft: false }; }", {}, {"draft"}),
        ("module.exports = { a: 1 }; module.exports.draft = true;", {"draft": True}, set()),
        ("const d = { draft: true }; d.draft = false; export default d;", {}, {"draft"}),
        ("export const published = false;", {"published": False}, set()),
        ("export default { x: `${`a`}`, b: 'draft' };", {}, {"draft"}),
        ("export default { x: `${a}`, b: 'draft' };", {"b": "draft"}, set()),
        ("export default { ...base };", {}, set()),
        ("let eleventyComputed = { title: (data) => data.a || data.b };", {}, set()),
        ("let eleventyComputed = { draft: (data) => data.a || data.b };", {}, {"draft"}),
        ("let eleventyComputed = { title: (data) => `${data.a}` };", {}, set()),
        ("let eleventyComputed = f(`${a}`);", {}, {"eleventycomputed"}),
        ("let eleventyComputed = f(a);", {}, {"eleventycomputed"}),
        ("export default { nav: { draft: true } };", {"nav": {"draft": True}}, set()),
        ("export default { " + "a: { " * 100, {}, set()),
        ("", {}, set()),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_script_gives_its_plain_values(text: str, values: dict[str, object], unknown: set[str]) -> None:
    assert read_script(text) == ScriptValues(values, frozenset(unknown))


@requirement("import.markdown.scripts")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("data.draft", {"draft"}),
        ("private folder of the public", set()),
        ("'private': x", {"private"}),
        ("status = 1", {"status"}),
        ("redrafted, draft-like", set()),
        ("dr\\x61ft", {"draft"}),
    ],
)
def test_names_that_hide_are_found_in_any_text(text: str, names: set[str]) -> None:
    assert names_hiding(text) == names


@requirement("import.markdown.scripts", "import.markdown.urls")
@pytest.mark.parametrize(
    ("function", "url"),
    [
        ("function({ page }) {\n return `/web/${ page.fileSlug }/`;\n}", "/web/a/"),
        ("({page}) => `/web/${page.fileSlug}/index.html`", "/web/a/"),
        ("data => `${data.page.filePathStem}.html`", "/posts/a.html"),
        ("(data) => { return `/web/${data.page.fileSlug}/` }", "/web/a/"),
        ("(data) => data.wip ? false : `/web/${data.page.fileSlug}/`", None),
        ("(data) => `/web/${data.name}/`", None),
    ],
)
@pytest.mark.parametrize(
    "where",
    [
        "{{ tags: ['x'], permalink: {}, eleventyComputed: {{ card: (d) => `/c/${{d.name}}.png` }} }}",
        "{{ eleventyComputed: {{ permalink: {} }} }}",
    ],
)
def test_functions_that_only_put_a_name_in_a_url_are_read(
    tmp_path: Path, where: str, function: str, url: str | None
) -> None:
    script = f"export default {where.format(function)};"

    post = post_in(tmp_path, "posts/a.md", {**ELEVENTY, "posts/posts.11tydata.js": script})

    assert post.status is (PUBLISHED if url else DRAFT)
    if url:
        assert post.url == f"https://old.example{url}"
