"""The MariaDB of this machine, which the app refuses."""

import socket

HOST, PORT = "127.0.0.1", 3306


def mariadb_answers() -> bool:
    """Return whether MariaDB listens at its port."""
    try:
        with socket.create_connection((HOST, PORT), timeout=1):
            return True
    except OSError:
        return False
