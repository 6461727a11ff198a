import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import httpx
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)

from llama_index.retrievers.passim.base import PassimError, to_node

BATCH = 1_000
"""Most ids that the service deletes in one request; keeps one answer below 1 MiB."""

POLL_SECONDS = 0.1

DOCUMENT = "ref_doc_id"
"""Attribute with the id of the document that a node is part of."""

MODES = {
    VectorStoreQueryMode.DEFAULT: "hybrid",
    VectorStoreQueryMode.HYBRID: "hybrid",
    VectorStoreQueryMode.SEMANTIC_HYBRID: "hybrid",
    VectorStoreQueryMode.SPARSE: "keyword",
    VectorStoreQueryMode.TEXT_SEARCH: "keyword",
}

OPERATORS = {
    FilterOperator.EQ: "eq",
    FilterOperator.NE: "ne",
    FilterOperator.GT: "gt",
    FilterOperator.GTE: "gte",
    FilterOperator.LT: "lt",
    FilterOperator.LTE: "lte",
    FilterOperator.IN: "in",
    FilterOperator.NIN: "nin",
}


class PassimVectorStore(BasePydanticVectorStore):
    """A collection of a Passim service, which embeds the texts. Embeddings of nodes have no effect.

    A node is a document under its id: the same id again replaces it. Its metadata become attributes (at most 15 texts,
    numbers or booleans), nested ones under names such as `loc.page`.
    """

    stores_text: bool = True
    is_embedding_query: bool = False
    collection: str
    url: str
    indexing_timeout: float
    _client: httpx.Client = PrivateAttr()

    def __init__(
        self,
        collection: str = "default",
        *,
        url: str = "http://127.0.0.1:7700",
        api_key: str | None = None,
        timeout: float = 60,
        indexing_timeout: float = 600,
    ) -> None:
        """
        Args:
            collection: Name or id. The first node makes a collection that does not exist.
            url: Address of the service (`passim serve`).
            api_key: Key of the service. Default: none, as for a service on the same machine.
            timeout: Seconds to wait for an answer.
            indexing_timeout: Seconds to wait until nodes can be found.
        """
        super().__init__(collection=collection, url=url, indexing_timeout=indexing_timeout)
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=timeout)

    @classmethod
    def class_name(cls) -> str:
        return "PassimVectorStore"

    @property
    def client(self) -> httpx.Client:
        return self._client

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Returns the ids when all nodes can be found. Raises `PassimError`, and `RuntimeError` for a node that failed."""
        lines = [json.dumps(_to_document(node)) for node in nodes]
        for start in range(0, len(lines), BATCH):
            self._add_lines(lines[start : start + BATCH])
        deadline = time.monotonic() + self.indexing_timeout
        for node in nodes:
            self._wait(node.node_id, deadline)
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Deletes the nodes of a document. They can be restored for a week (`passim restore`)."""
        self._delete_matching({"type": "eq", "key": DOCUMENT, "value": ref_doc_id})

    def delete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any
    ) -> None:
        if (node_ids is None) == (filters is None):
            raise ValueError("Name the ids or the filters of the nodes to delete.")
        for start in range(0, len(node_ids or []), BATCH):
            self._delete_some({"ids": node_ids[start : start + BATCH]})
        if filters is not None:
            self._delete_matching(_to_filter(filters))

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Scores are confidences (0 to 1)."""
        if not query.query_str:
            raise ValueError("Passim searches by the text of a query, and not by its embedding.")
        if query.mode not in MODES or query.node_ids:
            raise NotImplementedError("Passim has no search by node ids, and none in this mode.")
        body: dict[str, Any] = {
            "query": query.query_str,
            "mode": MODES[query.mode],
            "collections": [self.collection],
            "limit": query.similarity_top_k,
        }
        filters = [_to_filter(query.filters)] if query.filters and query.filters.filters else []
        if query.doc_ids:
            filters.append({"type": "in", "key": DOCUMENT, "value": query.doc_ids})
        if filters:
            body["filter"] = {"type": "and", "filters": filters}
        hits = _read_json(self._client.post("/api/search", json=body))["hits"]
        nodes = [_to_stored_node(hit) for hit in hits]
        return VectorStoreQueryResult(
            nodes=nodes,
            similarities=[hit.get("confidence", 0.0) for hit in hits],
            ids=[node.node_id for node in nodes],
        )

    def _path(self) -> str:
        return f"/api/collections/{quote(self.collection, safe='')}/documents"

    def _add_lines(self, lines: list[str]) -> None:
        headers = {"content-type": "application/x-ndjson"}
        response = self._client.post(self._path(), content="\n".join(lines), headers=headers)
        if not response.is_success:
            raise PassimError(response)
        for line in filter(None, response.text.split("\n")):  # an id may contain other ends of lines
            if error := json.loads(line).get("error"):
                raise PassimError(response, error)

    def _wait(self, node_id: str, deadline: float) -> None:
        while True:
            document = _read_json(self._client.get(f"{self._path()}/{quote(node_id, safe='')}"))
            if document["status"] == "completed":
                return
            if document["status"] != "in_progress":
                reason = document.get("error", {}).get("message", document["status"])
                raise RuntimeError(f"The node {node_id} was not indexed: {reason}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"The node {node_id} was not indexed within {self.indexing_timeout} s.")
            time.sleep(POLL_SECONDS)

    def _delete_matching(self, condition: dict[str, Any]) -> None:
        while self._delete_some({"filter": condition}):
            pass

    def _delete_some(self, selection: dict[str, Any]) -> bool:
        """Returns whether more nodes match."""
        return _read_json(self._client.post(f"{self._path()}/delete", json=selection))["hasMore"]


def _read_json(response: httpx.Response) -> Any:
    if not response.is_success:
        raise PassimError(response)
    return response.json()


def _to_document(node: BaseNode) -> dict[str, Any]:
    attributes = _flatten(node.metadata)
    if node.ref_doc_id is not None:
        attributes[DOCUMENT] = node.ref_doc_id
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    return {"id": node.node_id, "text": text, "attributes": attributes}


def _flatten(metadata: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in metadata.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{name}."))
        elif value is not None:
            flat[f"{prefix}{name}"] = value
    return flat


def _to_stored_node(hit: dict[str, Any]) -> TextNode:
    """Has the id and the metadata that the caller gave, and the place of the passage beside them."""
    node = to_node(hit)
    if hit["source"].startswith("id:"):
        node.id_ = hit["source"].removeprefix("id:")
    node.metadata.update(hit.get("attributes", {}))
    document = node.metadata.pop(DOCUMENT, None)
    if document is not None:
        node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=document)
    return node


def _to_filter(filters: MetadataFilters) -> dict[str, Any]:
    if filters.condition == FilterCondition.NOT:
        raise NotImplementedError("Passim has no filter that negates others: use != and nin.")
    parts = [_to_filter(part) if isinstance(part, MetadataFilters) else _to_comparison(part) for part in filters.filters]
    return {"type": "or" if filters.condition == FilterCondition.OR else "and", "filters": parts}


def _to_comparison(part: MetadataFilter) -> dict[str, Any]:
    if part.operator not in OPERATORS:
        raise NotImplementedError(f"Passim has no filter {part.operator.value}.")
    return {"type": OPERATORS[part.operator], "key": part.key, "value": part.value}
