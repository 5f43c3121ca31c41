"""The command ``make_checkpoint``."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from blog_engine.models import Checkpoint
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.tables import new_declaration, stored

pytestmark = pytest.mark.django_db


def told() -> tuple[str, str]:
    said, complained = StringIO(), StringIO()
    call_command("make_checkpoint", stdout=said, stderr=complained)
    return said.getvalue(), complained.getvalue()


@requirement("proof.checkpoint", "proof.checkpoint.repeated")
def test_it_says_what_it_made() -> None:
    before = told()
    save(publish=True)
    made, again = told(), told()

    digest = Checkpoint.objects.get().hash
    assert before == ("There is no history yet, so no checkpoint was made.\n", "")
    assert made == (f"Made checkpoint 1 of 1 posts: {digest}\n", "")
    assert again == (f"Nothing is new since checkpoint 1: {digest}\n", "")


@requirement("proof.chain.late")
def test_it_complains_about_records_without_links() -> None:
    stored(new_declaration(save(publish=True).post))

    said, complained = told()

    assert said.startswith("Made checkpoint 1")
    assert complained.startswith("Chained only now: 1 records that had no link.")


def test_it_has_no_keys() -> None:
    with pytest.raises(CommandError):
        call_command("make_checkpoint", "DAYS=7")
