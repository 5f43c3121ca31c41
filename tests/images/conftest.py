"""Servers to fetch images from, shared with the tests of the guarded client."""

from tests.fetching.conftest import names as names
from tests.fetching.conftest import serve as serve
from tests.fetching.conftest import trusted as trusted
