"""An `aws` connection: login and password are the key and its secret, the rest is in the extra."""

from typing import Any

from tailgate.config import Connection
from tailgate.errors import ConfigError
from tailgate.storage.extras import mapping, said, word

EXTRA = "s3"


def fsspec_options(connection: Connection) -> dict[str, Any]:
    """For s3fs. Without a key, botocore's own chain applies: environment, profile, role of the machine."""
    _refuse_roles(connection)
    return said({
        "key": connection.login,
        "secret": connection.password,
        "token": word(connection, "aws_session_token"),
        "profile": word(connection, "profile_name"),
        "endpoint_url": _endpoint(connection),
        "client_kwargs": said({"region_name": word(connection, "region_name")}),
        "config_kwargs": dict(mapping(connection, "config_kwargs")),
    })


def lance_options(connection: Connection) -> dict[str, str]:
    """For the object store of LanceDB, whose chain knows no profiles."""
    _refuse_roles(connection)
    if word(connection, "profile_name"):
        remedy = "Give its key as login and password, or leave the connection out: the environment is read then."
        raise ConfigError("connection", "LanceDB reads no profile (`profile_name`)", remedy)
    endpoint = _endpoint(connection)
    style = mapping(connection, "config_kwargs").get("s3")
    virtual = isinstance(style, dict) and style.get("addressing_style") == "virtual"
    options = {
        "aws_access_key_id": connection.login,
        "aws_secret_access_key": connection.password,
        "aws_session_token": word(connection, "aws_session_token"),
        # A server other than Amazon's takes any region, but one has to be named.
        "aws_region": word(connection, "region_name") or ("us-east-1" if endpoint else ""),
        "aws_endpoint": endpoint,
        "allow_http": "true" if endpoint.startswith("http://") else "",
        "aws_virtual_hosted_style_request": "true" if virtual else "",
    }
    return {name: value for name, value in options.items() if value}


def _endpoint(connection: Connection) -> str:
    of_service = mapping(connection, "service_config").get("s3")
    named = str(of_service.get("endpoint_url") or "") if isinstance(of_service, dict) else ""
    return named or word(connection, "endpoint_url")


def _refuse_roles(connection: Connection) -> None:
    if word(connection, "role_arn"):
        remedy = "Name a profile that takes on the role (`profile_name`), or let the machine have it."
        raise ConfigError("connection", "`role_arn` in its extra is not supported", remedy)
