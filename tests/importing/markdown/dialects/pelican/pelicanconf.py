AUTHOR = "Olga Owner"
SITENAME = "Small Boats"
SITEURL = "https://boats.example"
PATH = "content"
TIMEZONE = "UTC"
THEME = "theme"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
DIRECT_TEMPLATES = []
CATEGORY_SAVE_AS = AUTHOR_SAVE_AS = TAG_SAVE_AS = ""
MARKDOWN = {
    "extensions": [
        "markdown.extensions.extra",
        "markdown.extensions.codehilite",
        "markdown.extensions.toc",
        "markdown.extensions.meta",
        "markdown.extensions.admonition",
        "pymdownx.details",
        "pymdownx.tabbed",
        "pymdownx.tilde",
        "pymdownx.caret",
        "pymdownx.keys",
    ],
    "extension_configs": {"markdown.extensions.codehilite": {"css_class": "highlight"}, "pymdownx.tabbed": {}},
}
