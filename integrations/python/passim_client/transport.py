"""Requests to a Passim service with the standard library only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

MAX_EVENT_CHARS = 16 * 2**20
"""Characters of one event; protects memory from a server that never ends one."""


class PassimError(Exception):
    """An answer of the service that is not a success, or a stream or document that failed.

    The message says what failed and what to do. ``status`` is the HTTP status, or 0.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str | None = None,
        param: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.retry_after = retry_after
        """Seconds after which the service asks to try again."""


class _NoRedirects(HTTPRedirectHandler):
    """A redirect is a failure: urllib would send the key to any other host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


class ServerEvent(NamedTuple):
    event: str
    data: Any
    id: str


class Transport:
    def __init__(
        self,
        url: str = "http://127.0.0.1:7700",
        *,
        api_key: str | None = None,
        timeout: float = 600.0,
    ) -> None:
        """``timeout``: seconds without an answer, or between two events of a stream."""
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout = timeout

    def request(
        self,
        method: str,
        path: str,
        parts: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        as_text: bool = False,
    ) -> Any:
        """Calls a route that answers with JSON, or with text. Absent fields are ``None``."""
        with self._open(method, path, parts, query=query, body=_drop_absent(body)) as response:
            text = response.read().decode()
        return text if as_text else json.loads(text)

    def download(self, path: str, parts: Mapping[str, str] | None = None, **query: Any) -> bytes:
        """Reads a route that answers with bytes: an original file or a picture of a page."""
        with self._open("GET", path, parts, query=query) as response:
            return response.read()

    def stream(
        self,
        method: str,
        path: str,
        parts: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Iterator[ServerEvent]:
        """Yields server-sent events. Ending the loop closes the stream."""
        with self._open(
            method, path, parts, query=query, body=_drop_absent(body), accept="text/event-stream"
        ) as response:
            for event in _read_events(response):
                if event.event == "error":
                    raise _to_error(0, event.data, {})
                yield event

    def _open(
        self,
        method: str,
        path: str,
        parts: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        accept: str = "application/json",
    ) -> Any:
        filled = path
        for name, value in (parts or {}).items():
            filled = filled.replace(f"{{{name}}}", quote(str(value), safe=""))
        pairs = {name: _to_text(value) for name, value in (query or {}).items() if value is not None}
        search = f"?{urlencode(pairs, doseq=True)}" if pairs else ""
        headers = {**self._headers, "accept": accept}
        if isinstance(body, (bytes, bytearray)):
            headers["content-type"] = "application/octet-stream"
        elif body is not None:
            headers["content-type"] = "application/json"
            body = json.dumps(body).encode()
        request = Request(f"{self._url}{filled}{search}", data=body, headers=headers, method=method)
        try:
            return _opener.open(request, timeout=self._timeout)
        except HTTPError as failed:
            with failed:
                answer = _parse(failed.read())
            raise _to_error(failed.code, answer, failed.headers) from None


def _drop_absent(body: Any) -> Any:
    if not isinstance(body, Mapping):
        return body
    return {name: value for name, value in body.items() if value is not None}


def _to_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return json.dumps(value)
    return [_to_text(one) for one in value] if isinstance(value, (list, tuple)) else value


def _parse(body: bytes) -> Any:
    """A proxy may answer with a page."""
    try:
        return json.loads(body)
    except ValueError:
        return {}


def _to_error(status: int, answer: Any, headers: Mapping[str, str]) -> PassimError:
    error = answer.get("error", {}) if isinstance(answer, dict) else {}
    wait = headers.get("retry-after-ms")
    return PassimError(
        error.get("message") or f"The service answered {status}.",
        status=status,
        code=error.get("code"),
        param=error.get("param"),
        retry_after=int(wait) / 1000 if wait else None,
    )


def _read_events(lines: Iterator[bytes]) -> Iterator[ServerEvent]:
    """Parses the stream as HTML's standard says."""
    event, data, last_id = "message", [], ""
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        if len(line) + sum(map(len, data)) > MAX_EVENT_CHARS:
            raise PassimError("An event of the stream is too long.", code="cut")
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id":
                last_id = value
            continue
        if data:
            yield ServerEvent(event, json.loads("\n".join(data)), last_id)
        event, data = "message", []
