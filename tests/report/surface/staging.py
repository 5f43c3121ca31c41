"""Pages of this app that somebody has spoilt, for a site to answer with."""

from blog_engine.fetching import Fetched
from tests.report.surface.inspecting import BASE, answer, site


def spoilt(path: str, *changes: tuple[str, str], **headers: str) -> Fetched:
    """What the path answers after these texts were replaced, of which each must occur."""
    page = site().open(path)
    text = page.text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return answer(text, url=BASE + path, status=page.status or 0, **headers)
