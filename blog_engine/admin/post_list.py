"""The list of posts: Django's list with the engine's search, cheap pages and an order that an index has."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ORDER_VAR, PAGE_VAR, ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from blog_engine.admin.base import DeskAdmin
from blog_engine.admin.list_filters import LabelFilter, PostListFilter, RelatedNameFilter, WordsFilter
from blog_engine.admin.post_rows import PostRow, RowMaker
from blog_engine.enums import PostStatus
from blog_engine.models import Post
from blog_engine.queries.checked import posts_to_check
from blog_engine.queries.compiled import among
from blog_engine.queries.desk_lists import MOST_LISTED, NEWEST, ListContext, list_context, listed_page, number_listed
from blog_engine.queries.search import MOST_FOUND, is_searchable, matches_in_texts

Order = tuple[str, ...]

_ORDERS: Final[dict[str, tuple[Order, Promise]]] = {
    "-created": (NEWEST, _("Newest first")),
    "created": (("created_at", "id"), _("Oldest first")),
}
_ORDERS_OF_A_STATE: Final[dict[str, tuple[Order, Promise]]] = {
    "title": (("title", "id"), _("Title, A to Z")),
    "-title": (("-title", "-id"), _("Title, Z to A")),
}
_ORDERS_OF_PUBLIC_POSTS: Final[dict[str, tuple[Order, Promise]]] = {
    "-published": (("-listed_at", "-id"), _("Published last")),
    "published": (("listed_at", "id"), _("Published first")),
}
"""Only orders that an index of the post has, by what is chosen beside them."""


_TABS: Final[tuple[tuple[Promise, dict[str, str]], ...]] = (
    (_("All posts"), {}),
    (pgettext_lazy("posts", "Mine"), {"mine": "yes"}),
    (_("Drafts"), {"status": "draft"}),
    (_("Need a review"), {"review": "any"}),
    (pgettext_lazy("posts", "Scheduled"), {"status": "scheduled"}),
    (pgettext_lazy("posts", "Public"), {"status": "published"}),
    (pgettext_lazy("posts", "Archived"), {"status": "archived"}),
)


class PostChangeList(ChangeList):
    """A page of posts with what the desk says of each."""

    model_admin: DeskAdmin
    search_problem = ""
    """Why the words were not searched for."""
    rows: Sequence[PostRow] = ()
    page: Page[Any]
    context: ListContext
    has_more = False
    """Whether there are more posts than the list turns the pages of."""

    def get_filters(self, request: HttpRequest) -> Any:
        for sent in (self.params, self.filter_params):
            # A form also sends its empty fields, which filter nothing.
            for name in [name for name, value in sent.items() if value in ("", [""])]:
                del sent[name]
        found = super().get_filters(request)
        if found[2]:
            # Django would look any column up, such as the texts.
            raise IncorrectLookupParameters
        named = [spec for spec in found[0] if isinstance(spec, RelatedNameFilter)]
        self.context = list_context(**{str(spec.parameter_name): spec.value() or "" for spec in named})
        suggested = {"author": self.context.authors, "category": self.context.categories}
        for spec in found[0]:
            if isinstance(spec, PostListFilter):
                spec.context = self.context
            if isinstance(spec, RelatedNameFilter):
                spec.suggested = suggested[str(spec.parameter_name)]
        return found

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Post]) -> list[Any]:
        chosen = self._orders().get(self.params.get(ORDER_VAR, ""))
        if chosen:
            return list(chosen[0])
        suited = [spec.order for spec in self._words_in_use() if spec.order]
        return list(suited[0] if suited else NEWEST)

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Post]:
        words, self.query = self.query, ""
        try:
            posts = super().get_queryset(request, exclude_parameters)
        finally:
            self.query = words
        self.found_ids: Sequence[int] | None = None
        if not words.strip():
            return posts
        if not is_searchable(words):
            self.search_problem = gettext("A search needs 2 to 100 characters.")
            self.found_ids = []
            return posts.none()
        self.found_ids = matches_in_texts(posts, words, then_by=NEWEST).ids
        return posts.filter(among("pk", self.found_ids))

    def get_results(self, request: HttpRequest) -> None:
        """Read the page: the ids of its rows in the order of the list, then the rows alone."""
        ids = self.found_ids
        if ids is None and any(isinstance(spec, LabelFilter) for spec in self._words_in_use()):
            # Working the labels out takes longer than reading all ids, so it is done once.
            ids = listed_page(self.queryset, start=0, number=MOST_LISTED)
        number = number_listed(self.queryset) if ids is None else len(ids)
        most = MOST_LISTED if self.found_ids is None else MOST_FOUND
        self.has_more = number > most or (self.found_ids is not None and number == most)
        self.result_count = min(number, most)
        self.paginator = Paginator(range(self.result_count), self.list_per_page)
        self.page = self.paginator.get_page(self.page_num)
        self.page_num, start = self.page.number, (self.page.number - 1) * self.list_per_page
        if ids is not None:
            ids = list(ids[start : start + self.list_per_page])
        else:
            ids = listed_page(self.queryset, start=start, number=self.list_per_page) if number else []
        self.result_list = posts_to_check(ids)
        maker = RowMaker(request, self.model_admin, timezone.now(), self.context.has_responsible_party)
        self.rows = maker.rows(self.result_list) if ids else []
        self.show_full_result_count, self.full_result_count = False, None
        self.show_admin_actions, self.can_show_all = True, False
        self.multi_page = self.result_count > self.list_per_page

    def orders(self) -> list[tuple[str, str, bool]]:
        """Return the orders that the list offers with these filters, and the chosen one; a search has its own."""
        if self.found_ids is not None:
            return []
        orders, sent = self._orders(), self.params.get(ORDER_VAR, "")
        suited = any(spec.order for spec in self._words_in_use())
        own = [("", gettext("Longest waiting first"), sent not in orders)] if suited else []
        first = "" if suited else "-created"
        chosen = sent if sent in orders else first
        return [*own, *((name, str(text), name == chosen) for name, (_order, text) in orders.items())]

    def tabs(self) -> list[tuple[str, str, bool]]:
        """Return the states of posts as links, which leave out the other filters, and the present one."""
        used = {name: value for name, value in self.params.items() if name != ORDER_VAR}
        return [(str(text), f"?{urlencode(query)}", used == query) for text, query in _TABS]

    def page_url(self, number: int) -> str:
        """Return the query of another page of the list."""
        return str(self.get_query_string({PAGE_VAR: number}))

    @property
    def next_page(self) -> str:
        """The query of the next page, if there is one."""
        return self.page_url(self.page.next_page_number()) if self.page.has_next() else ""

    @property
    def previous_page(self) -> str:
        """The query of the page before, if there is one."""
        return self.page_url(self.page.previous_page_number()) if self.page.has_previous() else ""

    def _orders(self) -> dict[str, tuple[Order, Promise]]:
        state = self.params.get("status", "")
        orders = dict(_ORDERS)
        if state in set(PostStatus):
            orders |= _ORDERS_OF_A_STATE
        if state == PostStatus.PUBLISHED:
            orders |= _ORDERS_OF_PUBLIC_POSTS
        return orders

    def _words_in_use(self) -> list[WordsFilter]:
        return [spec for spec in self.filter_specs if isinstance(spec, WordsFilter) and spec.value()]
