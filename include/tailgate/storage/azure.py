"""A `wasb` connection: account and key, a SAS token, a connection string, or a client of a tenant."""

from typing import Any

from tailgate.config import Connection
from tailgate.errors import ConfigError
from tailgate.storage.extras import said, word

EXTRA = "azure"


def fsspec_options(connection: Connection) -> dict[str, Any]:
    """For adlfs. With an account and nothing else, Azure's default credentials apply."""
    tenant = word(connection, "tenant_id")
    if text := word(connection, "connection_string"):
        return {"connection_string": text}
    return said({
        "account_name": _account(connection),
        "account_key": "" if tenant else connection.password,
        "sas_token": word(connection, "sas_token"),
        "tenant_id": tenant,
        "client_id": connection.login if tenant else "",
        "client_secret": connection.password if tenant else "",
    })


def lance_options(connection: Connection) -> dict[str, str]:
    """For the object store of LanceDB, which reads no connection string."""
    if word(connection, "connection_string"):
        remedy = "Give the account as login and its key as password."
        raise ConfigError("connection", "LanceDB reads no `connection_string`", remedy)
    tenant = word(connection, "tenant_id")
    options = {
        "azure_storage_account_name": _account(connection),
        "azure_storage_account_key": "" if tenant else connection.password,
        "azure_storage_sas_token": word(connection, "sas_token"),
        "azure_storage_tenant_id": tenant,
        "azure_storage_client_id": connection.login if tenant else "",
        "azure_storage_client_secret": connection.password if tenant else "",
    }
    return {name: value for name, value in options.items() if value}


def _account(connection: Connection) -> str:
    """The first label of the host (`https://account.blob.core.windows.net`), or else the login."""
    host = connection.host.rpartition("://")[2].partition("/")[0]
    return host.partition(".")[0] or connection.login
