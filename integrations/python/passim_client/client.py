"""The client: all routes under /api, and what takes several requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException
from os import PathLike
from pathlib import Path
from typing import Any, cast

from .models import Document, PutDocument
from .routes import Routes
from .transport import PassimError, ServerEvent

MAX_RESUMES = 5
"""Attempts in a row to continue a stream that was cut, so that a service that is gone ends it."""

RESUME_SECONDS = 0.25
"""First pause before a stream is continued; it doubles."""

POLL_SECONDS = 0.2


class Client(Routes):
    """A Passim service. Methods are named after the routes: GET /api/documents is get_documents."""

    search = Routes.post_search
    ask = Routes.post_ask

    def ask_events(self, question: str, **options: Any) -> Iterator[ServerEvent]:
        """Yields the events of an answer while it is written; the last is ``answer`` or ``stopped``.

        Takes the options of ``ask``. In a conversation a stream that was cut continues.
        """
        body = {**options, "question": question, "stream": True}
        conversation: str | None = None
        stream = self.stream("POST", "/api/ask", body=body)
        last, attempts = "", 0
        while True:
            try:
                for event in stream:
                    attempts, last = 0, event.id
                    if event.event == "start":
                        conversation = event.data.get("conversation")
                    yield event
                    if event.event in ("answer", "stopped"):
                        return
            except (OSError, HTTPException):
                if not last:
                    raise  # nothing to continue
            if conversation is None or attempts >= MAX_RESUMES:
                raise PassimError("The stream ended before its last event.", code="cut")
            time.sleep(RESUME_SECONDS * 2**attempts)
            attempts += 1
            path = "/api/conversations/{id}/events"
            stream = self.stream("GET", path, {"id": conversation}, query={"after": last or None})

    def iterate(self, method: Callable[..., Any], *places: str, **query: Any) -> Iterator[Any]:
        """Yields the items of all pages of a list: ``iterate(client.get_documents, collection="papers")``."""
        while True:
            page = cast("dict[str, Any]", method(*places, **query))
            [items] = [value for value in page.values() if isinstance(value, list)]
            yield from items
            if not page["hasMore"]:
                return
            query["after"] = page["last"]

    def upload(
        self,
        collection: str,
        file: str | PathLike[str] | bytes,
        *,
        id: str | None = None,
        name: str | None = None,
        attributes: Mapping[str, str | float | bool] | None = None,
    ) -> PutDocument:
        """Puts a file under an id of yours; the same id again replaces it.

        Default: its name, which is also the default of ``id``. Bytes need one of them. The document is
        indexed later: see ``wait``.
        """
        if not isinstance(file, bytes):
            path = Path(file)
            file, name = path.read_bytes(), name or path.name
        own_id = id or name
        if own_id is None:
            raise ValueError("bytes need an id or a name")
        return cast(
            PutDocument,
            self.request(
                "PUT",
                "/api/collections/{id}/documents/{externalId}",
                {"id": collection, "externalId": own_id},
                query={"name": name or own_id, "attributes": attributes},
                body=file,
            ),
        )

    def wait(self, document_id: str, *, timeout: float = 600.0) -> Document:
        """Returns the document once it is indexed. Raises its failure as ``PassimError``."""
        deadline = time.monotonic() + timeout
        while True:
            document = self.get_documents_id(document_id)
            if document["status"] == "failed":
                error = document.get("error") or {}
                raise PassimError(error.get("message", "It failed."), code=error.get("code"))
            if document["status"] != "in_progress":
                return document
            if time.monotonic() > deadline:
                raise PassimError(f"{document_id} is still being indexed.", code="timeout")
            time.sleep(POLL_SECONDS)
