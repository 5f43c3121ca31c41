BLOG_AUTHOR = "Olga Owner"
BLOG_TITLE = "Boats"
BLOG_EMAIL = "olga@boats.example"
BLOG_DESCRIPTION = "On boats."
SITE_URL = "https://boats.example/"
DEFAULT_LANG = "en"
TRANSLATIONS = {DEFAULT_LANG: "", "de": "./de"}
POSTS = (
    ("posts/*.rst", {"en": "log", "de": "logbuch"}, "post.tmpl"),
    ("posts/*.md", "blog", "post.tmpl"),
)
PAGES = (("pages/*.md", "", "page.tmpl"),)
TIMEZONE = "Europe/Berlin"
THEME = "base"
COMPILERS = {"rest": [".rst"], "markdown": [".md"]}
USE_TAG_METADATA = True
WARN_ABOUT_TAG_METADATA = False
CATEGORY_PATH = "kinds"
MARKDOWN_EXTENSIONS = ["markdown.extensions.extra"]
