"""The few calls of Airflow's REST interface that trigger a run and follow it."""

from typing import Any

import httpx

from tailgate_local import environment
from tailgate_local.environment import Home
from tailgate_local.service import Service


class Api:
    """A session with the web server of a running service."""

    def __init__(self, home: Home, service: Service) -> None:
        self._url = home.url(service.ports)
        self._client = httpx.Client(timeout=60, trust_env=False)
        login = {"username": environment.USER, "password": environment.password(home)}
        token = self._json(self._client.post(f"{self._url}/auth/token", json=login))["access_token"]
        self._client.headers["Authorization"] = f"Bearer {token}"

    def trigger(self, dag_id: str) -> str:
        """The id of a new run of the Dag, which is not paused any more."""
        self.call("PATCH", f"dags/{dag_id}?update_mask=is_paused", {"is_paused": False})
        return str(self.call("POST", f"dags/{dag_id}/dagRuns", {"logical_date": None, "conf": {}})["dag_run_id"])

    def state(self, dag_id: str, run_id: str) -> str:
        """`queued`, `running`, `success` or `failed`."""
        return str(self.call("GET", f"dags/{dag_id}/dagRuns/{run_id}")["state"])

    def tasks(self, dag_id: str, run_id: str) -> list[dict[str, Any]]:
        """The run's task instances, in the order in which they started."""
        answer = self.call("GET", f"dags/{dag_id}/dagRuns/{run_id}/taskInstances?limit=1000")
        return sorted(answer["task_instances"], key=lambda task: str(task["start_date"] or "9"))

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The JSON answer of `/api/v2/<path>`. Raises httpx.HTTPStatusError, which carries the server's own words."""
        return self._json(self._client.request(method, f"{self._url}/api/v2/{path}", json=body))

    def _json(self, answer: httpx.Response) -> dict[str, Any]:
        if answer.is_error:
            words = f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {answer.text}"
            raise httpx.HTTPStatusError(words, request=answer.request, response=answer)
        tree: dict[str, Any] = answer.json()
        return tree
