# Generated from openapi.json by test/clients/python-code.ts. Do not edit.

from __future__ import annotations

from typing import Any, Literal

from .models import (
    Answer,
    AnswerCalls,
    AnswerCitations,
    AnswerCitationsBoxes,
    AnswerCorrected,
    AnswerSynonyms,
    AnswerToolCitations,
    AnswerUsage,
    AnswerWarnings,
    AskEvent,
    AskEventItem,
    AskEventItem10,
    AskEventItem10Boxes,
    AskEventItem11,
    AskEventItem12,
    AskEventItem13,
    AskEventItem13Event,
    AskEventItem15,
    AskEventItem2,
    AskEventItem3,
    AskEventItem3Hits,
    AskEventItem3HitsCopies,
    AskEventItem3HitsCorrected,
    AskEventItem3HitsExplain,
    AskEventItem3HitsExplainFusion,
    AskEventItem3HitsExplainKeyword,
    AskEventItem3HitsExplainReranked,
    AskEventItem3HitsExplainRerankedParts,
    AskEventItem3HitsExplainTerms,
    AskEventItem3HitsExplainVector,
    AskEventItem3HitsSynonyms,
    AskEventItem4,
    AskEventItem5,
    AskEventItem6,
    AskEventItem7,
    AskEventItem8,
    AskEventItem9,
    AskEventItem9Call,
    AskEvents,
    AskEventsAgent,
    AskEventsAgentEvent,
    AskEventsApproval,
    AskEventsApprovalCall,
    AskEventsCitation,
    AskEventsCitationBoxes,
    AskEventsNotice,
    AskEventsPlan,
    AskEventsReasoning,
    AskEventsRetrieval,
    AskEventsRetrievalHits,
    AskEventsRetrievalHitsCopies,
    AskEventsRetrievalHitsCorrected,
    AskEventsRetrievalHitsExplain,
    AskEventsRetrievalHitsExplainFusion,
    AskEventsRetrievalHitsExplainKeyword,
    AskEventsRetrievalHitsExplainReranked,
    AskEventsRetrievalHitsExplainRerankedParts,
    AskEventsRetrievalHitsExplainTerms,
    AskEventsRetrievalHitsExplainVector,
    AskEventsRetrievalHitsSynonyms,
    AskEventsStart,
    AskEventsStopped,
    AskEventsToken,
    AskEventsTokenReset,
    AskEventsToolCall,
    AskEventsToolResult,
    AskEventsUsage,
    Blocks,
    BlocksBlocks,
    BlocksBlocksLines,
    Chat,
    ChatMessages,
    ChatMessagesParts,
    Chunk,
    ChunkPage,
    Collection,
    CollectionChunking,
    CollectionDocuments,
    CollectionPage,
    Conversation,
    ConversationHead,
    ConversationPage,
    DeletedConversation,
    DeletedDocuments,
    DeletedDocumentsWarnings,
    DeletedSharedLink,
    DeletedThread,
    DeletionList,
    DeletionListDeletions,
    DeletionReport,
    DeletionReportPlaces,
    DeletionReportScan,
    DeletionReportScanFound,
    DoctorReport,
    DoctorReportChecks,
    DoctorReportChecksError,
    Document,
    DocumentChunkEdits,
    DocumentEntry,
    DocumentEntryError,
    DocumentEntryMetadata,
    DocumentEntryWarnings,
    DocumentError,
    DocumentMetadata,
    DocumentPage,
    DocumentReport,
    DocumentReportOcr,
    DocumentWarnings,
    Error,
    ErrorError,
    Event,
    EventData,
    EventDataError,
    ExternalDocumentPage,
    ExternalDocumentPageDocuments,
    FollowUps,
    ForgottenDeletion,
    Found,
    FoundPlaces,
    FoundPlacesBoxes,
    Job,
    JobError,
    JobList,
    Key,
    KeyList,
    ModelSetting,
    ModelSettingAbilities,
    NewKey,
    NewSharedLink,
    Page,
    PageBlocks,
    PageBlocksLines,
    PageReport,
    PageReportOcr,
    PageSize,
    PageWarnings,
    Passage,
    PassageBoxes,
    PostSearchWeights,
    PutDocument,
    PutDocumentError,
    PutDocumentLine,
    PutDocumentLineError,
    PutDocumentMetadata,
    PutDocumentWarnings,
    ReEmbedding,
    Receipt,
    ReceiptKey,
    ReceiptReceipt,
    ReceiptReceiptDocuments,
    ReceiptReceiptPictures,
    ReceiptReceiptQuotations,
    ReceiptReceiptQuotationsBoxes,
    ReceiptReceiptSentences,
    ReceiptReceiptUndrawn,
    Restored,
    Search,
    SearchContext,
    SearchContextOmitted,
    SearchContextPassages,
    SearchHits,
    SearchHitsCopies,
    SearchHitsCorrected,
    SearchHitsExplain,
    SearchHitsExplainFusion,
    SearchHitsExplainKeyword,
    SearchHitsExplainReranked,
    SearchHitsExplainRerankedParts,
    SearchHitsExplainTerms,
    SearchHitsExplainVector,
    SearchHitsSynonyms,
    SearchWarnings,
    SearchWhy,
    SearchWhyKeyword,
    SearchWhyVector,
    SharedConversation,
    SharedConversationTurns,
    SharedConversationTurnsCitations,
    SharedLink,
    SharedLinkList,
    Source,
    SourceError,
    SourceFailures,
    SourceFailuresError,
    SourceList,
    StoppedChat,
    StoppedConversation,
    StoppedThread,
    Synonyms,
    Tables,
    TablesTables,
    TablesTablesCells,
    TablesTablesCellsValue3,
    TablesTablesColumns,
    ThreadEvent,
    ThreadMessage,
    ThreadMessageAttachments,
    ThreadMessages,
    ThreadPage,
    ThreadPageData,
    Turn,
    TurnCitations,
    TurnCitationsBoxes,
    TurnError,
    TurnJudgement,
    TurnToolCitations,
)
from .transport import Transport


