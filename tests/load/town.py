"""All clients that call a site at once, and their answers."""

import random
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import httpx

from tests.load.faces import Agent, Api, Face, client_of
from tests.load.ledger import Ledger
from tests.load.owners import Owner
from tests.load.planner import Planner
from tests.load.readers import Reader
from tests.load.remote import RemoteClient
from tests.load.rivals import Rivals
from tests.support.clients import make_secret
from tests.support.races import Crowd, picture_of_the_moment
from tests.support.web import Server, answer, serving

_OWNERS = 4
_READERS = 4
_CROWD = 4


@dataclass
class Town:
    """Two owners at each interface, readers, a planner, rivals, and a crowd about the same few posts."""

    ledger: Ledger
    owners: list[Owner]
    readers: list[Reader]
    planner: Planner
    rivals: Rivals
    crowd: Crowd
    seed: int

    def live(self) -> None:
        """Let all clients call until the time of the crowd is over."""
        end = time.monotonic() + self.crowd.seconds
        steps = [one.step for one in [*self.owners, *self.readers, self.planner, self.rivals]]
        with ThreadPoolExecutor(max_workers=len(steps)) as pool:
            lives = [pool.submit(_until, end, step) for step in steps]
            self.crowd.run(_CROWD, seed=self.seed)
            for life in lives:
                life.result()

    def everyone_who_reads(self) -> list[Reader]:
        """The readers, and the owners, who read their own posts."""
        return [*self.readers, *(owner.reader for owner in self.owners)]


def _until(end: float, step: Callable[[], None]) -> None:
    while time.monotonic() < end:
        step()


@contextmanager
def town_at(origin: str, *, seconds: float, seed: int) -> Iterator[Town]:
    """Return all clients, each with its own token and connections, ready to call the site for some seconds."""
    ledger = Ledger()
    with ExitStack() as stack:

        def lots(name: str) -> random.Random:
            return random.Random(f"{seed}-{name}")  # noqa: S311 - no secrets

        def caller(number: int) -> httpx.Client:
            secret = make_secret(name=f"Caller {number}")
            return stack.enter_context(client_of(origin, secret, address=f"203.0.113.{number}"))

        def reader(number: int) -> Reader:
            made = Reader(origin, ledger, address=f"198.51.100.{number}", chance=lots(f"reader-{number}"))
            stack.callback(made.close)
            return made

        def owner(number: int, face: Face) -> Owner:
            return Owner(f"owner-{number}", face, reader(100 + number), chance=lots(f"owner-{number}"))

        gallery = stack.enter_context(serving(_give_a_picture))
        crowd_secret = make_secret(name="Crowd")

        def one_of_the_crowd() -> RemoteClient:
            return RemoteClient(stack.enter_context(client_of(origin, crowd_secret, address="203.0.113.99")), ledger)

        yield Town(
            ledger=ledger,
            owners=[owner(n, (Api if n % 2 else Agent)(caller(n), ledger)) for n in range(_OWNERS)],
            readers=[reader(n) for n in range(_READERS)],
            planner=Planner(Api(caller(_OWNERS), ledger), chance=lots("planner")),
            rivals=Rivals([face(caller(_OWNERS + 1 + n), ledger) for n, face in enumerate([Api, Agent, Api])]),
            crowd=Crowd(one_of_the_crowd, f"http://127.0.0.1:{gallery.port}", seconds),
            seed=seed,
        )


def _give_a_picture(server: Server, connection: socket.socket, path: str) -> None:
    connection.sendall(answer(picture_of_the_moment(int(path.strip("/").removesuffix(".png")))))
