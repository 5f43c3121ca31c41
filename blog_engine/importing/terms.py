"""What a source has about authors, series and lists, taken over once their posts are stored."""

from datetime import datetime

from blog_engine.errors import Refusal
from blog_engine.importing.old_blog import OldBlog
from blog_engine.importing.plan import path_of_list, stored_term
from blog_engine.importing.source import SourceTerm
from blog_engine.importing.writing import IMPORTER
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SaveRedirect, UpdateAuthor, UpdateSeries
from blog_engine.models import Author, Series
from blog_engine.queries.redirects import redirect_at
from blog_engine.services import add_redirect, update_author, update_series


def take_over(term: SourceTerm, old: OldBlog, *, now: datetime) -> str | None:
    """Describe a stored author or series that has no description yet, and redirect the list of a term.

    Returns the path that redirects to the list, if there is one. What a service refuses is left out.
    """
    row = stored_term(term)
    if row is None:
        return None
    text = term.description.strip()
    try:
        if isinstance(row, Author) and text and not row.bio.strip():
            update_author(parse(UpdateAuthor, {"id": row.pk, "bio": text}), actor=IMPORTER, now=now)
        elif isinstance(row, Series) and text and not row.description.strip():
            update_series(parse(UpdateSeries, {"id": row.pk, "description": text}), actor=IMPORTER, now=now)
        return _redirect_list(term, old, now=now)
    except Refusal as refusal:
        if refusal.is_our_own_fault:
            raise
        return None


def _redirect_list(term: SourceTerm, old: OldBlog, *, now: datetime) -> str | None:
    path = path_of_list(term)
    old_path = old.redirect_path(term.url) if term.url else None
    if path is None or old_path is None or old_path.rstrip("/") == path:
        return None
    stored = redirect_at(old_path)
    if stored is not None:
        return old_path if stored.new_path == path else None
    add_redirect(parse(SaveRedirect, {"old_path": old_path, "new_path": path}), actor=IMPORTER, now=now)
    return old_path
