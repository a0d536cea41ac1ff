"""A `google_cloud_platform` connection: a key file, or its contents, and a project."""

import json
from typing import Any

from tailgate.config import Connection
from tailgate.storage.extras import mapping, said, word

EXTRA = "gcs"
OLD = "extra__google_cloud_platform__"
"""What Airflow's form once put before each name."""


def fsspec_options(connection: Connection) -> dict[str, Any]:
    """For gcsfs. Without a key, Google's default credentials apply."""
    key = dict(mapping(connection, "keyfile_dict", f"{OLD}keyfile_dict"))
    anonymous = "anon" if word(connection, "is_anonymous") else ""
    return said({
        "token": key or word(connection, "key_path", f"{OLD}key_path") or anonymous,
        "project": word(connection, "project", f"{OLD}project"),
        "endpoint_url": word(connection, "endpoint_url"),
    })


def lance_options(connection: Connection) -> dict[str, str]:
    """For the object store of LanceDB."""
    key = dict(mapping(connection, "keyfile_dict", f"{OLD}keyfile_dict"))
    options = {
        "google_service_account_key": json.dumps(key) if key else "",
        "google_service_account": "" if key else word(connection, "key_path", f"{OLD}key_path"),
        "google_skip_signature": "true" if word(connection, "is_anonymous") else "",
    }
    return {name: value for name, value in options.items() if value}
