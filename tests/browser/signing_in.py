"""People who are signed in at the desk."""

from typing import Any

from playwright.sync_api import Browser

from tests.browser.chromium import PATIENCE, Site
from tests.browser.desk_contents import PASSWORD


def signed_in(browser: Browser, site: Site, username: str) -> Any:
    """Sign a person in with the form of the admin, and return the cookies for a context's ``storage_state``."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(site.url("index"))
    # By their names, in any language of the interface.
    page.locator("[name=username]").fill(username)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[type=submit]").click()
    page.wait_for_url(site.url("index"))
    state = context.storage_state()
    context.close()
    return state
