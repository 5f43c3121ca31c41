"""The kinds of page, under the names of their paths in ``contents.make``, and their statuses."""

KINDS = {
    "index": 200,
    "index_2": 200,
    "article": 200,
    "bare_article": 200,
    "category": 200,
    "tag": 200,
    "author": 200,
    "series": 200,
    "search": 200,
    "search_empty": 200,
    "policy": 200,
    "preview": 200,
    "preview_expired": 404,
    "not_found": 404,
    "gone": 410,
}

SHAPES = ["index", "article", "author", "search", "policy", "not_found"]
"""One kind for each way in which pages are laid out: the others have the parts of these."""
