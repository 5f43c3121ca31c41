"""A Redis of one's own, to be killed, stopped and started again."""

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.faults.waiting import wait_until


class RedisServer:
    """A server that keeps nothing, at a socket of its folder."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address, as ``CACHE_URL``."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Start it; it answers when this returns."""
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(["redis-server", *options], cwd=self._socket.parent, stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def kill(self) -> None:
        """End it as a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        """From now on it takes calls and answers none."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Answer again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _answers(self) -> bool:
        with redis.Redis(unix_socket_path=str(self._socket)) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False


@contextmanager
def own_redis() -> Iterator[RedisServer]:
    """A server that runs; whatever was done to it, none is left behind."""
    # Not pytest's own folder: the path of a socket has room for a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="redis_"))
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
