"""A site on several processes under load."""

import pytest

# Rewrite the assertions of these modules, as in tests.
pytest.register_assert_rewrite("tests.support.invariants", "tests.support.load")
