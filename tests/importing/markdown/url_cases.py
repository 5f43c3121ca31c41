"""Sites of Hugo and Jekyll with the paths of their pages, which the real programs made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

HUGO_LAYOUTS: Final = {
    "layouts/_default/single.html": "<main>{{ .Title }}</main>",
    "layouts/_default/list.html": "A list.",
}
JEKYLL_LAYOUTS: Final = {"_layouts/post.html": "<main>{{ page.title }}</main>"}


@dataclass(frozen=True)
class UrlCase:
    """A site, and the path of the page of each of its files."""

    program: str
    name: str
    configuration: Mapping[str, str]
    """The files of the configuration, and others that are no posts."""
    paths: Mapping[str, str]
    """By the file: its path below the folder of contents."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Further lines of the front matter of a file."""

    def files(self) -> dict[str, str]:
        """Return all files of the site."""
        folder = "content/" if self.program == "hugo" else ""
        layouts = HUGO_LAYOUTS if self.program == "hugo" else JEKYLL_LAYOUTS
        names = {name if name.startswith("content/") or not folder else f"{folder}{name}": name for name in self.paths}
        return {**layouts, **self.configuration, **{place: self._text(name) for place, name in names.items()}}

    def _text(self, name: str) -> str:
        return self.lines.get(name, "---\nlayout: post\ntitle: My Title\ndate: 2024-01-02\n---\n") + "Text.\n"


def _with(*lines: str) -> str:
    return "\n".join(["---", "layout: post", *lines, "---", ""])


_TITLES: Final = {
    "X: y / z? (a) & b": "x-y-z-a-b",
    "C++ & C#": "c-c",
    "a + b": "a--b",
    "a#b": "a#b",
    "a -- b - c": "a--b-c",
    "100%25 sure": "100-sure",
    " 😀 Emoji \N{EN DASH} end ": "emoji-end",
    "Grüße, é.g. this_one~": "grüße-é.g.-this_one~",
    "日本語 テスト": "日本語-テスト",
}
_NAMES: Final = {
    "posts/My Post.md": "/posts/my-post/",
    "posts/a - b.md": "/posts/a---b/",
    "posts/C++ & C#.md": "/posts/c++--c#/",
    "posts/a.b_c,d.md": "/posts/a.b_cd/",
    "posts/Größe É.md": "/posts/größe-é/",
    "posts/Sub Folder - x/index.md": "/posts/sub-folder---x/",
    "posts/slug.md": "/posts/upper-slug/",
    "posts/spaced.md": "/posts/a-b/",
    "posts/url.md": "/Abc/my-title/",
    "posts/relative.md": "/rel/x",
}
_SLUGS: Final = {
    "posts/slug.md": _with("title: A", "slug: UPPER Slug!"),
    "posts/spaced.md": _with("title: A", "slug: '-a  - b-'"),
    "posts/url.md": _with("title: My Title", "url: /Abc/:slug/"),
    "posts/relative.md": _with("title: My Title", "url: rel/x"),
}
_HOME: Final = "baseURL = 'https://old.example/'\n"
_TWO: Final = "[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n"


def _hugo(name: str, text: str, lines: Mapping[str, str] | None = None, /, **paths: str) -> UrlCase:
    """Return a site of ``posts/a.md``, ``posts/sub/b.md`` and ``notes/c.md``."""
    keys = {"a": "posts/a.md", "b": "posts/sub/b.md", "c": "notes/c.md", "f": "posts/a.fr.md"}
    found = {keys[key]: path for key, path in paths.items()}
    return UrlCase("hugo", name, {"hugo.toml": _HOME + text}, found, lines or {})


