"""The MariaDB of this machine, which the engine refuses."""

import socket

HOST, PORT = "127.0.0.1", 3306


def mariadb_answers() -> bool:
    """Whether something listens at the port of MariaDB."""
    try:
        with socket.create_connection((HOST, PORT), timeout=1):
            return True
    except OSError:
        return False
