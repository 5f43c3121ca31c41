"""A Redis server that tests can kill, stop and start again."""

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.support.races import wait_until


class RedisServer:
    """A server without persistence, with a socket in its directory."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return its ``CACHE_URL``."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(["redis-server", *options], cwd=self._socket.parent, stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def kill(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        """Make the server accept connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the server answer again."""
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
    """Run a server, and remove it at the end, whatever its state."""
    # Not pytest's own directory: the path of a socket has at most a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="redis_"))
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