HUGO_CASES: Final = (
    UrlCase("hugo", "names", {"hugo.toml": _HOME}, _NAMES, _SLUGS),
    UrlCase(
        "hugo",
        "titles",
        {"hugo.toml": f"{_HOME}[permalinks]\nposts = '/:title/'\n"},
        {f"posts/t{number}.md": f"/{path}/" for number, path in enumerate(_TITLES.values())},
        {f"posts/t{number}.md": _with(f"title: '{title}'") for number, title in enumerate(_TITLES)},
    ),
    UrlCase(
        "hugo",
        "capital letters",
        {"hugo.toml": f"{_HOME}disablePathToLower = true\n"},
        {"Posts/My Post.md": "/Posts/My-Post/", "Posts/b.md": "/Posts/UPPER/"},
        {"Posts/b.md": _with("title: A", "slug: UPPER")},
    ),
    UrlCase(
        "hugo",
        "accents",
        {"hugo.toml": f"{_HOME}removePathAccents = true\n"},
        {"posts/Größe É.md": "/posts/große-e/"},
    ),
    _hugo("by section", "[permalinks]\nposts = '/:year/:month/:slug'\n", a="/2024/01/my-title/", c="/notes/c/"),
    _hugo(
        "by kind", "[permalinks.page]\nposts = '/:year/:slug'\n[permalinks.section]\nposts='/x'\n", a="/2024/my-title/"
    ),
    _hugo(
        "by folder",
        "[permalinks]\nNotes = '/n/:contentbasename/'\n'posts/sub' = '/q/:contentbasename/'\n",
        a="/posts/a/",
        b="/q/b/",
        c="/n/c/",
    ),
    _hugo("sections", "[permalinks]\nposts = '/:sections/:contentbasename'\n", a="/posts/a/", b="/posts/b/"),
    _hugo("slices", "[permalinks]\nposts = '/x/:sections[last]/:sections[1:]/:filename'\n", a="/x/posts/a/"),
    _hugo("layouts of Go", "[permalinks]\nposts = '/:2006/:01/:Jan/:contentbasename'\n", a="/2024/01/jan/a/"),
    _hugo(
        "days", "[permalinks]\nposts = '/:weekdayname/:yearday/:monthname/:slug'\n", a="/tuesday/2/january/my-title/"
    ),
    _hugo("ending", "[permalinks]\nposts = '/P/:contentbasename.html'\n", a="/p/a.html/"),
    _hugo(
        "with targets",
        f"{_TWO}[[permalinks]]\npattern = '/one/:contentbasename/'\ntarget = {{path = '/posts/sub/**'}}\n"
        "[[permalinks]]\npattern = '/dev/:slug/'\ntarget = {environment = 'development'}\n"
        "[[permalinks]]\npattern = '/two/:contentbasename/'\n[permalinks.target.sites.matrix]\nlanguages = ['fr']\n"
        "[[permalinks]]\npattern = '/three/:contentbasename/'\ntarget = {kind = 'page'}\n",
        a="/three/a/",
        b="/one/b/",
        c="/three/c/",
        f="/fr/two/a/",
    ),
    _hugo("ugly", "uglyURLs = true\n", a="/posts/a.html", c="/notes/c.html"),
    _hugo("ugly by section", "[uglyURLs]\nposts = true\n", a="/posts/a.html", b="/posts/sub/b.html", c="/notes/c/"),
    _hugo("below the language", f"defaultContentLanguageInSubdir = true\n{_TWO}", a="/en/posts/a/", f="/fr/posts/a/"),
    _hugo(
        "of a language",
        f"[permalinks]\nposts = '/p/:contentbasename'\nnotes = '/n/:contentbasename'\n{_TWO}"
        "[languages.fr.permalinks]\nposts = '/f/:contentbasename'\n",
        a="/p/a/",
        c="/n/c/",
        f="/fr/f/a/",
    ),
    _hugo("another main language", "defaultContentLanguage = 'fr'\n[languages.fr]\nweight = 1\n", f="/posts/a/"),
    _hugo("language that is not configured", "", a="/posts/a/", f="/posts/a.fr/"),
    UrlCase(
        "hugo",
        "sections with a page",
        {
            "hugo.toml": f"{_HOME}[permalinks]\nposts = '/:sectionslugs/:sections/:contentbasename'\n",
            "content/posts/_index.md": "---\ntitle: Posts\nslug: articles\n---\n",
            "content/posts/sub/_index.md": "---\ntitle: Sub\n---\n",
        },
        {"posts/a.md": "/articles/posts/a/", "posts/sub/deep/b.md": "/articles/sub/posts/sub/b/"},
    ),
    UrlCase(
        "hugo",
        "split configuration",
        {
            "config/_default/hugo.toml": _HOME,
            "config/_default/permalinks.toml": "posts = '/:year/:slug/'\n",
            "config/_default/languages.en.toml": "contentDir = 'content/en'\n",
            "config/_default/languages.fr.toml": "contentDir = 'content/fr'\n",
            "config/production/permalinks.toml": "notes = '/n/:slug/'\n",
        },
        {
            "content/en/posts/a.md": "/2024/my-title/",
            "content/en/notes/c.md": "/n/my-title/",
            "content/fr/posts/a.md": "/fr/2024/my-title/",
        },
    ),
    UrlCase(
        "hugo",
        "mounts",
        {
            "hugo.toml": _HOME + _TWO,
            "config/_default/module.toml": "[[mounts]]\nsource = 'content/en'\ntarget = 'content'\n"
            "files = ['! drafts/**']\n"
            "[[mounts]]\nsource = 'content/other/news'\ntarget = 'content/announced'\n"
            "[[mounts]]\nsource = 'content/fr'\ntarget = 'content'\n[mounts.sites.matrix]\nlanguages = ['fr']\n",
            "content/en/drafts/x.md": "---\ntitle: X\n---\n",
            "content/other/x/y.md": "---\ntitle: Y\n---\n",
        },
        {
            "content/en/posts/a.md": "/posts/a/",
            "content/fr/posts/a.md": "/fr/posts/a/",
            "content/other/news/n.md": "/announced/n/",
        },
    ),
)

