"""Many processes at once."""

import pytest

# What these assert is explained as in a test.
pytest.register_assert_rewrite(*(f"tests.load.{name}" for name in ("aftermath", "owners", "readers", "rivals")))
