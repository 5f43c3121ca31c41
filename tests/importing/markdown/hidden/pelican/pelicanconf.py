SITENAME = "Boats"
SITEURL = "https://boats.example"
TIMEZONE = "UTC"
PATH = "content"
AUTHOR = "Olga Owner"
DEFAULT_METADATA = {"status": "draft", "author": "Ann Author"}
EXTRA_PATH_METADATA = {
    "posts/by-path.md": {"status": "published"},
    "posts/folder": {"status": "published"},
    "posts/hidden-by-path.md": {"status": "hidden"},
}
ARTICLE_PATHS = ["posts"]
ARTICLE_EXCLUDES = ["posts/excluded"]
IGNORE_FILES = ["secret*"]
THEME = "theme"
FEED_ALL_ATOM = None
CATEGORY_FEED_ATOM = None
TRANSLATION_FEED_ATOM = None
AUTHOR_FEED_ATOM = None
AUTHOR_FEED_RSS = None
DIRECT_TEMPLATES = ()
