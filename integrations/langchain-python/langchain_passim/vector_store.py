import json
import math
import time
import uuid
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

import httpx
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from langchain_passim.client import PassimError, make_options, read_json, to_stored_document

BATCH = 1_000
"""Most ids that the service deletes in one request; keeps one answer below 1 MiB."""
POLL_SECONDS = 0.1


class PassimVectorStore(VectorStore):
    """A collection of a Passim service. Texts are embedded by the service, so no `Embeddings` are needed.

    A text is a document under the caller's id: the same id again replaces it. The metadata become attributes (at most
    16 texts, numbers or booleans), nested ones under names such as `loc.page`.
    """

    def __init__(
        self,
        collection: str,
        *,
        url: str = "http://127.0.0.1:7700",
        api_key: str | None = None,
        timeout: float = 60,
        indexing_timeout: float = 600,
    ) -> None:
        """
        Args:
            collection: Name or id. The first text makes a collection that does not exist.
            url: Address of the service (`passim serve`).
            api_key: Key of the service. Default: none, as for a service on the same machine.
            timeout: Seconds to wait for an answer.
            indexing_timeout: Seconds to wait until texts can be found.
        """
        self._collection = collection
        self._client = httpx.Client(**make_options(url, api_key, timeout))
        self._indexing_timeout = indexing_timeout

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Returns the ids when all texts can be found. Raises `PassimError`, and `RuntimeError` for a text that failed."""
        given = list(texts)
        names = [name or str(uuid.uuid4()) for name in ids or [None] * len(given)]
        metadata = [_flatten(values) for values in metadatas or [{} for _ in given]]
        lines = [
            json.dumps({"id": name, "text": text, "attributes": attributes})
            for name, text, attributes in zip(names, given, metadata, strict=True)
        ]
        for start in range(0, len(lines), BATCH):
            self._add_lines(lines[start : start + BATCH])
        deadline = time.monotonic() + self._indexing_timeout
        for name in names:
            self._wait(name, deadline)
        return names

    def delete(
        self, ids: list[str] | None = None, *, filter: str | dict[str, Any] | None = None, **kwargs: Any
    ) -> bool:
        """Deletes texts by `ids` or by a `filter`. They can be restored for a week (`passim restore`)."""
        if (ids is None) == (filter is None):
            raise ValueError("Name the ids or the filter of the texts to delete.")
        for start in range(0, len(ids or []), BATCH):
            self._delete_some({"ids": ids[start : start + BATCH]})
        while filter is not None and self._delete_some({"filter": filter}):
            pass
        return True

    def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> list[Document]:
        return [document for document, _ in self.similarity_search_with_score(query, k, **kwargs)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: str | dict[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Returns the best passages by words and meaning with their scores, which are comparable within one search."""
        body = {"query": query, "collections": [self._collection], "limit": k}
        hits = read_json(self._client.post("/api/search", json={**body, **({"filter": filter} if filter else {})}))["hits"]
        return [(to_stored_document(hit), hit["score"]) for hit in hits]

    def max_marginal_relevance_search(
        self, query: str, k: int = 4, fetch_k: int = 20, lambda_mult: float = 0.5, **kwargs: Any
    ) -> list[Document]:
        """Returns `k` of the `fetch_k` best passages that differ: `lambda_mult` is 1 for relevance alone, 0 for difference."""
        found = self.similarity_search(query, fetch_k, **kwargs)
        if not found:
            return []
        [target] = self._embed([query], input_type="query")
        vectors = self._embed([document.page_content for document in found])
        return [found[index] for index in _diversify(target, vectors, k, lambda_mult)]

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns complete texts, of files the parsed text, with their metadata. Leaves out ids that have none."""
        documents = []
        for name in ids:
            response = self._client.get(self._path(name))
            if response.status_code == 404:
                continue
            stored = read_json(response)
            part = "file" if stored["mediaType"] == "text/plain" else "text"
            content = self._client.get(f"/api/documents/{stored['id']}/{part}")
            if not content.is_success:
                raise PassimError(content)
            documents.append(Document(id=name, page_content=content.text, metadata=stored["attributes"]))
        return documents

    def _similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Scores are confidences (0 to 1)."""
        documents = self.similarity_search(query, k, **kwargs)
        return [(document, document.metadata.get("confidence", 0.0)) for document in documents]

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        collection: str = "default",
        **kwargs: Any,
    ) -> "PassimVectorStore":
        """`embedding` has no effect: the service embeds."""
        store = cls(collection, **kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _path(self, name: str | None = None) -> str:
        path = f"/api/collections/{quote(self._collection, safe='')}/documents"
        return path if name is None else f"{path}/{quote(name, safe='')}"

    def _add_lines(self, lines: list[str]) -> None:
        headers = {"content-type": "application/x-ndjson"}
        response = self._client.post(self._path(), content="\n".join(lines), headers=headers)
        if not response.is_success:
            raise PassimError(response)
        for line in filter(None, response.text.split("\n")):  # an id may contain other ends of lines
            if error := json.loads(line).get("error"):
                raise PassimError(response, error)

    def _embed(self, texts: list[str], **options: Any) -> list[list[float]]:
        body = {"model": "passim-embedder", "input": texts, **options}
        return [entry["embedding"] for entry in read_json(self._client.post("/v1/embeddings", json=body))["data"]]

    def _delete_some(self, selection: dict[str, Any]) -> bool:
        """Returns whether more texts match."""
        return read_json(self._client.post(f"{self._path()}/delete", json=selection))["hasMore"]

    def _wait(self, name: str, deadline: float) -> None:
        while True:
            document = read_json(self._client.get(self._path(name)))
            if document["status"] == "completed":
                return
            if document["status"] != "in_progress":
                reason = document.get("error", {}).get("message", document["status"])
                raise RuntimeError(f"The text {name} was not indexed: {reason}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"The text {name} was not indexed within {self._indexing_timeout} s.")
            time.sleep(POLL_SECONDS)


def _diversify(target: list[float], vectors: list[list[float]], k: int, weight: float) -> list[int]:
    """Maximal marginal relevance (Carbonell and Goldstein 1998)."""
    chosen: list[int] = []
    rest = list(range(len(vectors)))
    relevance = [_cosine(target, vector) for vector in vectors]
    overlaps = [0.0] * len(vectors)
    while rest and len(chosen) < k:
        share = weight if chosen else 1
        best = max(rest, key=lambda index: share * relevance[index] - (1 - share) * overlaps[index])
        rest.remove(best)
        chosen.append(best)
        for index in rest:
            similarity = _cosine(vectors[best], vectors[index])
            overlaps[index] = similarity if len(chosen) == 1 else max(overlaps[index], similarity)
    return chosen


def _cosine(one: list[float], other: list[float]) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def _flatten(metadata: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in metadata.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{name}."))
        elif value is not None:
            flat[f"{prefix}{name}"] = value
    return flat
