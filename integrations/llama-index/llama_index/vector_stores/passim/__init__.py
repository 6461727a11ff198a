"""Passim as a LlamaIndex vector store, over HTTP."""

from llama_index.vector_stores.passim.base import PassimVectorStore

__all__ = ["PassimVectorStore"]
