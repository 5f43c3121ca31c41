"""URL patterns whose views are imported by the first request for them.

Django imports the URLs of a site for each command that checks it, and in each process. What all views need takes longer
to import than Django, and more memory, and most processes never call most of them. ``preload`` is for a server that
forks its processes, which then share all of it.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Final

from django.apps import apps
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, URLPattern, URLResolver, get_resolver, include
from django.urls import path as django_path
from django.urls.resolvers import RegexPattern, RoutePattern
from django.utils.module_loading import import_string

ViewFunction = Callable[..., HttpResponseBase]

_PACKAGE: Final = Path(__file__).parent
_NOT_FOR_REQUESTS: Final = ("management", "migrations", "importing", "testing", "oauth")
"""Commands, tests of hosts, and the authorization server, whose URLs import it where it is installed."""
_OF_OTHERS: Final = (
    "PIL.features",
    "PIL.ImageFont",
    "PIL._avif",
    "PIL._webp",
    "bleach.sanitizer",
    "latex2mathml.converter",
)
"""What only functions import."""
_MODELS: Final = (f"{_PACKAGE.name}.inputs.base.Input", f"{_PACKAGE.name}.outputs.base.Output")
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

    def load(self) -> None:
        """Import the view. Middleware and the host see it with its attributes, such as ``csrf_exempt``."""
        if isinstance(self.callback, DeferredView):
            self.callback = self.callback.load()

    def resolve(self, path: str) -> ResolverMatch | None:
        match = super().resolve(path)
        if match is None or not isinstance(self.callback, DeferredView):
            return match
        self.load()
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

    def load(self) -> None:
        """Import the module."""
        _load_views(self._resolver.url_patterns)

    def resolve(self, path: str) -> ResolverMatch | None:
        return self._resolver.resolve(path) if self.pattern.match(path) else None


def preload() -> None:
    """Import everything that requests can need, with the URLs of the site.

    Opens no connection, and starts no thread.
    """
    with _LOADING:
        _load_views(get_resolver().url_patterns)
        skipped = {*_NOT_FOR_REQUESTS, *([] if apps.is_installed("django.contrib.admin") else ["admin"])}
        for file in sorted(_PACKAGE.rglob("*.py")):
            parts = file.relative_to(_PACKAGE).with_suffix("").parts
            if parts[0] not in skipped and parts[-1] != "__init__":
                _import_if_possible(".".join([_PACKAGE.name, *parts]))
        for name in _OF_OTHERS:
            _import_if_possible(name)
        for name in _MODELS:
            _build(import_string(name))


def _load_views(patterns: Iterable[URLPattern | URLResolver]) -> None:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            _load_views(pattern.url_patterns)
        elif isinstance(pattern, DeferredURLs | DeferredPattern):
            pattern.load()


def _build(model: Any) -> None:
    """Build the validators of a pydantic model and of its subclasses, which else their first use builds."""
    model.model_rebuild()
    for one in model.__subclasses__():
        _build(one)


def _import_if_possible(name: str) -> None:
    try:
        import_module(name)
    except ModuleNotFoundError as fault:
        # Of an extra that is not installed.
        if (fault.name or _PACKAGE.name).partition(".")[0] == _PACKAGE.name:
            raise


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
