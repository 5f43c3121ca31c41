"""The settings of the host: another user model, another admin site, no default one."""

from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.admin.other_host"]
AUTH_USER_MODEL = "other_host.Member"
ROOT_URLCONF = "tests.admin.other_host.urls"
