"""URL patterns whose views are imported by the first request for them.

Django imports the URLs of a site for each command that checks it, and in each process. What all views need takes longer
to import than Django, and more memory, and most processes never call most of them.
"""

from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, URLPattern, URLResolver, include
from django.urls import path as django_path
from django.urls.resolvers import RegexPattern, RoutePattern
from django.utils.module_loading import import_string

ViewFunction = Callable[..., HttpResponseBase]

_LOADING = RLock()
"""One thread imports at a time: of two that enter a circle of imports at different places, one gets half a module."""


class DeferredView:
    """A view that is not imported yet.

    ``path`` is its dotted path; ``wrap`` makes a view function of what is there, such as a class.
    """

    def __init__(self, path: str, wrap: Callable[[Any], ViewFunction] | None = None) -> None:
        self._path, self._wrap = path, wrap
        # The path by which Django finds the pattern of a view.
        self.__module__, _, self.__qualname__ = path.rpartition(".")
        self.__name__ = self.__qualname__

    def load(self) -> ViewFunction:
        """Import the view."""
        with _LOADING:
            found = import_string(self._path)
            view: ViewFunction = self._wrap(found) if self._wrap else found
            return view

    def __call__(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        """Answer for code that takes the view from its pattern."""
        return self.load()(request, **kwargs)


class DeferredPattern(URLPattern):
    """The URL pattern of a deferred view; once a request had it, that of the view itself."""

    def resolve(self, path: str) -> ResolverMatch | None:
        match = super().resolve(path)
        if match is None or not isinstance(self.callback, DeferredView):
            return match
        # Middleware and the host see the view with its attributes, such as csrf_exempt.
        self.callback = self.callback.load()
        return super().resolve(path)


class DeferredURLs(URLPattern):
    """The patterns of a module, which is imported by the first request below ``route``. They cannot be reversed.

    For Django this is one pattern: of a resolver it reads all patterns at the first check and the first ``reverse``.
    """

    def __init__(self, route: str, module: str) -> None:
        super().__init__(RoutePattern(route), DeferredView(module))
        self._route, self._module = route, module

    @cached_property
    def _resolver(self) -> URLResolver:
        with _LOADING:
            return URLResolver(RegexPattern(""), [django_path(self._route, include(self._module))])

    def resolve(self, path: str) -> ResolverMatch | None:
        return self._resolver.resolve(path) if self.pattern.match(path) else None


def path(
    route: str, view: DeferredView, kwargs: dict[str, Any] | None = None, name: str | None = None
) -> DeferredPattern:
    """Return what ``django.urls.path`` does, for a deferred view."""
    return DeferredPattern(RoutePattern(route, name=name, is_endpoint=True), view, kwargs, name)


def re_path(
    route: str, view: DeferredView, kwargs: dict[str, Any] | None = None, name: str | None = None
) -> DeferredPattern:
    """Return what ``django.urls.re_path`` does, for a deferred view."""
    return DeferredPattern(RegexPattern(route, name=name, is_endpoint=True), view, kwargs, name)
