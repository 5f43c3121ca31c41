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
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(site.url("index"))
    state = context.storage_state()
    context.close()
    return state
