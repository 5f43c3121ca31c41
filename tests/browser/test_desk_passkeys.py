"""Passkeys of Chromium's virtual devices: registered, revoked, and verified in the evidence of what they signed."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from blog_engine import verify
from tests.browser.chromium import PASSWORD, Reader, Site
from tests.requirements import requirement
from tests.support.programs import output_of

pytestmark = [pytest.mark.browser, pytest.mark.chromium, pytest.mark.xdist_group("browser_desk")]

_FOLDER = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots"
_OPTIONS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Signer:
    """A person at the desk, whose browser has one virtual device at a time."""

    def __init__(self, reader: Reader, site: Site, **options: Any) -> None:
        # No IP address has passkeys.
        self.origin = site.origin.replace("127.0.0.1", "localhost")
        self.page = reader.blank(**options)
        self.session: CDPSession = self.page.context.new_cdp_session(self.page)
        self.session.send("WebAuthn.enable")
        self._device = ""
        self.opens(site.told["index"])
        self.page.locator("[name=username]").fill("erik")
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.locator("[type=submit]").click()
        self.page.wait_for_url(f"{self.origin}{site.told['index']}")

    def opens(self, path: str) -> Page:
        """Open a path of the site."""
        self.page.goto(f"{self.origin}{path}")
        return self.page

    def takes_a_device(self, **options: Any) -> None:
        """Replace the device by a new one."""
        if self._device:
            self.session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._device})
        sent = {"options": _OPTIONS | options}
        self._device = self.session.send("WebAuthn.addVirtualAuthenticator", sent)["authenticatorId"]

    def registers(self, name: str) -> None:
        """Register the device under a name."""
        self.page.get_by_label("Name of the passkey").fill(name)
        self.page.get_by_role("button", name="Register").click()
        expect(self.page.locator(".messagelist")).to_contain_text(f"“{name}” is registered")

    def takes_a_picture(self, name: str) -> None:
        """Keep a screenshot of the whole page."""
        _FOLDER.mkdir(parents=True, exist_ok=True)
        (_FOLDER / f"desk-{name}.png").write_bytes(self.page.screenshot(full_page=True, animations="disabled"))


@pytest.fixture
def erik(browser: Browser, desk_reader: Reader, desk_site: Site) -> Iterator[Signer]:
    yield Signer(desk_reader, desk_site)
    desk_reader.faults[:] = [
        fault for fault in desk_reader.faults if not fault.startswith("elsewhere: http://localhost")
    ]


@requirement("approvals.signed.desk", "approvals.signed.keys", "proof.verify.signed")
def test_two_passkeys_sign_and_one_is_revoked(erik: Signer, desk_site: Site, tmp_path: Path) -> None:
    passkeys, review = _paths(desk_site)
    page = erik.opens(passkeys)
    erik.takes_a_device()
    erik.registers("Laptop")

    erik.opens(review)
    page.get_by_label("I read it, but I did not check the facts.").check()
    page.get_by_role("button", name="Sign this version").click()
    expect(page.locator(".messagelist")).to_contain_text("Signed: this version was read")
    expect(page.locator(".signed").first).to_contain_text("Signed with a passkey.")

    erik.takes_a_device()
    erik.opens(passkeys)
    erik.registers("Phone")
    erik.takes_a_picture("passkeys")
    page.get_by_role("listitem").filter(has_text="Laptop").get_by_role("link", name="Revoke").click()
    erik.takes_a_picture("passkey-revoke")
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator(".messagelist")).to_contain_text("“Laptop” is revoked")

    erik.opens(review)
    page.get_by_label("I checked the facts").check()
    page.get_by_label("Publish it now").check()
    page.get_by_role("button", name="Sign and publish now").click()
    expect(page.locator(".messagelist")).to_contain_text("Signed and published")
    erik.takes_a_picture("review-signed")

    words = _verified(desk_site, review, tmp_path)
    assert words.count("signed with the passkey:") == 2
    assert "facts NOT checked" in words


def _paths(site: Site) -> tuple[str, str]:
    review = site.told["review_talk"]
    return f"{review.partition('/post/')[0]}/post/passkeys/", review


def _verified(site: Site, review: str, folder: Path) -> str:
    """Return what ``verify.py`` alone says of the evidence of a post; fails unless it is verified."""
    post = review.partition("/post/")[2].partition("/")[0]
    site.manage("make_checkpoint")
    shutil.copy(verify.__file__, folder / "verify.py")
    site.manage("blog_evidence", f"POST={post}", f"OUTPUT={folder / 'evidence.json'}")
    return output_of([sys.executable, "-I", "-S", "verify.py", "evidence.json"], env=site.environment, cwd=folder)


@requirement("approvals.signed.desk")
def test_a_device_that_does_not_answer_signs_nothing(erik: Signer, desk_site: Site) -> None:
    passkeys, review = _paths(desk_site)
    page = erik.opens(passkeys)
    erik.takes_a_device()
    erik.registers("Tablet")
    erik.takes_a_device(isUserVerified=False)

    erik.opens(review)
    page.get_by_label("I checked the facts").check()
    page.get_by_role("button", name="Sign this version").click()

    expect(page.get_by_text("Your passkey did not answer. Nothing was signed.")).to_be_visible()
    erik.takes_a_picture("passkey-refused")
