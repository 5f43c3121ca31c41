"""The host's own callables, loaded on first use (decisions.md 1 and 9.2)."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.module_loading import import_string

from blog_engine.conf.describe import words_for
from blog_engine.conf.faults import Fault, FaultKind, improperly_configured
from blog_engine.conf.load import get_settings, kept_until_settings_change
from blog_engine.conf.model import BlogSettings

AuthenticateHook = Callable[[HttpRequest], object]
BeforePublishHook = Callable[[object, Mapping[str, object]], str | Iterable[object] | None]


_ARGUMENTS = {"authenticate": 1, "before_publish": 2}


class _HookError(Exception):
    """What is wrong with a hook, to follow its name."""


@kept_until_settings_change
def authenticate_hook() -> AuthenticateHook | None:
    """The host's ``authenticate(request)``, ``None`` when tokens are used.

    Raises ``ImproperlyConfigured`` naming the key (records.md 2).
    """
    hook: AuthenticateHook | None = _load_or_refuse("authenticate", get_settings().authenticate)
    return hook


@kept_until_settings_change
def before_publish_hook() -> BeforePublishHook | None:
    """The host's ``before_publish(post, context)``, ``None`` when nothing is asked.

    Raises ``ImproperlyConfigured`` naming the key (records.md 5.4).
    """
    hook: BeforePublishHook | None = _load_or_refuse("before_publish", get_settings().before_publish)
    return hook


@kept_until_settings_change
def parent_controller() -> type | None:
    """The class that reader views inherit from first, ``None`` for none.

    Raises ``ImproperlyConfigured`` naming the key (decisions.md 1).
    """
    parent: type | None = _load_or_refuse("parent_controller", get_settings().parent_controller)
    return parent


def hook_faults(written: Mapping[str, object]) -> list[Fault]:
    """A fault for each hook, out of some settings as the host wrote them, that cannot be loaded or called."""
    found = []
    for name in (*_ARGUMENTS, "parent_controller"):
        try:
            _load(name, written.get(name))
        except _HookError as problem:
            found.append(_fault(name, problem))
    return found


def _load_or_refuse(name: str, written: object) -> Any:
    try:
        return _load(name, written)
    except _HookError as problem:
        raise improperly_configured([_fault(name, problem)]) from problem


def _load(name: str, written: object) -> Any:
    if written is None:
        return None
    hook = _imported(written)
    if name in _ARGUMENTS:
        _refuse_other_signature(hook, arguments=_ARGUMENTS[name])
    elif not isinstance(hook, type):
        raise _HookError("must be a class")
    return hook


def _imported(written: object) -> object:
    if not isinstance(written, str):
        return written
    try:
        return import_string(written)
    except ImportError as error:
        raise _HookError(f"cannot be imported: {error}") from error


def _refuse_other_signature(hook: object, *, arguments: int) -> None:
    if not callable(hook):
        raise _HookError("must be callable")
    try:
        signature = inspect.signature(hook)
    except ValueError:
        return  # Some callables written in C do not tell their signature.
    try:
        signature.bind(*range(arguments))
    except TypeError as error:
        raise _HookError(f"must accept exactly {arguments} positional argument(s) and need nothing else") from error


def _fault(name: str, problem: _HookError) -> Fault:
    field = BlogSettings.model_fields[name]
    return Fault(FaultKind.HOOK, name, str(problem), f"Set it to {words_for(field)}.")
