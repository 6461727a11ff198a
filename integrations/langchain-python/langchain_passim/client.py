"""Requests to a Passim service, and documents of its hits."""

from typing import Any

import httpx
from langchain_core.documents import Document


class PassimError(Exception):
    """An answer of the service that is not a success: its message, with `status` and `code`."""

    def __init__(self, response: httpx.Response, error: dict[str, Any] | None = None) -> None:
        if error is None and response.headers.get("content-type", "").startswith("application/json"):
            error = response.json().get("error")
        error = error or {}
        super().__init__(error.get("message") or f"{response.url} answered {response.status_code}")
        self.status = response.status_code
        self.code: str | None = error.get("code")


def make_options(url: str, api_key: str | None, timeout: float) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
    return {"base_url": url, "headers": headers, "timeout": timeout}


def read_json(response: httpx.Response) -> Any:
    if not response.is_success:
        raise PassimError(response)
    return response.json()


def to_document(hit: dict[str, Any]) -> Document:
    """Puts the attributes into the metadata, with the place of the passage; `id` is that of the passage."""
    place = {
        "source": hit["source"],
        "title": hit["title"],
        "headings": hit["headings"],
        "document_id": hit["documentId"],
        "page": hit.get("page"),
        "char_start": hit["charStart"],
        "char_end": hit["charEnd"],
        "score": hit["score"],
        "confidence": hit.get("confidence"),
    }
    known = {name: value for name, value in place.items() if value is not None}
    return Document(
        id=hit["chunkId"],
        page_content=hit["text"],
        metadata={**hit.get("attributes", {}), **known},
    )


def to_stored_document(hit: dict[str, Any]) -> Document:
    """Has the id and the metadata that the caller gave, and the place of the passage beside them."""
    document = to_document(hit)
    if hit["source"].startswith("id:"):
        document.id = hit["source"].removeprefix("id:")
    document.metadata.update(hit.get("attributes", {}))
    return document
