"""Checks of what stands on the page of an article."""

from functools import wraps

from blog_engine.report.surface.inspection import Article, ArticleCheck, Inspection
from blog_engine.report.surface.observation import Observation


def of_open_page(check: ArticleCheck) -> ArticleCheck:
    """The check, made only when the page is open; otherwise the observation is that it is not."""

    @wraps(check)
    def check_if_open(article: Article, inspection: Inspection) -> Observation:
        if not article.page.is_open:
            return article.page.unavailable("The article page")
        return check(article, inspection)

    return check_if_open
