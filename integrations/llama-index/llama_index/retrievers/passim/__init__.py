"""Passim as a LlamaIndex retriever, over HTTP."""

from llama_index.retrievers.passim.base import PassimError, PassimRetriever

__all__ = ["PassimError", "PassimRetriever"]
