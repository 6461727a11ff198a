from typing import Any, Literal

import httpx
from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SecretStr

from langchain_passim.client import make_options, read_json, to_document


class PassimRetriever(BaseRetriever):
    """Finds passages of documents that a Passim service has indexed.

    The metadata of a passage say where it is (`source`, `page`, `char_start`, `char_end`), how likely it answers the
    question (`confidence`, 0 to 1), and have the attributes of its document.
    """

    url: str = "http://127.0.0.1:7700"
    """Address of the service (`passim serve`)."""
    api_key: SecretStr | None = None
    """Key of the service. Default: none, as for a service on the same machine."""
    collections: list[str] | None = None
    """Names or ids of the collections to search. Default: the collection `default`."""
    k: int = 10
    """Maximum number of passages to return (1 to 1,000)."""
    mode: Literal["hybrid", "keyword", "vector"] = "hybrid"
    """How to search: by words, by meaning, or by both."""
    filter: str | dict[str, Any] | None = None
    """Filter on attributes: a text such as `year>=2024`, or a filter object as of OpenAI's vector stores."""
    min_confidence: float = 0
    """Minimum confidence of a passage (0 to 1). Hits that are weak have at most 0.03."""
    timeout: float = 60
    """Seconds to wait for an answer."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        with httpx.Client(**self._options()) as client:
            return self._read(client.post("/api/search", json=self._body(query)))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        async with httpx.AsyncClient(**self._options()) as client:
            return self._read(await client.post("/api/search", json=self._body(query)))

    def _options(self) -> dict[str, Any]:
        key = self.api_key.get_secret_value() if self.api_key else None
        return make_options(self.url, key, self.timeout)

    def _body(self, query: str) -> dict[str, Any]:
        chosen = {"collections": self.collections, "filter": self.filter}
        return {
            "query": query,
            "mode": self.mode,
            "limit": self.k,
            **{name: value for name, value in chosen.items() if value is not None},
        }

    def _read(self, response: httpx.Response) -> list[Document]:
        hits = read_json(response)["hits"]
        return [to_document(hit) for hit in hits if hit.get("confidence", 0) >= self.min_confidence]
