"""Servers to fetch images from, as the tests of the guarded client have them."""

from tests.fetching.conftest import names as names
from tests.fetching.conftest import serve as serve
from tests.fetching.conftest import trusted as trusted
