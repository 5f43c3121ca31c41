"""Browsers get the stylesheets and scripts (records.md 15, where this check is called JavaScript)."""

from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage

import blog_engine
from blog_engine.report.base import Verdict, Visit, listed, verdict

_OWN = Path(blog_engine.__file__).parent / "static"
_NO_APP = (
    "django.contrib.staticfiles is not installed: serve the folder blog_engine/static of the package under STATIC_URL "
    "yourself, or add the app to INSTALLED_APPS."
)


def check_static_files(visit: Visit) -> Verdict:
    """Every file has an address, and is where the storage serves it from."""
    if not settings.STATIC_URL:
        return verdict(errors=["STATIC_URL is not set: pages have no styles."], well="")
    if not apps.is_installed("django.contrib.staticfiles"):
        return verdict(warnings=[_NO_APP], well="")
    names = sorted(str(path.relative_to(_OWN)) for path in _OWN.rglob("*") if path.is_file())
    unknown = [name for name in names if not _has_address(name)]
    errors = [f"Not in the manifest, so that pages fail: {listed(unknown)}. Run collectstatic."] if unknown else []
    absent = [] if unknown or _is_served_from_source() else [name for name in names if not _is_collected(name)]
    warnings = (
        [f"Not in the storage of static files: {listed(absent)}. Run collectstatic, unless another server has them."]
        if absent
        else []
    )
    return verdict(errors=errors, warnings=warnings, well=f"All {len(names)} stylesheets and scripts are found.")


def _has_address(name: str) -> bool:
    try:
        return bool(staticfiles_storage.url(name))
    except ValueError:
        return False


def _is_served_from_source() -> bool:
    # With DEBUG the files come from the finders, and a manifest has been asked already.
    return settings.DEBUG or isinstance(staticfiles_storage, HashedFilesMixin)


def _is_collected(name: str) -> bool:
    return staticfiles_storage.exists(name)