_JEKYLL: Final = {
    "_posts/2024-01-02-C Space & x.md": "C-Space-&-x",
    "_posts/2024-01-02-slug.md": "My-Slug-x",
    "_posts/2024-01-02-dot.v1.2.md": "dot.v1.2",
    "_posts/2024-01-02-end..md": "end",
    "_posts/2024-01-02-a--b---c-.md": "a-b-c",
    "_posts/2024-01-02-under_score.md": "under_score",
    "_posts/inner/2024-01-02-ünï.md": "ünï",
}
_JEKYLL_SLUGS: Final = {"_posts/2024-01-02-slug.md": _with("title: A", "slug: My Slug/x")}
_CATEGORIES: Final = {
    "_posts/2024-01-02-a.md": _with("title: A"),
    "_posts/2024-01-02-b.md": _with("title: B", "categories: Foo Bar", "category: last one"),
    "Sub Dir/_posts/2024-01-02-c.md": _with("title: C", "categories: [C++]"),
}


def _jekyll(text: str, prefix: str, ending: str) -> UrlCase:
    """Return a site whose pages differ in their last part."""
    paths = {name: f"{prefix}{path}{ending}" for name, path in _JEKYLL.items()}
    return UrlCase("jekyll", text, {"_config.yml": f"url: https://old.example\n{text}\n"}, paths, _JEKYLL_SLUGS)


def _filed(text: str, *paths: str) -> UrlCase:
    configuration = {"_config.yml": f"url: https://old.example\n{text}\n"}
    return UrlCase("jekyll", text, configuration, dict(zip(_CATEGORIES, paths, strict=True)), _CATEGORIES)


