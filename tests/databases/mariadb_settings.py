"""Settings of a host on MariaDB."""

import os

import pymysql

from example_site.settings import *  # noqa: F403

# Django checks the version of mysqlclient, which this driver replaces.
pymysql.version_info = (2, 2, 7, "final", 0)
pymysql.install_as_MySQLdb()

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.mysql",
        "NAME": os.environ["MARIADB_NAME"],
        "USER": "root",
        "HOST": os.environ["MARIADB_HOST"],
        "PORT": int(os.environ["MARIADB_PORT"]),
    }
}