class Routes(Transport):
    """One method for each route under /api that answers with JSON or text."""

    def post_find(
        self,
        *,
        text: str | None = None,
        image: str | None = None,
        collections: list[str] | None = None,
        limit: int | None = None,
    ) -> Found:
        """Find where a quotation or a picture of a page comes from.

        text: Quotation to find (1 to 20,000 characters); or `image`.
        image: Picture of a page as a data URI, which OCR reads; or `text`.
        collections: Names or ids of the collections to search (at most 256). Default: all collections.
        limit: Maximum number of places to return (1 to 100, default 5).
        """
        return self.request("POST", "/api/find", {}, body={"text": text, "image": image, "collections": collections, "limit": limit})

    def post_search(
        self,
        *,
        query: str,
        collections: list[str] | None = None,
        documents: list[str] | None = None,
        filter: str | dict[str, Any] | None = None,
        pages: list[int] | None = None,
        mode: Literal["hybrid", "keyword", "vector", "front-page"] | None = None,
        weights: PostSearchWeights | None = None,
        precise: bool | None = None,
        explain: bool | None = None,
        why: str | None = None,
        limit: int | None = None,
        context_tokens: int | None = None,
        n: int | None = None,
    ) -> Search:
        """Search collections.

        query: Question or words to search for, in any language.
        collections: Names or ids of the collections to search (at most 256). Default: the collection `default`.
        documents: Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections.
        filter: Filter on attributes and metadata: a filter object of vector stores, or a filter text as in `passim search --filter`.
        pages: The 2 numbers of the first and last page to search, from 1. Default: all pages.
        mode: Search mode: `hybrid` (keywords and vectors, the default), `keyword`, `vector` or `front-page`.
        weights: Weights of both rankings in hybrid mode, not both 0. Only their ratio matters. Default: the setting `searching.weights`, 1 each unless changed.
        precise: If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read.
        explain: If true, add to each hit how it was ranked. Default false.
        why: Id, source or base name of an expected document. The response explains why it is, or is not, among the hits.
        limit: Maximum number of hits to return (1 to 1,000, default 10).
        context_tokens: Maximum number of tokens of `context`, which contains the hits as text for a model. Default: no `context`.
        n: Another name for `limit` (1 to 1,000), as on the command line.
        """
        return self.request("POST", "/api/search", {}, body={"query": query, "collections": collections, "documents": documents, "filter": filter, "pages": pages, "mode": mode, "weights": weights, "precise": precise, "explain": explain, "why": why, "limit": limit, "contextTokens": context_tokens, "n": n})

    def post_ask(
        self,
        *,
        question: str,
        collections: list[str] | None = None,
        documents: list[str] | None = None,
        model: str | None = None,
        extractive: bool | None = None,
        strictness: float | None = None,
        max_risk: float | None = None,
        precise: bool | None = None,
        effort: Literal["low", "medium", "high"] | None = None,
        stream: bool | None = None,
        conversation: str | None = None,
    ) -> Answer:
        """Answer a question from collections.

        question: Question to answer from the documents, in any language.
        collections: Names or ids of the collections to search (at most 256). Default: the collection `default`.
        documents: Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections.
        model: Name of another chat model on the configured model server. Default: the configured model.
        extractive: If true, answer with quotations from the documents instead of asking a chat model. Default false.
        strictness: How certain an extractive answer has to be (0 to 1). At 0 even unlikely quotations are returned. Default: the setting `answering.strictness` (0.5).
        max_risk: Maximum share of wrong ones among extractive answers and among confirmed sentences of a model (above 0, 1 for any). Less certain answers become refusals with the warning `too_unsure`; less certain sentences are not confirmed (`claims_too_unsure`). Default: the setting `answering.maxRisk` (1).
        precise: If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read.
        effort: How thoroughly to search: `low`, `medium` or `high` splits the question into parts, searches for each, and checks drafts of the answer. Default: one search and no drafts.
        stream: If true, send server-sent events while the answer is written. Default false.
        conversation: Id of the conversation to continue, or `new` to start one. Without it the answer is not stored.
        """
        return self.request("POST", "/api/ask", {}, body={"question": question, "collections": collections, "documents": documents, "model": model, "extractive": extractive, "strictness": strictness, "maxRisk": max_risk, "precise": precise, "effort": effort, "stream": stream, "conversation": conversation})

    def get_conversations(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        title: str | None = None,
        pinned: bool | None = None,
    ) -> ConversationPage:
        """List the conversations, newest first.

        after: Id of the last conversation of the previous page.
        limit: Maximum number of conversations to return (1 to 100, default 20).
        title: Part of the title (at most 200 characters): return only such conversations. Default: all.
        pinned: If true, return only pinned conversations. Default false.
        """
        return self.request("GET", "/api/conversations", {}, query={"after": after, "limit": limit, "title": title, "pinned": pinned})

    def get_conversations_id(
        self,
        conversation_id: str,
        *,
        before: int | None = None,
        limit: int | None = None,
    ) -> Conversation:
        """Get a conversation with its turns.

        before: Number of a turn, from 1: return only turns before it. Default: the last turns.
        limit: Maximum number of turns to return (1 to 100, default 20).
        """
        return self.request("GET", "/api/conversations/{id}", {"id": conversation_id}, query={"before": before, "limit": limit})

    def patch_conversations_id(
        self,
        conversation_id: str,
        *,
        title: str | None = None,
        pinned: bool | None = None,
    ) -> ConversationHead:
        """Rename or pin a conversation.

        title: New title of the conversation (1 to 200 characters). Default: unchanged.
        pinned: Whether it is kept on top of lists; `metadata.pinned` under `/v1`. Default: unchanged.
        """
        return self.request("PATCH", "/api/conversations/{id}", {"id": conversation_id}, body={"title": title, "pinned": pinned})

    def delete_conversations_id(
        self,
        conversation_id: str,
    ) -> DeletedConversation:
        """Delete a conversation permanently."""
        return self.request("DELETE", "/api/conversations/{id}", {"id": conversation_id})

    def post_conversations_id_stop(
        self,
        conversation_id: str,
    ) -> StoppedConversation:
        """Stop the current turn."""
        return self.request("POST", "/api/conversations/{id}/stop", {"id": conversation_id})

    def post_conversations_id_resume(
        self,
        conversation_id: str,
        *,
        stream: bool | None = None,
    ) -> Answer:
        """Resume the last answer where it was interrupted.

        stream: If true, send the events of `/api/ask` while the answer is written. Default false.
        """
        return self.request("POST", "/api/conversations/{id}/resume", {"id": conversation_id}, body={"stream": stream})

    def put_answers_id_judgement(
        self,
        answer_id: str,
        *,
        rating: Literal["good", "bad"] | None,
        reason: str | None = None,
    ) -> Turn:
        """Judge a stored answer.

        rating: Whether the answer is right and complete; null removes the judgement.
        reason: Reason for the rating (1 to 2,000 characters). Default: none.
        """
        return self.request("PUT", "/api/answers/{id}/judgement", {"id": answer_id}, body={"rating": rating, "reason": reason})

    def get_judgements(
        self,
    ) -> str:
        """Export the judged answers as questions for `passim eval`."""
        return self.request("GET", "/api/judgements", {}, as_text=True)

    def get_answers_id_follow_ups(
        self,
        answer_id: str,
    ) -> FollowUps:
        """Suggest questions that may follow a stored answer."""
        return self.request("GET", "/api/answers/{id}/follow-ups", {"id": answer_id})

    def get_answers_id_receipt(
        self,
        answer_id: str,
    ) -> Receipt:
        """Get a signed receipt of a stored answer."""
        return self.request("GET", "/api/answers/{id}/receipt", {"id": answer_id})

    def get_receipts_key(
        self,
    ) -> ReceiptKey:
        """Get the public key of the receipts."""
        return self.request("GET", "/api/receipts/key", {})

    def get_chat_id(
        self,
        chat_id: str,
    ) -> Chat:
        """List the messages of a chat."""
        return self.request("GET", "/api/chat/{id}", {"id": chat_id})

    def post_chat_id_stop(
        self,
        chat_id: str,
    ) -> StoppedChat:
        """Stop the current answer."""
        return self.request("POST", "/api/chat/{id}/stop", {"id": chat_id})

    def get_threads(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> ThreadPage:
        """List the threads, newest first.

        after: Id of the last thread of the previous page.
        limit: Maximum number of threads to return (1 to 100, default 20).
        """
        return self.request("GET", "/api/threads", {}, query={"after": after, "limit": limit})

    def post_threads_messages(
        self,
        *,
        body: Any = None,
    ) -> ThreadMessage:
        """Send a message to a thread, or start a new thread."""
        return self.request("POST", "/api/threads/messages", {}, body=body)

    def get_threads_id_messages(
        self,
        thread_id: str,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> ThreadMessages:
        """List the messages of a thread.

        after: The `message_id` of the last message that the client received (at most 100 characters). Default: the header `Last-Event-ID`, else from the first message.
        limit: Maximum number of messages to return (1 to 1,000, default 100).
        """
        return self.request("GET", "/api/threads/{id}/messages", {"id": thread_id}, query={"after": after, "limit": limit})

    def post_threads_id_stop(
        self,
        thread_id: str,
    ) -> StoppedThread:
        """Stop the current answer."""
        return self.request("POST", "/api/threads/{id}/stop", {"id": thread_id})

    def delete_threads_id(
        self,
        thread_id: str,
    ) -> DeletedThread:
        """Delete a thread permanently."""
        return self.request("DELETE", "/api/threads/{id}", {"id": thread_id})

    def get_documents(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        collection: str | None = None,
    ) -> DocumentPage:
        """List the documents of a collection.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of documents to return (1 to 1,000, default 200).
        collection: Name or id of the collection. Default: the collection `default`.
        """
        return self.request("GET", "/api/documents", {}, query={"after": after, "limit": limit, "collection": collection})

    def post_documents(
        self,
        *,
        url: str,
        collection: str | None = None,
    ) -> DocumentEntry:
        """Add a web page to a collection.

        url: Address of a public web page, beginning with http:// or https:// (at most 2,000 characters).
        collection: Name of the collection, which is created if it does not exist. Default: the collection `default`.
        """
        return self.request("POST", "/api/documents", {}, body={"url": url, "collection": collection})

    def post_documents_id_index(
        self,
        document_id: str,
        *,
        ocr: Literal["auto", "off", "always"] | None = None,
    ) -> DocumentEntry:
        """Index a document again.

        ocr: Which pages to read by OCR from now on: `auto`, `off` or `always`. Default: the setting.
        """
        return self.request("POST", "/api/documents/{id}/index", {"id": document_id}, body={"ocr": ocr})

    def get_documents_id(
        self,
        document_id: str,
    ) -> Document:
        """Get a document with its extraction report."""
        return self.request("GET", "/api/documents/{id}", {"id": document_id})

    def get_documents_id_text(
        self,
        document_id: str,
    ) -> str:
        """Get the parsed text of a document."""
        return self.request("GET", "/api/documents/{id}/text", {"id": document_id}, as_text=True)

    def get_documents_id_pages_page(
        self,
        document_id: str,
        page: str,
    ) -> Page:
        """Get the text of a page with its boxes."""
        return self.request("GET", "/api/documents/{id}/pages/{page}", {"id": document_id, "page": page})

    def get_documents_id_blocks(
        self,
        document_id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> Blocks:
        """List the blocks of a document.

        after: Offset in the parsed text in UTF-16 units: return the blocks that end after it (default 0).
        limit: Maximum number of blocks to return (1 to 500, default 200).
        """
        return self.request("GET", "/api/documents/{id}/blocks", {"id": document_id}, query={"after": after, "limit": limit})

    def get_documents_id_tables(
        self,
        document_id: str,
        *,
        format: Literal["json", "csv"] | None = None,
        table: int | None = None,
    ) -> Tables:
        """Get the tables of a document.

        format: Format of the response. Default: CSV if the `Accept` header names `text/csv`, else JSON.
        table: Number of a single table to return, from 1. Default: all tables in JSON, the first in CSV.
        """
        return self.request("GET", "/api/documents/{id}/tables", {"id": document_id}, query={"format": format, "table": table})

    def get_documents_id_chunks(
        self,
        document_id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> ChunkPage:
        """List the chunks of a document.

        after: Number of chunks to skip: the value of `last` in the previous answer (default 0).
        limit: Maximum number of chunks to return (1 to 200, default 50).
        """
        return self.request("GET", "/api/documents/{id}/chunks", {"id": document_id}, query={"after": after, "limit": limit})

    def get_collections_id_documents_external_id_chunks(
        self,
        collection_id: str,
        external_id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> ChunkPage:
        """List the chunks of a document by an id of yours.

        after: Number of chunks to skip: the value of `last` in the previous answer (default 0).
        limit: Maximum number of chunks to return (1 to 200, default 50).
        """
        return self.request("GET", "/api/collections/{id}/documents/{externalId}/chunks", {"id": collection_id, "externalId": external_id}, query={"after": after, "limit": limit})

    def patch_documents_id_chunks_chunk_id(
        self,
        document_id: str,
        chunk_id: str,
        *,
        is_excluded: bool | None = None,
        note: str | None = None,
    ) -> Chunk:
        """Switch a chunk off, or add a note to it.

        is_excluded: True: no search or answer finds the chunk. False: they do. Default: unchanged.
        note: Note that is searched with the chunk and never quoted (at most 1,000 characters). Empty: remove it. Default: unchanged.
        """
        return self.request("PATCH", "/api/documents/{id}/chunks/{chunkId}", {"id": document_id, "chunkId": chunk_id}, body={"isExcluded": is_excluded, "note": note})

    def patch_collections_id_documents_external_id_chunks_chunk_id(
        self,
        collection_id: str,
        external_id: str,
        chunk_id: str,
        *,
        is_excluded: bool | None = None,
        note: str | None = None,
    ) -> Chunk:
        """Change a chunk of a document by an id of yours.

        is_excluded: True: no search or answer finds the chunk. False: they do. Default: unchanged.
        note: Note that is searched with the chunk and never quoted (at most 1,000 characters). Empty: remove it. Default: unchanged.
        """
        return self.request("PATCH", "/api/collections/{id}/documents/{externalId}/chunks/{chunkId}", {"id": collection_id, "externalId": external_id, "chunkId": chunk_id}, body={"isExcluded": is_excluded, "note": note})

    def get_jobs(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        collection: str | None = None,
    ) -> JobList:
        """List the jobs, newest first.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of jobs to return (1 to 1,000, default 50).
        collection: Name or id of the collection. Default: jobs of all collections.
        """
        return self.request("GET", "/api/jobs", {}, query={"after": after, "limit": limit, "collection": collection})

    def get_jobs_id(
        self,
        job_id: str,
    ) -> Job:
        """Get a job and its progress."""
        return self.request("GET", "/api/jobs/{id}", {"id": job_id})

    def post_jobs_id_cancel(
        self,
        job_id: str,
    ) -> Job:
        """Cancel a job."""
        return self.request("POST", "/api/jobs/{id}/cancel", {"id": job_id})

    def post_jobs_id_retry(
        self,
        job_id: str,
    ) -> Job:
        """Retry a failed job."""
        return self.request("POST", "/api/jobs/{id}/retry", {"id": job_id})

    def get_sources(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> SourceList:
        """List the sources of the settings, with their last and next run.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of sources to return (1 to 1,000, default 100).
        """
        return self.request("GET", "/api/sources", {}, query={"after": after, "limit": limit})

    def post_sources_name_run(
        self,
        name: str,
    ) -> Source:
        """Run a source now."""
        return self.request("POST", "/api/sources/{name}/run", {"name": name})

    def get_collections(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> CollectionPage:
        """List the collections.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of collections to return (1 to 1,000, default 200).
        """
        return self.request("GET", "/api/collections", {}, query={"after": after, "limit": limit})

    def get_collections_id(
        self,
        collection_id: str,
    ) -> Collection:
        """Get a collection by its id or name."""
        return self.request("GET", "/api/collections/{id}", {"id": collection_id})

    def post_collections_id_re_embed(
        self,
        collection_id: str,
        *,
        embedder: str,
    ) -> ReEmbedding:
        """Re-embed a collection with another model.

        embedder: Name of the embedding model, as in `--embedder`: one of the settings `embedder` and `embedders`, the built-in model, or `none` for keyword search only.
        """
        return self.request("POST", "/api/collections/{id}/re-embed", {"id": collection_id}, body={"embedder": embedder})

    def post_collections_id_move(
        self,
        collection_id: str,
        *,
        engine: Literal["lance", "weaviate"],
    ) -> ReEmbedding:
        """Move a collection to another index engine.

        engine: Index engine to move the collection to.
        """
        return self.request("POST", "/api/collections/{id}/move", {"id": collection_id}, body={"engine": engine})

    def post_collections_id_documents(
        self,
        collection_id: str,
        *,
        id: str | None = None,
        text: str | None = None,
        markdown: str | None = None,
        html: str | None = None,
        records: list[dict[str, str | float | bool | None]] | None = None,
        title: str | None = None,
        attributes: dict[str, str | float | bool] | None = None,
        language: str | None = None,
        url: str | None = None,
    ) -> PutDocument:
        """Add texts or records to a collection.

        id: Your own id of the document (1 to 512 characters), unique in the collection: the same id again replaces the document. Default: a new id.
        text: Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`.
        markdown: Content as Markdown, in place of `text`.
        html: An HTML page, or a part of one.
        records: Flat objects, which become the rows of one table. Their keys are its columns.
        title: Title of the document (1 to 500 characters). Default: the title that its text states, else its id.
        attributes: Attributes of the document, to filter by (at most 16).
        language: Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text.
        url: Address where people read the document (at most 2,000 characters). It is not fetched.
        """
        return self.request("POST", "/api/collections/{id}/documents", {"id": collection_id}, body={"id": id, "text": text, "markdown": markdown, "html": html, "records": records, "title": title, "attributes": attributes, "language": language, "url": url})

    def get_collections_id_documents(
        self,
        collection_id: str,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> ExternalDocumentPage:
        """List your ids of documents, with hashes.

        after: Value of `last` in the previous answer (at most 512 characters). Default: start with the first document.
        limit: Maximum number of documents to return (1 to 10,000, default 1,000).
        """
        return self.request("GET", "/api/collections/{id}/documents", {"id": collection_id}, query={"after": after, "limit": limit})

    def post_collections_id_documents_delete(
        self,
        collection_id: str,
        *,
        ids: list[str] | None = None,
        filter: str | dict[str, Any] | None = None,
        dry_run: bool | None = None,
        now: bool | None = None,
    ) -> DeletedDocuments:
        """Delete documents by ids or by a filter.

        ids: Your ids of the documents (at most 1,000).
        filter: Filter on attributes and metadata, as in `POST /api/search`.
        dry_run: If true, count the documents without deleting them. Default false.
        now: If true, delete permanently. Default false: the deletion can be restored for a week.
        """
        return self.request("POST", "/api/collections/{id}/documents/delete", {"id": collection_id}, body={"ids": ids, "filter": filter, "dryRun": dry_run, "now": now})

    def put_collections_id_documents_external_id(
        self,
        collection_id: str,
        external_id: str,
        *,
        name: str | None = None,
        text: str | None = None,
        markdown: str | None = None,
        html: str | None = None,
        records: list[dict[str, str | float | bool | None]] | None = None,
        title: str | None = None,
        attributes: dict[str, str | float | bool] | None = None,
        language: str | None = None,
        url: str | None = None,
    ) -> PutDocument:
        """Put a document under an id of yours.

        name: File name of a body that is the file itself (at most 255 characters). Default: the id.
        text: Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`.
        markdown: Content as Markdown, in place of `text`.
        html: An HTML page, or a part of one.
        records: Flat objects, which become the rows of one table. Their keys are its columns.
        title: Title of the document (1 to 500 characters). Default: the title that its text states, else its id.
        attributes: Attributes of the document, to filter by (at most 16).
        language: Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text.
        url: Address where people read the document (at most 2,000 characters). It is not fetched.
        """
        return self.request("PUT", "/api/collections/{id}/documents/{externalId}", {"id": collection_id, "externalId": external_id}, query={"name": name}, body={"text": text, "markdown": markdown, "html": html, "records": records, "title": title, "attributes": attributes, "language": language, "url": url})

    def get_collections_id_documents_external_id(
        self,
        collection_id: str,
        external_id: str,
    ) -> Document:
        """Get a document by an id of yours."""
        return self.request("GET", "/api/collections/{id}/documents/{externalId}", {"id": collection_id, "externalId": external_id})

    def delete_collections_id_documents_external_id(
        self,
        collection_id: str,
        external_id: str,
        *,
        now: bool | None = None,
    ) -> ForgottenDeletion:
        """Delete a document by an id of yours.

        now: If true, delete permanently. Default false: the deletion can be restored for a week.
        """
        return self.request("DELETE", "/api/collections/{id}/documents/{externalId}", {"id": collection_id, "externalId": external_id}, query={"now": now})

    def get_collections_id_synonyms(
        self,
        collection_id: str,
    ) -> Synonyms:
        """Get the synonyms of a collection."""
        return self.request("GET", "/api/collections/{id}/synonyms", {"id": collection_id})

    def put_collections_id_synonyms(
        self,
        collection_id: str,
        *,
        text: str,
    ) -> Synonyms:
        """Replace the synonyms of a collection.

        text: Synonyms, one group per line: terms with commas between them, or `a => b` for one direction (at most 262,144 characters, 2,000 groups of 20 terms).
        """
        return self.request("PUT", "/api/collections/{id}/synonyms", {"id": collection_id}, body={"text": text})

    def delete_collections_id_synonyms(
        self,
        collection_id: str,
    ) -> Synonyms:
        """Remove the synonyms of a collection."""
        return self.request("DELETE", "/api/collections/{id}/synonyms", {"id": collection_id})

    def get_deletions(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> DeletionList:
        """List deletions that can be restored.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of deletions to return (1 to 1,000, default 1000).
        """
        return self.request("GET", "/api/deletions", {}, query={"after": after, "limit": limit})

    def post_deletions(
        self,
        *,
        documents: list[str] | None = None,
        collection: str | None = None,
        file: str | None = None,
        everything: Literal[True] | None = None,
    ) -> DeletionReport:
        """Delete permanently, with a proof.

        documents: Ids of the documents to delete (1 to 1,000).
        collection: Id or name of a collection to delete.
        file: Id of a file to delete, with its documents.
        everything: Delete all documents, files and conversations of the store.
        """
        return self.request("POST", "/api/deletions", {}, body={"documents": documents, "collection": collection, "file": file, "everything": everything})

    def post_deletions_id_restore(
        self,
        deletion_id: str,
        *,
        as_: str | None = None,
    ) -> Restored:
        """Restore a deletion.

        as_: New name for a restored vector store, needed if its name is in use again (1 to 128 characters).
        """
        return self.request("POST", "/api/deletions/{id}/restore", {"id": deletion_id}, body={"as": as_})

    def delete_deletions_id(
        self,
        deletion_id: str,
    ) -> ForgottenDeletion:
        """Delete permanently, without a way to restore."""
        return self.request("DELETE", "/api/deletions/{id}", {"id": deletion_id})

    def get_citations_id(
        self,
        citation_id: str,
        *,
        start: int,
        end: int,
        page: int | None = None,
    ) -> Passage:
        """Get the text of a span and its boxes on the page.

        start: Offset of the first character in the parsed text, in UTF-16 units, from 0.
        end: Offset after the last character, in UTF-16 units: 1 to 100,000 more than `start`. Beyond the text, it means its end.
        page: Number of the page, from 1, to show to a browser. No other effect.
        """
        return self.request("GET", "/api/citations/{id}", {"id": citation_id}, query={"start": start, "end": end, "page": page})

    def get_checks(
        self,
        *,
        model: Literal["true", "false"] | None = None,
    ) -> DoctorReport:
        """Check the models and the storage of the service.

        model: `true` also sends two short requests to the chat model, to see what it can do. Default: `false`.
        """
        return self.request("GET", "/api/checks", {}, query={"model": model})

    def get_keys(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> KeyList:
        """List the keys.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of keys to return (1 to 1,000, default 1000).
        """
        return self.request("GET", "/api/keys", {}, query={"after": after, "limit": limit})

    def post_keys(
        self,
        *,
        name: str,
        tenant: str | None = None,
        scope: Literal["read", "write", "admin"] | None = None,
        collections: list[str] | None = None,
        filter: str | dict[str, Any] | None = None,
    ) -> NewKey:
        """Create a key; its token is returned only once.

        name: Name of the key (1 to 100 characters).
        tenant: Tenant whose store the key opens. Default: `default`.
        scope: What the key may do: `read`, `write` (the default; includes `read`) or `admin` (includes both).
        collections: Names or ids of the only collections that the key sees (at most 256). It needs the scope `read`. Default: all.
        filter: Condition of the only documents that the key sees, such as `team=it`, or a filter object of vector stores. It needs the scope `read`. Default: all.
        """
        return self.request("POST", "/api/keys", {}, body={"name": name, "tenant": tenant, "scope": scope, "collections": collections, "filter": filter})

    def delete_keys_id(
        self,
        key_id: str,
    ) -> Key:
        """Revoke a key."""
        return self.request("DELETE", "/api/keys/{id}", {"id": key_id})

    def get_conversations_id_links(
        self,
        conversation_id: str,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> SharedLinkList:
        """List the valid links to a conversation.

        after: Value of `last` in the previous answer. Default: start with the first.
        limit: Maximum number of links to return (1 to 1,000, default 100).
        """
        return self.request("GET", "/api/conversations/{id}/links", {"id": conversation_id}, query={"after": after, "limit": limit})

    def post_conversations_id_links(
        self,
        conversation_id: str,
        *,
        days: float | None = None,
    ) -> NewSharedLink:
        """Create a read-only link to a conversation; its token is returned only once.

        days: Days until the link expires, at most `server.sharedLinkDays` of the settings. Default: as many.
        """
        return self.request("POST", "/api/conversations/{id}/links", {"id": conversation_id}, body={"days": days})

    def delete_conversations_id_links_link_id(
        self,
        conversation_id: str,
        link_id: str,
    ) -> DeletedSharedLink:
        """Revoke a link to a conversation."""
        return self.request("DELETE", "/api/conversations/{id}/links/{linkId}", {"id": conversation_id, "linkId": link_id})

    def post_shared(
        self,
        *,
        token: str,
        before: int | None = None,
        limit: int | None = None,
    ) -> SharedConversation:
        """Read a conversation by a link.

        token: Token of the link (at most 200 characters).
        before: Number of a turn, from 1: return only turns before it. Default: the last turns.
        limit: Maximum number of turns to return (1 to 100, default 20).
        """
        return self.request("POST", "/api/shared", {}, body={"token": token, "before": before, "limit": limit})

    def get_model(
        self,
    ) -> ModelSetting:
        """Get the chat model of the service."""
        return self.request("GET", "/api/model", {})

    def put_model(
        self,
        *,
        url: str,
        name: str,
        key: str | None = None,
        max_input_tokens: int | None = None,
    ) -> ModelSetting:
        """Set the chat model of the service.

        url: Address of a server with `/chat/completions`, such as `http://127.0.0.1:11434/v1` (at most 2,000 characters).
        name: Name of the model (1 to 200 characters).
        key: Key of the server (1 to 2,000 characters), which is never returned. Default: the key so far, if the server is the same.
        max_input_tokens: Maximum number of tokens of a request, at most what the model reads; 0 means no limit. Default: 58,000.
        """
        return self.request("PUT", "/api/model", {}, body={"url": url, "name": name, "key": key, "maxInputTokens": max_input_tokens})

    def delete_model(
        self,
    ) -> ModelSetting:
        """Use no chat model."""
        return self.request("DELETE", "/api/model", {})
