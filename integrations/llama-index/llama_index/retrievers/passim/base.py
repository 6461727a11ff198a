from typing import Any, Literal

import httpx
from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class PassimError(Exception):
    """An answer of the service that is not a success: its message, with `status` and `code`."""

    def __init__(self, response: httpx.Response, error: dict[str, Any] | None = None) -> None:
        if error is None and response.headers.get("content-type", "").startswith("application/json"):
            error = response.json().get("error")
        error = error or {}
        super().__init__(error.get("message") or f"{response.url} answered {response.status_code}")
        self.status = response.status_code
        self.code: str | None = error.get("code")


class PassimRetriever(BaseRetriever):
    """Finds passages of documents that a Passim service has indexed.

    The score of a node is the confidence that it answers the question (0 to 1). Its metadata say where it is (`source`,
    `page`, `char_start`, `char_end`) and have the attributes of its document.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:7700",
        *,
        api_key: str | None = None,
        collections: list[str] | None = None,
        similarity_top_k: int = 10,
        mode: Literal["hybrid", "keyword", "vector"] = "hybrid",
        filter: str | dict[str, Any] | None = None,
        timeout: float = 60,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """
        Args:
            url: Address of the service (`passim serve`).
            api_key: Key of the service. Default: none, as for a service on the same machine.
            collections: Names or ids of the collections to search. Default: the collection `default`.
            similarity_top_k: Maximum number of passages to return (1 to 1,000).
            mode: How to search: by words, by meaning, or by both.
            filter: Filter on attributes: a text such as `year>=2024`, or a filter object as of OpenAI's vector stores.
            timeout: Seconds to wait for an answer.
        """
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._options: dict[str, Any] = {"base_url": url, "headers": headers, "timeout": timeout}
        chosen = {"collections": collections, "filter": filter}
        self._body = {
            "mode": mode,
            "limit": similarity_top_k,
            **{name: value for name, value in chosen.items() if value is not None},
        }
        super().__init__(callback_manager=callback_manager)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        with httpx.Client(**self._options) as client:
            return _read_nodes(client.post("/api/search", json=self._to_body(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        async with httpx.AsyncClient(**self._options) as client:
            return _read_nodes(await client.post("/api/search", json=self._to_body(query_bundle)))

    def _to_body(self, query_bundle: QueryBundle) -> dict[str, Any]:
        return {"query": query_bundle.query_str, **self._body}


def _read_nodes(response: httpx.Response) -> list[NodeWithScore]:
    if not response.is_success:
        raise PassimError(response)
    return [NodeWithScore(node=to_node(hit), score=hit.get("confidence")) for hit in response.json()["hits"]]


def to_node(hit: dict[str, Any]) -> TextNode:
    place = {
        "source": hit["source"],
        "title": hit["title"],
        "headings": hit["headings"],
        "document_id": hit["documentId"],
        "page": hit.get("page"),
        "char_start": hit["charStart"],
        "char_end": hit["charEnd"],
    }
    known = {name: value for name, value in place.items() if value is not None}
    # A model sees where a passage is from, not its offsets.
    hidden = ["document_id", "char_start", "char_end"]
    return TextNode(
        id_=hit["chunkId"],
        text=hit["text"],
        metadata={**hit.get("attributes", {}), **known},
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
