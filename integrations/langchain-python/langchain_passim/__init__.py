"""Passim as a LangChain retriever and vector store, over HTTP."""

from langchain_passim.client import PassimError
from langchain_passim.retriever import PassimRetriever
from langchain_passim.vector_store import PassimVectorStore

__all__ = ["PassimError", "PassimRetriever", "PassimVectorStore"]
