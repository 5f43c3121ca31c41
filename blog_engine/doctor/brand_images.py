"""Logos and icons of the settings that pages cannot show as the host expects."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.conf import settings as django_settings
from django.contrib.staticfiles import finders

from blog_engine.conf import BlogSettings, unsafe_urls


def image_warnings(settings: BlogSettings) -> Iterator[str]:
    """Yield a sentence for each logo or icon that is on another host, or missing from the static files."""
    brand = settings.brand
    unsafe = unsafe_urls(settings)
    urls = {
        "brand.logo_url": brand.logo_url,
        "brand.logo_dark_url": brand.logo_dark_url,
        "brand.icon_url": brand.icon_url,
        "favicon_url": settings.favicon_url,
        "touch_icon_url": settings.touch_icon_url,
    }
    for key, url in urls.items():
        # Pages leave these out, and blog_engine.W004 names them.
        if not url or key in unsafe:
            continue
        if host := _other_host(url, settings):
            yield (
                f"{key} is on another host, {host}: each reader's browser asks it, and a strict "
                "Content-Security-Policy refuses it. Put the file into your static files, and set the path, such as "
                "/static/brand/logo.svg."
            )
        elif (path := _static_path(url, settings)) and not _is_static_file(path):
            yield (
                f"{key} names {path} below STATIC_URL, which is not found. Put the file into the folder `static` of an "
                "app or into a folder of STATICFILES_DIRS, and run collectstatic."
            )


def _other_host(url: str, settings: BlogSettings) -> str:
    """Return the host of a URL that is neither on the site nor below ``STATIC_URL``; else an empty text."""
    static = django_settings.STATIC_URL or ""
    own = (f"{settings.public_base_url}/", static) if settings.public_base_url else (static,)
    return "" if url.startswith(tuple(filter(None, own))) else urlsplit(url).netloc.rpartition("@")[2]


def _static_path(url: str, settings: BlogSettings) -> str:
    """Return the path of a URL below ``STATIC_URL``, or an empty text for a URL elsewhere."""
    static = django_settings.STATIC_URL
    if not static:
        return ""
    path = url.removeprefix(settings.public_base_url or "") if static.startswith("/") else url
    return unquote(urlsplit(path.removeprefix(static)).path) if path.startswith(static) else ""


def _is_static_file(path: str) -> bool:
    if finders.find(path):
        return True
    # Names with a hash exist only where the files were collected.
    root = django_settings.STATIC_ROOT
    return bool(root) and (Path(root) / path).is_file()
