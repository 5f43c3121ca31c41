"""What the tests of several services share."""

from collections.abc import Iterator

import pytest

from tests.fetching.servers import Server
from tests.pictures import gallery


@pytest.fixture
def quay() -> Iterator[Server]:
    """A server on this machine with a picture at ``/quay.png``."""
    with gallery() as server:
        yield server
