"""Transactional tests of a host leave no history behind."""

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, connection
from django.test import TransactionTestCase

from blog_engine.models import Post
from blog_engine.models.protection import missing_protection
from blog_engine.testing import allow_flush
from tests.support.tables import HISTORY, insert_history, stored_rows

allow_flush()


@pytest.mark.django_db(transaction=True)
def test_history_is_flushed_and_protected_again() -> None:
    insert_history()

    TransactionTestCase()._fixture_teardown()

    assert stored_rows() == {model.__name__: [] for model in HISTORY}
    assert not Post.objects.exists()
    assert missing_protection(connection) == []


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_history_is_not_flushed_without_permission() -> None:
    insert_history()
    flush = TransactionTestCase._fixture_teardown.__wrapped__

    with pytest.raises(CommandError) as refusal:
        flush(TransactionTestCase())

    assert isinstance(refusal.value.__cause__, IntegrityError)


def test_asking_twice_changes_nothing() -> None:
    before = TransactionTestCase._fixture_teardown

    allow_flush()

    assert TransactionTestCase._fixture_teardown is before


class TestOfAHost(TransactionTestCase):
    def test_a_host_leaves_history_behind(self) -> None:
        insert_history()

        self.assertEqual(Post.objects.count(), 1)

    def test_a_host_leaves_more_history_behind(self) -> None:
        insert_history()

        self.assertEqual(Post.objects.count(), 1)