_DEFAULTS: Final = """
collections: {news: {output: true, permalink: /n/:title/}, more: {output: true}}
defaults:
- scope: {path: "", type: posts}
  values: {category: cat, categories: [d1], permalink: /:categories/:title/}
- scope: {path: "", type: news}
  values: {permalink: /never/}
"""
_TIMES: Final = {
    "2014-07-16 23:29 UTC": "/2014/07/16/1929/",
    "2014-07-16 23:29:00 EST": "/2014/07/17/0029/",
    "2023-01-29 18:30:22 2023 -0800": "/2023/01/29/1830/",
    "2016-1-29": "/2016/01/29/0000/",
    "2016-01-05 02:00:00": "/2016/01/04/2100/",
    "'2016-01-05 02:00:00'": "/2016/01/05/0200/",
    "2016-01-05 02:00": "/2016/01/05/0200/",
    "2016-01-05 2:00:00": "/2016/01/04/2100/",
    "2016-01-05 02:00:00 +0100": "/2016/01/04/2000/",
    "2014-07-16 23:29:00 CEST": "/2014/07/16/2329/",
    "2014-07-16, 11:29 pm": "/2014/07/16/2329/",
    "2014-07-16 12:05am": "/2014/07/16/0005/",
    "16/07/2014": "/2014/07/16/0000/",
    "2014.07.16": "/2014/07/16/0000/",
    "5th July 2014": "/2014/07/05/0000/",
    "2014 July 5": "/2014/07/05/0000/",
    "July 5, 2014 9:05": "/2014/07/05/0905/",
    "14-07-05": "/2014/07/05/0000/",
    "2014-07-16 23h29": "/2014/07/16/2329/",
    "2014-06-31": "/2014/07/01/0000/",
    "Wed Jul 16 23:29:00 UTC 2014": "/2014/07/16/1929/",
}

JEKYLL_CASES: Final = (
    _jekyll("", "/2024/01/02/", ".html"),
    _jekyll("permalink: pretty", "/2024/01/02/", "/"),
    _jekyll("permalink: ordinal", "/2024/002/", ".html"),
    _jekyll("permalink: weekdate", "/2024/W01/Tue/", ".html"),
    _jekyll("permalink: none", "/", ".html"),
    _jekyll("permalink: x/:title", "/x/", ""),
    _jekyll("permalink: /:year_:month_:title/", "/2024_01_", "/"),
    _jekyll("permalink: /:short_month/:long_day/:w_year-:week-:w_day/:i_day/:title/", "/Jan/Tuesday/2024-01-2/2/", "/"),
    _jekyll("collections: {posts: {permalink: '/c/:title/'}}", "/c/", "/"),
    UrlCase(
        "jekyll",
        "tokens of collections",
        {"_config.yml": "url: https://old.example\npermalink: /:collection/:path/:name/:slug/\n"},
        {"_posts/sub/2024-01-02-A_b.md": "/posts/sub/2024-01-02-A_b/2024-01-02-a-b/a-b/"},
    ),
    _filed("permalink: /:categories/:title/", "/a/", "/foo/bar/last one/b/", "/sub dir/c++/c/"),
    _filed("permalink: /:slugified_categories/:title/", "/a/", "/foo/bar/last-one/b/", "/sub-dir/c/c/"),
    _filed(f"# defaults{_DEFAULTS}", "/d1/cat/a/", "/d1/foo/bar/last one/b/", "/sub dir/d1/c++/cat/c/"),
    UrlCase(
        "jekyll",
        "days past the end of a month",
        {"_config.yml": "url: https://old.example\n"},
        {"_posts/2011-04-31-d.md": "/2011/05/01/d.html", "_posts/2011-02-30-e.md": "/2011/03/02/e.html"},
        dict.fromkeys(("_posts/2011-04-31-d.md", "_posts/2011-02-30-e.md"), _with("title: T")),
    ),
    UrlCase(
        "jekyll",
        "times",
        {
            "_config.yml": "url: https://old.example\ntimezone: America/New_York\n"
            "permalink: /:year/:month/:day/:hour:minute/:title/\n"
        },
        {f"_posts/2000-01-01-t{number}.md": f"{path}t{number}/" for number, path in enumerate(_TIMES.values())},
        {f"_posts/2000-01-01-t{number}.md": _with("title: T", f"date: {date}") for number, date in enumerate(_TIMES)},
    ),
)
