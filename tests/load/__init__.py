"""Many processes at once."""

import pytest

# What these assert is explained as in a test.
pytest.register_assert_rewrite("tests.load.aftermath", "tests.load.owners", "tests.load.readers")
