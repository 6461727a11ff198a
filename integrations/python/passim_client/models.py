# Generated from openapi.json by test/clients/python-code.ts. Do not edit.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

class ModelSetting(TypedDict):
    isFixed: bool
    """True if only the operator can change the model, in a file or the environment."""
    isShared: bool
    """True if nodes share a database, so that the model is set in the settings of each."""
    url: NotRequired[str]
    """Address of the server of the model; only its origin if the operator set it."""
    name: NotRequired[str]
    """Name of the model. Absent if answers quote the documents."""
    maxInputTokens: NotRequired[int]
    """Maximum number of tokens of a request; 0 means no limit. Absent without a model."""
    hasKey: bool
    """True if requests to the server contain a key."""
    abilities: NotRequired[ModelSettingAbilities]
    """What the model can do, as tested by a change."""


class ModelSettingAbilities(TypedDict):
    """What the model can do, as tested by a change."""

    callsTools: bool
    thinks: bool
    reportsUsage: bool


class DeletionList(TypedDict):
    deletions: list[DeletionListDeletions]
    """Deletions, newest first."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class DeletionListDeletions(TypedDict):
    id: str
    kind: Literal["collection", "document", "file"]
    subjectId: str
    """Id of the deleted collection, document or file."""
    name: str
    """Name of the deleted collection or file, or of the collection that the document was in."""
    collectionId: NotRequired[str]
    """Id of the collection; absent for a file."""
    source: NotRequired[str]
    """Source of a document: absolute path, URL, `upload:NAME` or `id:ID`."""
    documents: int
    chunks: int
    bytes: int
    deletedAt: str
    """Time in RFC 3339, in UTC."""
    expiresAt: str
    """Time in RFC 3339 after which it cannot be restored."""


class DeletionReport(TypedDict):
    """Proof of a permanent deletion."""

    kind: Literal["collection", "document", "file", "store"]
    ids: list[str]
    """Ids of what was deleted; none for a whole store."""
    at: str
    """Time in RFC 3339, in UTC."""
    proved: bool
    """True if nothing is left in any place, and the scan found nothing."""
    places: list[DeletionReportPlaces]
    conversations: list[str]
    """Ids of the deleted conversations that cited the documents."""
    scan: DeletionReportScan
    """Search of every file of the home for samples of what was deleted."""
    unproved: list[Literal["disk", "backups", "outside", "source", "retries", "log", "database", "bucket", "machines", "weaviate"]]
    """What the report cannot prove: `disk` (blocks and snapshots of the file system), `backups`, `outside` (logs, receipts and answers given out, model servers), `source` (the file still exists), `retries` (answers kept 24 hours for an Idempotency-Key), `log` (the catalog was read meanwhile), `database` (log, column statistics and replicas of PostgreSQL), `bucket` (object versions), `machines` (copies on other machines), `weaviate`."""


class DeletionReportPlaces(TypedDict):
    place: Literal["documents", "jobs", "files", "originals", "texts", "vectors", "pictures", "index", "bucket", "caches", "conversations", "responses", "runs", "hits", "events"]
    removed: int
    """Number of rows, files, lists of hits or objects removed."""
    left: int
    """Number that remains, such as bytes that another document has."""


class DeletionReportScan(TypedDict):
    """Search of every file of the home for samples of what was deleted."""

    files: int
    bytes: int
    texts: int
    """Phrases looked for, in UTF-8, UTF-16 and base64."""
    vectors: int
    """Pieces of vectors looked for."""
    originals: int
    """Pieces of original bytes looked for."""
    shared: int
    """Those that other documents have, too: not counted as found."""
    found: list[DeletionReportScanFound]
    """Files of the home that contain any, at most 100."""


class DeletionReportScanFound(TypedDict):
    file: str
    traces: int


class Restored(TypedDict):
    restored: str
    """Id of the restored collection, document or file."""
    kind: Literal["collection", "document", "file"]
    collection: str
    """Name of the collection."""
    source: NotRequired[str]
    """Source of a document: absolute path, URL, `upload:NAME` or `id:ID`."""
    documents: int


class ForgottenDeletion(TypedDict):
    id: str
    deleted: Literal[True]


class Found(TypedDict):
    places: list[FoundPlaces]
    """Places, most similar first. Empty if no document contains the text."""
    seconds: float


class FoundPlaces(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    doc: str
    """Base name of the source."""
    title: str
    similarity: float
    """Share of the letters and digits of the quotation that the place contains (0 to 1); of a picture with many lines, of a sample of them."""
    boxes: list[FoundPlacesBoxes]
    """Boxes of the lines at this place, in formats that have pages."""


class FoundPlacesBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class Search(TypedDict):
    query: str
    mode: str
    hits: list[SearchHits]
    """Hits, best first."""
    warnings: NotRequired[list[SearchWarnings]]
    context: NotRequired[SearchContext]
    """Hits as text for a model; only with `contextTokens`."""
    why: NotRequired[SearchWhy]
    """Reason why the document named by `why` is, or is not, among the hits."""
    seconds: float
    """Duration of the search in seconds."""


class SearchHits(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    score: float
    """Score of the hit; comparable only within one response."""
    confidence: NotRequired[float]
    """Likelihood that the hit answers the query (0 to 1), independent of the other hits."""
    weak: bool
    """True if the hit is likely about something else. Its confidence is at most 0.03."""
    isListing: NotRequired[Literal[True]]
    """True if the passage only lists content, such as a table of contents."""
    chunkId: str
    title: str
    """Title of the document."""
    tableHeader: NotRequired[str]
    """Names of the columns, if the text begins below them inside a table."""
    note: NotRequired[str]
    """Note that a user added to the passage. It is searched, and is no text of the document."""
    attributes: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document. Absent if it has none."""
    copies: NotRequired[list[SearchHitsCopies]]
    """Other places with the same text."""
    corrected: NotRequired[list[SearchHitsCorrected]]
    """Words of the query that no document contains, and the terms that were searched instead."""
    synonyms: NotRequired[list[SearchHitsSynonyms]]
    """Terms of the query, and the synonyms of the collection that were searched, too."""
    notReranked: NotRequired[str]
    """Reason why the requested reranker had no effect."""
    explain: NotRequired[SearchHitsExplain]
    """How the hit was ranked; only with `explain`."""


class SearchHitsCopies(TypedDict):
    chunkId: str
    documentId: str
    source: str
    name: str
    """Base name of the source."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""


SearchHitsCorrected = TypedDict("SearchHitsCorrected", {
    "from": "str",
    "to": "list[str]",
})


SearchHitsSynonyms = TypedDict("SearchHitsSynonyms", {
    "from": "str",
    "to": "list[str]",
})


class SearchHitsExplain(TypedDict):
    """How the hit was ranked; only with `explain`."""

    terms: list[SearchHitsExplainTerms]
    """Terms of the query that the passage contains."""
    keyword: NotRequired[SearchHitsExplainKeyword]
    """Rank and score of the passage in keyword search."""
    vector: NotRequired[SearchHitsExplainVector]
    """Rank and score of the passage in vector search."""
    fusion: NotRequired[SearchHitsExplainFusion]
    """Part of the score that each of the two searches adds."""
    filter: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document that the filter compared."""
    reranked: NotRequired[SearchHitsExplainReranked]


class SearchHitsExplainTerms(TypedDict):
    term: str
    weight: float
    """Part of the BM25 score that the term adds."""


class SearchHitsExplainKeyword(TypedDict):
    """Rank and score of the passage in keyword search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class SearchHitsExplainVector(TypedDict):
    """Rank and score of the passage in vector search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class SearchHitsExplainFusion(TypedDict):
    """Part of the score that each of the two searches adds."""

    keyword: float
    vector: float


class SearchHitsExplainReranked(TypedDict):
    rank: int
    """Rank before the reranker, from 1."""
    score: float
    """Score that the reranker gave."""
    parts: NotRequired[SearchHitsExplainRerankedParts]


class SearchHitsExplainRerankedParts(TypedDict):
    search: float
    reranker: float


class SearchWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class SearchContext(TypedDict):
    """Hits as text for a model; only with `contextTokens`."""

    text: str
    """Passages, each after the number by which a model can cite it."""
    tokens: int
    passages: list[SearchContextPassages]
    omitted: list[SearchContextOmitted]
    """Hits that were left out because of the token limit or because their text is repeated."""


class SearchContextPassages(TypedDict):
    id: int
    """Number of the passage in `text`."""
    documentId: str
    source: str
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""


class SearchContextOmitted(TypedDict):
    documentId: str
    source: str
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    reason: Literal["budget", "repeated"]


class SearchWhy(TypedDict):
    """Reason why the document named by `why` is, or is not, among the hits."""

    outcome: Literal["found", "copy", "not-indexed", "filtered", "wording", "no-match", "below"]
    message: str
    """Outcome as a sentence."""
    keyword: NotRequired[SearchWhyKeyword]
    """Best rank and score of the document in keyword search."""
    vector: NotRequired[SearchWhyVector]
    """Best rank and score of the document in vector search."""
    missingTerms: list[str]
    """Terms of the query that the document does not contain."""


class SearchWhyKeyword(TypedDict):
    """Best rank and score of the document in keyword search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class SearchWhyVector(TypedDict):
    """Best rank and score of the document in vector search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class Answer(TypedDict):
    question: str
    answer: str
    abstained: bool
    """True if the documents contain no answer."""
    mode: Literal["extractive", "model"]
    """`extractive`: quoted from the documents. `model`: written by a chat model."""
    confidence: NotRequired[float]
    """Likelihood that the quotations of an extractive answer answer the question (0 to 1)."""
    citations: list[AnswerCitations]
    toolCitations: NotRequired[list[AnswerToolCitations]]
    """Citations of results of tools."""
    unsupported: NotRequired[list[str]]
    """Claims that no source supports: claims that a source contradicts, quotations that are in no source, and claims without any evidence."""
    unconfirmed: NotRequired[list[str]]
    """Claims that the sources neither state nor contradict. Claims without any evidence are also in `unsupported`."""
    warnings: NotRequired[list[AnswerWarnings]]
    """Reasons why the answer may be incomplete, such as documents that are still being indexed."""
    corrected: NotRequired[list[AnswerCorrected]]
    """Words of the query that no document contains, and the terms that were searched instead."""
    synonyms: NotRequired[list[AnswerSynonyms]]
    """Terms of the query, and the synonyms of the collection that were searched, too."""
    usage: NotRequired[AnswerUsage]
    """Number of tokens of all model calls; absent if no model was called."""
    incomplete: NotRequired[Literal["length", "content-filter", "max-model-calls", "max-tool-calls"]]
    """Reason why the answer ended early."""
    calls: NotRequired[list[AnswerCalls]]
    """Tool calls that the caller has to run or approve."""
    object: NotRequired[Any]
    """The answer as data, if the request had a schema."""
    seconds: float
    """Seconds from the question to the complete answer."""
    conversation: NotRequired[str]
    """Id of the conversation that the answer is in."""
    turn: NotRequired[int]
    """Number of the turn in the conversation, from 1."""


class AnswerCitations(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    marker: int
    """Number in the text: `3` for `[3]`."""
    fileId: NotRequired[str]
    """Id of the file of the document, as in `/v1/files`, if it has one."""
    doc: str
    """Base name of the source."""
    pageLabel: NotRequired[str]
    """Label of `page` that the document states, such as `iv`, if it is another."""
    boxes: NotRequired[list[AnswerCitationsBoxes]]
    """Boxes of the lines that contain the quoted words, in formats that have pages."""
    quoteVerified: Literal[True]
    """The quotation was read back from the stored document and is identical."""
    verified: Literal[True]
    """Older name of `quoteVerified`, always equal to it."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class AnswerCitationsBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class AnswerToolCitations(TypedDict):
    marker: int
    """Number in the text: `3` for `[3]`. Citations of documents and of tools share the numbers."""
    tool: str
    callId: str
    """Id of the tool call; empty if the caller that ran the tool sent none."""
    arguments: str
    """Arguments of the tool call, as the model wrote them."""
    charStart: int
    """Offset of the first quoted character in the tool's result, in UTF-16 units."""
    charEnd: int
    text: str
    """Quoted words of the tool's result."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted words state the claim that carries the marker."""


class AnswerWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


AnswerCorrected = TypedDict("AnswerCorrected", {
    "from": "str",
    "to": "list[str]",
})


AnswerSynonyms = TypedDict("AnswerSynonyms", {
    "from": "str",
    "to": "list[str]",
})


class AnswerUsage(TypedDict):
    """Number of tokens of all model calls; absent if no model was called."""

    promptTokens: int
    completionTokens: int
    totalTokens: int
    cost: NotRequired[float]
    """Price of the tokens, as the model server reports it."""


class AnswerCalls(TypedDict):
    id: str
    name: str
    arguments: str
    """Arguments as JSON, exactly as the model wrote them."""
    problem: NotRequired[str]
    """Error in the call, if any. Such a call is not run."""


AskEvent = Union["AskEventItem", "AskEventItem2", "AskEventItem3", "AskEventItem4", "AskEventItem5", "AskEventItem6", "AskEventItem7", "AskEventItem8", "AskEventItem9", "AskEventItem10", "AskEventItem11", "AskEventItem12", "AskEventItem13", "Answer", "AskEventItem15", "Error"]


class AskEventItem(TypedDict):
    """Data of `start`."""

    question: str
    conversation: NotRequired[str]
    """Id of the conversation that the answer is in."""
    turn: NotRequired[int]
    """Number of the turn in the conversation, from 1."""


class AskEventItem2(TypedDict):
    """Data of `plan`: the parts of a split question."""

    questions: list[str]


class AskEventItem3(TypedDict):
    """Data of `retrieval`: the hits of one search."""

    query: str
    hits: list[AskEventItem3Hits]


class AskEventItem3Hits(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    score: float
    """Score of the hit; comparable only within one response."""
    confidence: NotRequired[float]
    """Likelihood that the hit answers the query (0 to 1), independent of the other hits."""
    weak: bool
    """True if the hit is likely about something else. Its confidence is at most 0.03."""
    isListing: NotRequired[Literal[True]]
    """True if the passage only lists content, such as a table of contents."""
    chunkId: str
    title: str
    """Title of the document."""
    tableHeader: NotRequired[str]
    """Names of the columns, if the text begins below them inside a table."""
    note: NotRequired[str]
    """Note that a user added to the passage. It is searched, and is no text of the document."""
    attributes: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document. Absent if it has none."""
    copies: NotRequired[list[AskEventItem3HitsCopies]]
    """Other places with the same text."""
    corrected: NotRequired[list[AskEventItem3HitsCorrected]]
    """Words of the query that no document contains, and the terms that were searched instead."""
    synonyms: NotRequired[list[AskEventItem3HitsSynonyms]]
    """Terms of the query, and the synonyms of the collection that were searched, too."""
    notReranked: NotRequired[str]
    """Reason why the requested reranker had no effect."""
    explain: NotRequired[AskEventItem3HitsExplain]
    """How the hit was ranked; only with `explain`."""


class AskEventItem3HitsCopies(TypedDict):
    chunkId: str
    documentId: str
    source: str
    name: str
    """Base name of the source."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""


AskEventItem3HitsCorrected = TypedDict("AskEventItem3HitsCorrected", {
    "from": "str",
    "to": "list[str]",
})


AskEventItem3HitsSynonyms = TypedDict("AskEventItem3HitsSynonyms", {
    "from": "str",
    "to": "list[str]",
})


class AskEventItem3HitsExplain(TypedDict):
    """How the hit was ranked; only with `explain`."""

    terms: list[AskEventItem3HitsExplainTerms]
    """Terms of the query that the passage contains."""
    keyword: NotRequired[AskEventItem3HitsExplainKeyword]
    """Rank and score of the passage in keyword search."""
    vector: NotRequired[AskEventItem3HitsExplainVector]
    """Rank and score of the passage in vector search."""
    fusion: NotRequired[AskEventItem3HitsExplainFusion]
    """Part of the score that each of the two searches adds."""
    filter: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document that the filter compared."""
    reranked: NotRequired[AskEventItem3HitsExplainReranked]


class AskEventItem3HitsExplainTerms(TypedDict):
    term: str
    weight: float
    """Part of the BM25 score that the term adds."""


class AskEventItem3HitsExplainKeyword(TypedDict):
    """Rank and score of the passage in keyword search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class AskEventItem3HitsExplainVector(TypedDict):
    """Rank and score of the passage in vector search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class AskEventItem3HitsExplainFusion(TypedDict):
    """Part of the score that each of the two searches adds."""

    keyword: float
    vector: float


class AskEventItem3HitsExplainReranked(TypedDict):
    rank: int
    """Rank before the reranker, from 1."""
    score: float
    """Score that the reranker gave."""
    parts: NotRequired[AskEventItem3HitsExplainRerankedParts]


class AskEventItem3HitsExplainRerankedParts(TypedDict):
    search: float
    reranker: float


class AskEventItem4(TypedDict):
    """Data of `token`: a piece of the answer."""

    text: str


class AskEventItem5(TypedDict):
    """Data of `token_reset`: the tokens so far, which were reasoning."""

    reasoning: str


class AskEventItem6(TypedDict):
    """Data of `reasoning`: a piece of the reasoning of the model."""

    text: str


class AskEventItem7(TypedDict):
    """Data of `tool_call`: a call by the model."""

    id: str
    name: str
    arguments: str
    """Arguments as JSON, exactly as the model wrote them."""
    problem: NotRequired[str]
    """Error in the call, if any. Such a call is not run."""


class AskEventItem8(TypedDict):
    """Data of `tool_result`: the result of the call with this id."""

    id: str
    name: str
    text: str


class AskEventItem9(TypedDict):
    """Data of `approval`: a call that waits for approval."""

    call: AskEventItem9Call


class AskEventItem9Call(TypedDict):
    id: str
    name: str
    arguments: str
    """Arguments as JSON, exactly as the model wrote them."""
    problem: NotRequired[str]
    """Error in the call, if any. Such a call is not run."""


class AskEventItem10(TypedDict):
    """Data of `citation`."""

    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    marker: int
    """Number in the text: `3` for `[3]`."""
    fileId: NotRequired[str]
    """Id of the file of the document, as in `/v1/files`, if it has one."""
    doc: str
    """Base name of the source."""
    pageLabel: NotRequired[str]
    """Label of `page` that the document states, such as `iv`, if it is another."""
    boxes: NotRequired[list[AskEventItem10Boxes]]
    """Boxes of the lines that contain the quoted words, in formats that have pages."""
    quoteVerified: Literal[True]
    """The quotation was read back from the stored document and is identical."""
    verified: Literal[True]
    """Older name of `quoteVerified`, always equal to it."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class AskEventItem10Boxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class AskEventItem11(TypedDict):
    """Data of `usage`: the tokens of one model call."""

    promptTokens: int
    completionTokens: int
    totalTokens: int
    cost: NotRequired[float]
    """Price of the tokens, as the model server reports it."""


class AskEventItem12(TypedDict):
    """Data of `notice`: a message beside the answer."""

    name: str
    text: str


class AskEventItem13(TypedDict):
    """Data of `agent`: an event of another agent that was called."""

    name: str
    event: AskEventItem13Event


class AskEventItem13Event(TypedDict):
    type: str


class AskEventItem15(TypedDict):
    """Data of `stopped`, the last event of an answer that was stopped."""

    reason: NotRequired[str]
    message: NotRequired[str]


class ConversationHead(TypedDict):
    id: str
    title: str
    createdAt: str
    """Time in RFC 3339, in UTC."""
    updatedAt: str
    """Time in RFC 3339, in UTC."""
    turns: int
    pinned: bool
    """True if it is kept on top of lists."""


class ConversationPage(TypedDict):
    conversations: list[ConversationHead]
    """Conversations, newest first."""
    sharedLinkDays: float
    """Days that a link to a conversation is valid; 0 if the operator allows none."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class Conversation(TypedDict):
    id: str
    title: str
    createdAt: str
    """Time in RFC 3339, in UTC."""
    updatedAt: str
    """Time in RFC 3339, in UTC."""
    turnCount: int
    turns: list[Turn]
    """Turns, oldest first. Use `before` for earlier ones."""
    hasMore: bool
    """True if there are earlier turns."""


class SharedLink(TypedDict):
    id: str
    """Id of the link, for revoking it; not its token."""
    turns: int
    """Number of turns that the link shows; later ones are not shared."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    expiresAt: str
    """Time in RFC 3339, in UTC."""


class SharedLinkList(TypedDict):
    links: list[SharedLink]
    """Valid links, newest first."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class NewSharedLink(TypedDict):
    id: str
    """Id of the link, for revoking it; not its token."""
    turns: int
    """Number of turns that the link shows; later ones are not shared."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    expiresAt: str
    """Time in RFC 3339, in UTC."""
    token: str
    """Secret of the link. It is not stored, so it cannot be shown again."""


class DeletedSharedLink(TypedDict):
    id: str
    deleted: Literal[True]


class SharedConversation(TypedDict):
    expiresAt: str
    """Time in RFC 3339, in UTC."""
    turns: list[SharedConversationTurns]
    """Completed turns, oldest first."""
    hasMore: bool
    """True if there are earlier turns; `before` requests them."""


class SharedConversationTurns(TypedDict):
    turn: int
    """Number of the turn, from 1."""
    question: NotRequired[str]
    """Absent, as the answer is, if the turn is withheld."""
    answer: NotRequired[str]
    citations: NotRequired[list[SharedConversationTurnsCitations]]
    unsupported: NotRequired[list[str]]
    unconfirmed: NotRequired[list[str]]


class SharedConversationTurnsCitations(TypedDict):
    marker: int
    """Number in the text: `3` for `[3]`."""
    doc: str
    """Base name of the source."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pageLabel: NotRequired[str]
    """Label of `page` that the document states, such as `iv`, if it is another."""
    headings: list[str]
    """Headings above the text, outermost first."""
    text: str
    """Text of the document at this place."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class Turn(TypedDict):
    turn: int
    """Number of the turn, from 1."""
    question: str
    answer: NotRequired[str]
    citations: NotRequired[list[TurnCitations]]
    toolCitations: NotRequired[list[TurnToolCitations]]
    unsupported: NotRequired[list[str]]
    unconfirmed: NotRequired[list[str]]
    abstained: NotRequired[bool]
    """True if the documents contain no answer."""
    mode: NotRequired[Literal["extractive", "model"]]
    incomplete: NotRequired[Literal["length", "content-filter", "max-model-calls", "max-tool-calls"]]
    """Reason why the answer ended early."""
    judgement: NotRequired[TurnJudgement]
    status: Literal["completed", "in_progress", "stopped", "failed"]
    superseded: NotRequired[bool]
    """True if a later turn replaces this one."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    error: NotRequired[TurnError]


class TurnCitations(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    marker: int
    """Number in the text: `3` for `[3]`."""
    fileId: NotRequired[str]
    """Id of the file of the document, as in `/v1/files`, if it has one."""
    doc: str
    """Base name of the source."""
    pageLabel: NotRequired[str]
    """Label of `page` that the document states, such as `iv`, if it is another."""
    boxes: NotRequired[list[TurnCitationsBoxes]]
    """Boxes of the lines that contain the quoted words, in formats that have pages."""
    quoteVerified: Literal[True]
    """The quotation was read back from the stored document and is identical."""
    verified: Literal[True]
    """Older name of `quoteVerified`, always equal to it."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class TurnCitationsBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class TurnToolCitations(TypedDict):
    marker: int
    """Number in the text: `3` for `[3]`. Citations of documents and of tools share the numbers."""
    tool: str
    callId: str
    """Id of the tool call; empty if the caller that ran the tool sent none."""
    arguments: str
    """Arguments of the tool call, as the model wrote them."""
    charStart: int
    """Offset of the first quoted character in the tool's result, in UTF-16 units."""
    charEnd: int
    text: str
    """Quoted words of the tool's result."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted words state the claim that carries the marker."""


class TurnJudgement(TypedDict):
    rating: Literal["good", "bad"]
    reason: NotRequired[str]
    """Reason for the rating, as its reader wrote it."""


class TurnError(TypedDict):
    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class FollowUps(TypedDict):
    questions: list[str]
    """Suggested questions, at most three."""


class DeletedConversation(TypedDict):
    id: str
    deleted: Literal[True]


class ThreadMessage(TypedDict):
    thread_id: str
    message_id: str
    local_thread_id: str
    local_message_id: str
    role: Literal["system", "user", "assistant", "function", "status"]
    content: dict[str, Any]
    """Content with `type` and `text`. A status has `code`, `message` and `extra`."""
    input_skill_id: NotRequired[int]
    attachments: list[ThreadMessageAttachments]
    extra: dict[str, Any]
    created_at: int
    """Time in Unix seconds."""


class ThreadMessageAttachments(TypedDict):
    file_id: str


class ThreadMessages(TypedDict):
    data: list[ThreadMessage]
    has_more: bool


class ThreadEvent(TypedDict):
    thread_id: str


class ThreadPage(TypedDict):
    data: list[ThreadPageData]
    has_more: bool
    last_id: str | None


class ThreadPageData(TypedDict):
    thread_id: str
    title: str
    created_at: int
    """Time in Unix seconds."""
    updated_at: int
    """Time in Unix seconds."""


class StoppedThread(TypedDict):
    thread_id: str
    stopped: bool


class DeletedThread(TypedDict):
    thread_id: str
    deleted: Literal[True]


class Chat(TypedDict):
    id: str
    messages: list[ChatMessages]


class ChatMessages(TypedDict):
    id: str
    role: str
    parts: list[ChatMessagesParts]


class ChatMessagesParts(TypedDict):
    type: str


class StoppedChat(TypedDict):
    stopped: bool


class Receipt(TypedDict):
    receipt: ReceiptReceipt
    signature: str
    """Ed25519 signature of the bytes of `receipt` as they are in the file, 128 hex digits."""


class ReceiptReceipt(TypedDict):
    format: Literal["passim-receipt@1"]
    key: str
    """Public Ed25519 key of the store, 64 hex digits."""
    program: str
    """Name and version of the program that signed."""
    signedAt: str
    """Time of the signature in RFC 3339."""
    answeredAt: str
    """Time of the answer in RFC 3339."""
    question: str
    answer: str
    mode: Literal["extractive", "model"]
    """`extractive`: quoted from the documents. `model`: written by a chat model."""
    outcome: Literal["answered", "refused"]
    """`refused` if the documents contain no answer; the quotations are the nearest ones."""
    sentences: list[ReceiptReceiptSentences]
    """Sentences of the answer. Empty if it is refused."""
    quotations: list[ReceiptReceiptQuotations]
    documents: list[ReceiptReceiptDocuments]
    pictures: list[ReceiptReceiptPictures]
    """Pages of the quotations that can be drawn, at most eight."""
    undrawn: list[ReceiptReceiptUndrawn]


class ReceiptReceiptSentences(TypedDict):
    text: str
    markers: list[int]
    status: Literal["stated", "not-confirmed", "unsupported", "uncited"]
    """`stated`: a source states it. `not-confirmed`: no source states or contradicts it. `unsupported`: a source contradicts it, or none supports it. `uncited`: no claim."""


class ReceiptReceiptQuotations(TypedDict):
    marker: int
    """Number in the text: `3` for `[3]`."""
    documentId: str
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    boxes: NotRequired[list[ReceiptReceiptQuotationsBoxes]]
    """Boxes of the lines that contain the quoted words, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class ReceiptReceiptQuotationsBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class ReceiptReceiptDocuments(TypedDict):
    id: str
    name: str
    source: str
    mediaType: str
    bytes: int
    sha256: str
    """SHA-256 of the original file."""
    parser: str
    """Name and version of the parser."""
    characters: int
    """Length of the parsed text in UTF-16 units."""
    textSha256: str
    """SHA-256 of the parsed text in UTF-16LE."""


class ReceiptReceiptPictures(TypedDict):
    documentId: str
    page: int
    width: float
    """Width of the page in the unit of the boxes."""
    height: float
    boxes: list[list[float]]
    png: str
    """Picture of the page, base64."""


class ReceiptReceiptUndrawn(TypedDict):
    documentId: str
    page: int
    reason: str


class ReceiptKey(TypedDict):
    key: str
    """Public Ed25519 key of the store, 64 hex digits."""


class StoppedConversation(TypedDict):
    conversation: str
    turn: int
    stopped: bool


class Collection(TypedDict):
    id: str
    """Id, which is also the id of the vector store."""
    name: str
    embedderId: str
    """Id of the embedding model, or `none` for keyword search only."""
    dimensions: int
    """Length of the vectors; 0 without vectors."""
    engine: Literal["lance", "weaviate"]
    """Index engine of the collection."""
    chunking: CollectionChunking
    metadata: dict[str, str]
    """Key-value pairs that the caller stored with the object."""
    documents: CollectionDocuments
    """Number of documents by status."""
    chunks: int
    """Number of indexed passages."""
    bytes: int
    """Total size of the files in bytes."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    usedAt: str
    """Time in RFC 3339, in UTC."""
    idleDays: NotRequired[float]
    """Days after the last use until the collection expires. Absent: never."""


class CollectionChunking(TypedDict):
    tokens: int
    """Maximum number of tokens of a passage."""
    overlap: float
    """Share of a passage that the next one repeats, 0 to 0.5."""


class CollectionDocuments(TypedDict):
    """Number of documents by status."""

    in_progress: int
    completed: int
    failed: int
    cancelled: int


class CollectionPage(TypedDict):
    collections: list[Collection]
    """Collections by name."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class Document(TypedDict):
    id: str
    collectionId: str
    fileId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    externalId: NotRequired[str]
    """Id that the caller gave the document, unique in its collection."""
    hash: str
    """SHA-256 of the document's bytes, in hex."""
    parentId: NotRequired[str]
    """Id of the document that this one is attached to."""
    name: str
    """Base name of the source."""
    title: str
    url: NotRequired[str]
    """Address where people read it, as the caller stated it."""
    status: Literal["in_progress", "completed", "failed", "cancelled"]
    searchable: NotRequired[Literal["words", "all"]]
    """`words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it."""
    mediaType: str
    bytes: int
    pages: NotRequired[int]
    """Number of pages, in formats that have pages."""
    chunks: int
    tokens: int
    attributes: dict[str, str | float | bool]
    """Attributes that the user set, to filter by."""
    metadata: DocumentMetadata
    """Metadata that the document itself states."""
    warnings: list[DocumentWarnings]
    error: NotRequired[DocumentError]
    """Reason why indexing failed."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    indexedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""
    collection: str
    """Name of the collection of the document."""
    characters: NotRequired[int]
    """Length of the parsed text in UTF-16 units."""
    report: NotRequired[list[DocumentReport]]
    """Extraction report of each page."""
    chunkEdits: NotRequired[DocumentChunkEdits]
    """Chunks that users switched off or added notes to. Absent if there are none."""


class DocumentMetadata(TypedDict):
    """Metadata that the document itself states."""

    title: NotRequired[str]
    author: NotRequired[str]
    subject: NotRequired[str]
    keywords: NotRequired[str]
    created: NotRequired[str]
    """Date or time in ISO 8601."""
    modified: NotRequired[str]
    """Date or time in ISO 8601."""
    language: NotRequired[str]
    """Language as a BCP 47 tag, such as `en`."""
    charset: NotRequired[str]
    pages: NotRequired[int]


class DocumentWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class DocumentError(TypedDict):
    """Reason why indexing failed."""

    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class DocumentReport(TypedDict):
    page: int
    """Number of the page, from 1."""
    characters: int
    images: int
    garbled: float
    """Share of characters that are unreadable (0 to 1)."""
    label: NotRequired[str]
    """Page label that the document states, such as `iv`."""
    ocr: NotRequired[DocumentReportOcr]
    """Present if the page was read by OCR."""


class DocumentReportOcr(TypedDict):
    """Present if the page was read by OCR."""

    engine: Literal["tesseract", "pp-ocr"]
    confidence: float
    """Mean confidence of OCR on the page (0 to 1)."""


class DocumentChunkEdits(TypedDict):
    """Chunks that users switched off or added notes to. Absent if there are none."""

    excluded: int
    """Number of chunks that are switched off."""
    notes: int
    """Number of chunks with a note."""
    unmatched: int
    """Number of changed chunks whose text is no chunk any more. They have no effect."""


class DocumentEntry(TypedDict):
    id: str
    collectionId: str
    fileId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    externalId: NotRequired[str]
    """Id that the caller gave the document, unique in its collection."""
    hash: str
    """SHA-256 of the document's bytes, in hex."""
    parentId: NotRequired[str]
    """Id of the document that this one is attached to."""
    name: str
    """Base name of the source."""
    title: str
    url: NotRequired[str]
    """Address where people read it, as the caller stated it."""
    status: Literal["in_progress", "completed", "failed", "cancelled"]
    searchable: NotRequired[Literal["words", "all"]]
    """`words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it."""
    mediaType: str
    bytes: int
    pages: NotRequired[int]
    """Number of pages, in formats that have pages."""
    chunks: int
    tokens: int
    attributes: dict[str, str | float | bool]
    """Attributes that the user set, to filter by."""
    metadata: DocumentEntryMetadata
    """Metadata that the document itself states."""
    warnings: list[DocumentEntryWarnings]
    error: NotRequired[DocumentEntryError]
    """Reason why indexing failed."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    indexedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""


class DocumentEntryMetadata(TypedDict):
    """Metadata that the document itself states."""

    title: NotRequired[str]
    author: NotRequired[str]
    subject: NotRequired[str]
    keywords: NotRequired[str]
    created: NotRequired[str]
    """Date or time in ISO 8601."""
    modified: NotRequired[str]
    """Date or time in ISO 8601."""
    language: NotRequired[str]
    """Language as a BCP 47 tag, such as `en`."""
    charset: NotRequired[str]
    pages: NotRequired[int]


class DocumentEntryWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class DocumentEntryError(TypedDict):
    """Reason why indexing failed."""

    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class DocumentPage(TypedDict):
    collection: str
    documents: list[DocumentEntry]
    """Documents, ordered by source."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class PutDocument(TypedDict):
    id: str
    collectionId: str
    fileId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    externalId: NotRequired[str]
    """Id that the caller gave the document, unique in its collection."""
    hash: str
    """SHA-256 of the document's bytes, in hex."""
    parentId: NotRequired[str]
    """Id of the document that this one is attached to."""
    name: str
    """Base name of the source."""
    title: str
    url: NotRequired[str]
    """Address where people read it, as the caller stated it."""
    status: Literal["in_progress", "completed", "failed", "cancelled"]
    searchable: NotRequired[Literal["words", "all"]]
    """`words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it."""
    mediaType: str
    bytes: int
    pages: NotRequired[int]
    """Number of pages, in formats that have pages."""
    chunks: int
    tokens: int
    attributes: dict[str, str | float | bool]
    """Attributes that the user set, to filter by."""
    metadata: PutDocumentMetadata
    """Metadata that the document itself states."""
    warnings: list[PutDocumentWarnings]
    error: NotRequired[PutDocumentError]
    """Reason why indexing failed."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    indexedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""
    collection: str
    """Name of the collection of the document."""
    result: Literal["created", "replaced", "updated", "unchanged"]
    """`replaced`: the new content is being indexed. `updated`: only attributes changed. `unchanged`: nothing changed."""


class PutDocumentMetadata(TypedDict):
    """Metadata that the document itself states."""

    title: NotRequired[str]
    author: NotRequired[str]
    subject: NotRequired[str]
    keywords: NotRequired[str]
    created: NotRequired[str]
    """Date or time in ISO 8601."""
    modified: NotRequired[str]
    """Date or time in ISO 8601."""
    language: NotRequired[str]
    """Language as a BCP 47 tag, such as `en`."""
    charset: NotRequired[str]
    pages: NotRequired[int]


class PutDocumentWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class PutDocumentError(TypedDict):
    """Reason why indexing failed."""

    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class PutDocumentLine(TypedDict):
    line: int
    """Number of the line, from 1."""
    id: NotRequired[str]
    """Your id of the document, or the new one."""
    documentId: NotRequired[str]
    """Id for the routes below `/api/documents`."""
    hash: NotRequired[str]
    """SHA-256 of the document's bytes, in hex."""
    result: NotRequired[Literal["created", "replaced", "updated", "unchanged"]]
    """`replaced`: the new content is being indexed. `updated`: only attributes changed. `unchanged`: nothing changed."""
    error: NotRequired[PutDocumentLineError]
    """Reason why this line was refused."""


class PutDocumentLineError(TypedDict):
    """Reason why this line was refused."""

    message: str
    """Message for people: what failed, why, and what to do."""
    type: Literal["invalid_request_error", "requests", "server_error"]
    """Kind of the error. `requests`: OpenAI's type for too many requests, sent under `/v1` only."""
    param: str | None
    """Path of the request parameter that is wrong, such as `tools.0.type`."""
    code: str
    """Stable code of the kind of error. Under `/v1` it is OpenAI's, where OpenAI has one."""


class ExternalDocumentPage(TypedDict):
    collection: str
    """Name of the collection."""
    documents: list[ExternalDocumentPageDocuments]
    """Documents that have an id of yours, ordered by it."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class ExternalDocumentPageDocuments(TypedDict):
    id: str
    """Your id of the document."""
    documentId: str
    """Id for the routes below `/api/documents`."""
    hash: str
    """SHA-256 of the document's bytes, in hex."""
    status: Literal["in_progress", "completed", "failed", "cancelled"]


class DeletedDocuments(TypedDict):
    matched: int
    """Number of selected documents. Without `dryRun` it stops at 1,001."""
    deleted: int
    """Number of deleted documents."""
    missing: list[str]
    """Ids of the request without a document."""
    warnings: list[DeletedDocumentsWarnings]
    """Attributes of the filter that no document has."""
    hasMore: bool
    """True if more documents match: send the request again."""


class DeletedDocumentsWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class Key(TypedDict):
    id: str
    name: str
    tenant: str
    """Tenant whose store the key opens."""
    scope: Literal["read", "write", "admin"]
    collections: NotRequired[list[str]]
    """Names or ids of the only collections that the key sees. Absent: all."""
    filter: NotRequired[dict[str, Any]]
    """Condition of the only documents that the key sees. Absent: all."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    lastUsedAt: NotRequired[str]
    """Time of the last use in RFC 3339, rounded to a minute; absent if the key was never used."""
    revokedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""


class KeyList(TypedDict):
    keys: list[Key]
    """Keys, newest first."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class DoctorReport(TypedDict):
    ok: bool
    version: str
    node: str
    platform: str
    cores: int
    memoryBytes: int
    machineSettings: dict[str, float]
    """Values on this machine of the settings whose defaults depend on it."""
    settings: dict[str, str | float | bool]
    """Settings of models, limits and retention in effect, without secrets."""
    home: str
    freeBytes: int
    storeFormat: int
    collections: int
    parsers: list[str]
    """Ids of the parsers."""
    embedders: list[str]
    """Names that `--embedder` accepts."""
    hosts: list[str]
    """Hosts of the configured models and of the indexed web pages."""
    checks: list[DoctorReportChecks]


class DoctorReportChecks(TypedDict):
    name: Literal["catalog", "disk", "s3", "database", "weaviate", "embedder", "reranker", "collections", "upkeep", "OCR", "LibreOffice", "parser processes", "answer risk", "chat model", "chat model in use"]
    ok: bool
    detail: str
    error: NotRequired[DoctorReportChecksError]


class DoctorReportChecksError(TypedDict):
    code: Literal["unsupported_format", "empty", "no_text", "encrypted", "corrupt", "too_large", "timeout", "fetch_failed", "forbidden_source", "not_found", "conflict", "invalid_input", "unauthorized", "rate_limited", "model_unavailable", "model_unauthorized", "model_missing", "model_refused", "store_mismatch", "store_unavailable", "disk_full", "cancelled", "internal"]
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class NewKey(TypedDict):
    id: str
    name: str
    tenant: str
    """Tenant whose store the key opens."""
    scope: Literal["read", "write", "admin"]
    collections: NotRequired[list[str]]
    """Names or ids of the only collections that the key sees. Absent: all."""
    filter: NotRequired[dict[str, Any]]
    """Condition of the only documents that the key sees. Absent: all."""
    createdAt: str
    """Time in RFC 3339, in UTC."""
    lastUsedAt: NotRequired[str]
    """Time of the last use in RFC 3339, rounded to a minute; absent if the key was never used."""
    revokedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""
    token: str
    """Secret to send as `Authorization: Bearer TOKEN`. It is not shown again."""


class Page(TypedDict):
    document: str
    """Id of the document."""
    doc: str
    """Base name of the document's source."""
    page: int
    """Number of the page, from 1."""
    pages: NotRequired[int]
    """Number of pages of the document."""
    size: NotRequired[PageSize]
    """Size of the page in the unit of the boxes, if a picture can be made of it."""
    picture: NotRequired[str]
    """Path of the page's picture on this service, if one can be made."""
    text: str
    blocks: list[PageBlocks]
    report: NotRequired[PageReport]
    warnings: list[PageWarnings]
    """Warnings about this page."""


class PageSize(TypedDict):
    """Size of the page in the unit of the boxes, if a picture can be made of it."""

    width: float
    height: float


class PageBlocks(TypedDict):
    kind: Literal["heading", "paragraph", "list", "table", "code", "caption", "listing"]
    text: str
    level: NotRequired[int]
    """Level of a heading (1 to 6, where 1 is the top)."""
    page: NotRequired[int]
    """Number of the page, from 1, in formats that have pages."""
    box: NotRequired[list[float]]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""
    lines: NotRequired[list[PageBlocksLines]]
    """Printed lines, with their offsets in the text of the block."""
    rows: NotRequired[list[list[str]]]
    """Rows of a table, header first. Merged cells are repeated."""
    isContinued: NotRequired[bool]
    """True if the table continues the previous one."""
    numbers: NotRequired[Literal["native", "semicolons"]]
    """Number format of a table. `native`: its numbers are typed values. `semicolons`: semicolons separate its cells."""
    textNumbers: NotRequired[list[list[int]]]
    """Row and column, from 0, of the cells that are text in a table of typed numbers."""
    links: NotRequired[list[str]]
    """Targets of links that the text does not show."""
    linkShare: NotRequired[float]
    """Share of the block's characters that are in links (0 to 1)."""
    charStart: int
    charEnd: int


class PageBlocksLines(TypedDict):
    start: int
    end: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class PageReport(TypedDict):
    page: int
    """Number of the page, from 1."""
    characters: int
    images: int
    garbled: float
    """Share of characters that are unreadable (0 to 1)."""
    label: NotRequired[str]
    """Page label that the document states, such as `iv`."""
    ocr: NotRequired[PageReportOcr]
    """Present if the page was read by OCR."""


class PageReportOcr(TypedDict):
    """Present if the page was read by OCR."""

    engine: Literal["tesseract", "pp-ocr"]
    confidence: float
    """Mean confidence of OCR on the page (0 to 1)."""


class PageWarnings(TypedDict):
    code: str
    """Stable code of the kind of warning."""
    message: str
    """Message for people: what is missing or uncertain, and why."""
    page: NotRequired[int]
    """Number of the page that the warning is about, from 1."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class Blocks(TypedDict):
    blocks: list[BlocksBlocks]
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[int]
    """Value of `after` for the next page."""


class BlocksBlocks(TypedDict):
    kind: Literal["heading", "paragraph", "list", "table", "code", "caption", "listing"]
    text: str
    level: NotRequired[int]
    """Level of a heading (1 to 6, where 1 is the top)."""
    page: NotRequired[int]
    """Number of the page, from 1, in formats that have pages."""
    box: NotRequired[list[float]]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""
    lines: NotRequired[list[BlocksBlocksLines]]
    """Printed lines, with their offsets in the text of the block."""
    rows: NotRequired[list[list[str]]]
    """Rows of a table, header first. Merged cells are repeated."""
    isContinued: NotRequired[bool]
    """True if the table continues the previous one."""
    numbers: NotRequired[Literal["native", "semicolons"]]
    """Number format of a table. `native`: its numbers are typed values. `semicolons`: semicolons separate its cells."""
    textNumbers: NotRequired[list[list[int]]]
    """Row and column, from 0, of the cells that are text in a table of typed numbers."""
    links: NotRequired[list[str]]
    """Targets of links that the text does not show."""
    linkShare: NotRequired[float]
    """Share of the block's characters that are in links (0 to 1)."""
    charStart: int
    charEnd: int


class BlocksBlocksLines(TypedDict):
    start: int
    end: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class ChunkPage(TypedDict):
    chunks: list[Chunk]
    """Chunks in the order of the text."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[int]
    """Value of `after` for the next page."""


class Chunk(TypedDict):
    id: str
    text: str
    context: str
    """Title, headings and table header: indexed and shown to models, never cited."""
    headings: list[str]
    tokens: int
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    charEnd: int
    isListing: NotRequired[Literal[True]]
    isExcluded: NotRequired[Literal[True]]
    """Present if a user switched the chunk off: no search or answer finds it."""
    note: NotRequired[str]
    """Note that a user added. It is searched, and is no text of the document."""


class Tables(TypedDict):
    tables: list[TablesTables]


class TablesTables(TypedDict):
    name: str
    """Name of the table in SQL."""
    caption: str | None
    headings: list[str]
    """Headings above the table, outermost first."""
    page: int | None
    """Number of the page, from 1, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    isCut: bool
    """True if rows were left out because the document has too many cells."""
    key: str | None
    """Name of the column that identifies the rows."""
    columns: list[TablesTablesColumns]
    rows: list[list[str]]
    """Rows of cell texts, without the header."""
    cells: list[list[TablesTablesCells]]
    """Place and value of each cell of `rows`."""
    summaryRows: list[int]
    """Indexes of rows that summarize other rows, from 0."""


class TablesTablesColumns(TypedDict):
    name: str
    """Name that the header states; empty if there is no header."""
    kind: Literal["number", "date", "time", "flag", "text"]
    unit: str | None
    """Unit of the numbers, if the header, the caption or all cells state one."""
    scale: float
    """Factor of the cells, such as 10000 for `万元`. Default 1."""
    measure: str | None
    """Quantity that the numbers measure, such as `length`."""
    isAmbiguous: NotRequired[Literal[True]]
    """True if the column has numbers that can be read in two ways, such as `1.234`."""


class TablesTablesCells(TypedDict):
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    page: NotRequired[int]
    box: NotRequired[list[float]]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""
    value: NotRequired[float | bool | TablesTablesCellsValue3]
    """Value of the column's kind. A time is in minutes after midnight."""
    upTo: NotRequired[float]
    """End of a range that starts with `value`."""
    isInexact: NotRequired[Literal[True]]
    """True if the cell states an approximate value or a bound."""
    unit: NotRequired[str]
    """Unit of this cell, if it differs from the column's unit."""


class TablesTablesCellsValue3(TypedDict):
    year: NotRequired[int]
    month: NotRequired[int]
    day: NotRequired[int]
    quarter: NotRequired[int]
    half: NotRequired[int]


class Passage(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    doc: str
    """Base name of the source."""
    title: str
    boxes: list[PassageBoxes]
    """Boxes of the lines that contain the words, in formats that have pages."""


class PassageBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class Job(TypedDict):
    id: str
    documentId: NotRequired[str]
    """Id of the document; absent if the job is about a complete collection."""
    collectionId: str
    source: str
    """Source of the document, or `collection` and the name of the collection."""
    state: Literal["queued", "running", "completed", "failed", "cancelled"]
    stage: NotRequired[Literal["parse", "chunk", "embed", "write"]]
    done: int
    """Number of pages, chunks or rows done in this stage."""
    total: NotRequired[int]
    """Number of pages, chunks or rows in this stage, once it is determined."""
    secondsLeft: NotRequired[float]
    """Estimated seconds until the end of this stage."""
    startedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""
    finishedAt: NotRequired[str]
    """Time in RFC 3339, in UTC."""
    error: NotRequired[JobError]


class JobError(TypedDict):
    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class JobList(TypedDict):
    jobs: list[Job]
    """Jobs, newest first."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""
    total: int
    """Number of all jobs, also of those not listed here."""
    unattended: int
    """Number of queued jobs that no process works on."""


class Source(TypedDict):
    id: str
    """Id of its job, which shows, cancels and retries the last run."""
    name: str
    """Name of the source in the settings."""
    type: str
    """Kind of the source, such as `folder` or `s3`."""
    collection: str
    """Name of the collection that the source is kept in."""
    everyMinutes: float
    """Minutes between the end of a run and the next one; 0 if it runs on request only."""
    state: Literal["new", "queued", "running", "completed", "failed", "cancelled"]
    done: int
    """Number of documents that the last run compared."""
    startedAt: NotRequired[str]
    """Start of the last run."""
    finishedAt: NotRequired[str]
    """End of the last run."""
    nextAt: NotRequired[str]
    """Start of the next run; absent if none is planned."""
    totals: NotRequired[dict[str, int]]
    """Number of documents of each outcome in the last run."""
    failures: list[SourceFailures]
    """Documents that failed in the last run (the first 20)."""
    error: NotRequired[SourceError]
    """Why the last run failed."""


class SourceFailures(TypedDict):
    source: str
    error: SourceFailuresError


class SourceFailuresError(TypedDict):
    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class SourceError(TypedDict):
    """Why the last run failed."""

    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class SourceList(TypedDict):
    sources: list[Source]
    """Sources, in the order of the settings."""
    hasMore: bool
    """True if there are more after this page."""
    last: NotRequired[str]
    """Value of `after` for the next page."""


class Event(TypedDict):
    id: str
    """Id of the event. The header `Last-Event-ID` or `after` continues after it."""
    type: Literal["document.completed", "document.failed", "document.deleted", "collection.deleted", "job.completed", "job.failed", "job.cancelled", "response.completed", "response.failed", "response.incomplete", "response.cancelled"]
    timestamp: str
    """Time of the change in RFC 3339."""
    data: EventData


class EventData(TypedDict):
    collectionId: NotRequired[str]
    documentId: NotRequired[str]
    externalId: NotRequired[str]
    """Caller's own id of the document."""
    source: NotRequired[str]
    jobId: NotRequired[str]
    responseId: NotRequired[str]
    error: NotRequired[EventDataError]


class EventDataError(TypedDict):
    code: str
    """Stable code of the kind of error, such as `not_found`."""
    message: str
    """Message for people: what failed, why, and what to do."""
    subject: NotRequired[Literal["model", "store"]]
    """Part of the setup that failed. Only on the command line."""
    advice: NotRequired[str]
    """Command or setting that helps. Only on the command line."""


class ReEmbedding(TypedDict):
    collection: str
    """Name of the collection."""
    id: str
    before: NotRequired[str]
    """Previous model or index engine."""
    job: NotRequired[Job]
    """Job that does the work; absent if there is nothing to do."""


class Synonyms(TypedDict):
    collection: str
    """Name of the collection."""
    id: str
    text: str
    """Synonyms, one group per line: terms with commas between them, or `a => b` for one direction. Empty if there are none."""
    groups: int
    """Number of groups."""


class Error(TypedDict):
    error: ErrorError


class ErrorError(TypedDict):
    message: str
    """Message for people: what failed, why, and what to do."""
    type: Literal["invalid_request_error", "requests", "server_error"]
    """Kind of the error. `requests`: OpenAI's type for too many requests, sent under `/v1` only."""
    param: str | None
    """Path of the request parameter that is wrong, such as `tools.0.type`."""
    code: str
    """Stable code of the kind of error. Under `/v1` it is OpenAI's, where OpenAI has one."""


class AskEvents(TypedDict):
    start: AskEventsStart
    """Data of `start`."""
    plan: AskEventsPlan
    """Data of `plan`: the parts of a split question."""
    retrieval: AskEventsRetrieval
    """Data of `retrieval`: the hits of one search."""
    token: AskEventsToken
    """Data of `token`: a piece of the answer."""
    token_reset: AskEventsTokenReset
    """Data of `token_reset`: the tokens so far, which were reasoning."""
    reasoning: AskEventsReasoning
    """Data of `reasoning`: a piece of the reasoning of the model."""
    tool_call: AskEventsToolCall
    """Data of `tool_call`: a call by the model."""
    tool_result: AskEventsToolResult
    """Data of `tool_result`: the result of the call with this id."""
    approval: AskEventsApproval
    """Data of `approval`: a call that waits for approval."""
    citation: AskEventsCitation
    """Data of `citation`."""
    usage: AskEventsUsage
    """Data of `usage`: the tokens of one model call."""
    notice: AskEventsNotice
    """Data of `notice`: a message beside the answer."""
    agent: AskEventsAgent
    """Data of `agent`: an event of another agent that was called."""
    answer: Answer
    """Data of `answer`, the last event: the checked answer."""
    stopped: AskEventsStopped
    """Data of `stopped`, the last event of an answer that was stopped."""
    error: Error
    """Data of `error`, the last event of an answer that failed."""


class AskEventsStart(TypedDict):
    """Data of `start`."""

    question: str
    conversation: NotRequired[str]
    """Id of the conversation that the answer is in."""
    turn: NotRequired[int]
    """Number of the turn in the conversation, from 1."""


class AskEventsPlan(TypedDict):
    """Data of `plan`: the parts of a split question."""

    questions: list[str]


class AskEventsRetrieval(TypedDict):
    """Data of `retrieval`: the hits of one search."""

    query: str
    hits: list[AskEventsRetrievalHits]


class AskEventsRetrievalHits(TypedDict):
    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    score: float
    """Score of the hit; comparable only within one response."""
    confidence: NotRequired[float]
    """Likelihood that the hit answers the query (0 to 1), independent of the other hits."""
    weak: bool
    """True if the hit is likely about something else. Its confidence is at most 0.03."""
    isListing: NotRequired[Literal[True]]
    """True if the passage only lists content, such as a table of contents."""
    chunkId: str
    title: str
    """Title of the document."""
    tableHeader: NotRequired[str]
    """Names of the columns, if the text begins below them inside a table."""
    note: NotRequired[str]
    """Note that a user added to the passage. It is searched, and is no text of the document."""
    attributes: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document. Absent if it has none."""
    copies: NotRequired[list[AskEventsRetrievalHitsCopies]]
    """Other places with the same text."""
    corrected: NotRequired[list[AskEventsRetrievalHitsCorrected]]
    """Words of the query that no document contains, and the terms that were searched instead."""
    synonyms: NotRequired[list[AskEventsRetrievalHitsSynonyms]]
    """Terms of the query, and the synonyms of the collection that were searched, too."""
    notReranked: NotRequired[str]
    """Reason why the requested reranker had no effect."""
    explain: NotRequired[AskEventsRetrievalHitsExplain]
    """How the hit was ranked; only with `explain`."""


class AskEventsRetrievalHitsCopies(TypedDict):
    chunkId: str
    documentId: str
    source: str
    name: str
    """Base name of the source."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""


AskEventsRetrievalHitsCorrected = TypedDict("AskEventsRetrievalHitsCorrected", {
    "from": "str",
    "to": "list[str]",
})


AskEventsRetrievalHitsSynonyms = TypedDict("AskEventsRetrievalHitsSynonyms", {
    "from": "str",
    "to": "list[str]",
})


class AskEventsRetrievalHitsExplain(TypedDict):
    """How the hit was ranked; only with `explain`."""

    terms: list[AskEventsRetrievalHitsExplainTerms]
    """Terms of the query that the passage contains."""
    keyword: NotRequired[AskEventsRetrievalHitsExplainKeyword]
    """Rank and score of the passage in keyword search."""
    vector: NotRequired[AskEventsRetrievalHitsExplainVector]
    """Rank and score of the passage in vector search."""
    fusion: NotRequired[AskEventsRetrievalHitsExplainFusion]
    """Part of the score that each of the two searches adds."""
    filter: NotRequired[dict[str, str | float | bool]]
    """Attributes of the document that the filter compared."""
    reranked: NotRequired[AskEventsRetrievalHitsExplainReranked]


class AskEventsRetrievalHitsExplainTerms(TypedDict):
    term: str
    weight: float
    """Part of the BM25 score that the term adds."""


class AskEventsRetrievalHitsExplainKeyword(TypedDict):
    """Rank and score of the passage in keyword search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class AskEventsRetrievalHitsExplainVector(TypedDict):
    """Rank and score of the passage in vector search."""

    rank: NotRequired[int]
    """Rank from 1; absent if it is below the rows that were read."""
    score: float


class AskEventsRetrievalHitsExplainFusion(TypedDict):
    """Part of the score that each of the two searches adds."""

    keyword: float
    vector: float


class AskEventsRetrievalHitsExplainReranked(TypedDict):
    rank: int
    """Rank before the reranker, from 1."""
    score: float
    """Score that the reranker gave."""
    parts: NotRequired[AskEventsRetrievalHitsExplainRerankedParts]


class AskEventsRetrievalHitsExplainRerankedParts(TypedDict):
    search: float
    reranker: float


class AskEventsToken(TypedDict):
    """Data of `token`: a piece of the answer."""

    text: str


class AskEventsTokenReset(TypedDict):
    """Data of `token_reset`: the tokens so far, which were reasoning."""

    reasoning: str


class AskEventsReasoning(TypedDict):
    """Data of `reasoning`: a piece of the reasoning of the model."""

    text: str


class AskEventsToolCall(TypedDict):
    """Data of `tool_call`: a call by the model."""

    id: str
    name: str
    arguments: str
    """Arguments as JSON, exactly as the model wrote them."""
    problem: NotRequired[str]
    """Error in the call, if any. Such a call is not run."""


class AskEventsToolResult(TypedDict):
    """Data of `tool_result`: the result of the call with this id."""

    id: str
    name: str
    text: str


class AskEventsApproval(TypedDict):
    """Data of `approval`: a call that waits for approval."""

    call: AskEventsApprovalCall


class AskEventsApprovalCall(TypedDict):
    id: str
    name: str
    arguments: str
    """Arguments as JSON, exactly as the model wrote them."""
    problem: NotRequired[str]
    """Error in the call, if any. Such a call is not run."""


class AskEventsCitation(TypedDict):
    """Data of `citation`."""

    documentId: str
    source: str
    """Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document."""
    headings: list[str]
    """Headings above the text, outermost first."""
    page: NotRequired[int]
    """Page of the first word, from 1, in formats that have pages."""
    pages: NotRequired[list[int]]
    """First and last page, in formats that have pages."""
    charStart: int
    """Offset of the first character in the parsed text, in UTF-16 units."""
    charEnd: int
    """Offset after the last character in the parsed text, in UTF-16 units."""
    text: str
    """Text of the document at this place."""
    marker: int
    """Number in the text: `3` for `[3]`."""
    fileId: NotRequired[str]
    """Id of the file of the document, as in `/v1/files`, if it has one."""
    doc: str
    """Base name of the source."""
    pageLabel: NotRequired[str]
    """Label of `page` that the document states, such as `iv`, if it is another."""
    boxes: NotRequired[list[AskEventsCitationBoxes]]
    """Boxes of the lines that contain the quoted words, in formats that have pages."""
    quoteVerified: Literal[True]
    """The quotation was read back from the stored document and is identical."""
    verified: Literal[True]
    """Older name of `quoteVerified`, always equal to it."""
    support: Literal["stated", "not-stated", "unknown"]
    """Whether the quoted place states the claim that carries the marker."""


class AskEventsCitationBoxes(TypedDict):
    page: int
    charStart: int
    charEnd: int
    box: list[float]
    """x0, y0, x1 and y1 in PDF points from the top left of the page."""


class AskEventsUsage(TypedDict):
    """Data of `usage`: the tokens of one model call."""

    promptTokens: int
    completionTokens: int
    totalTokens: int
    cost: NotRequired[float]
    """Price of the tokens, as the model server reports it."""


class AskEventsNotice(TypedDict):
    """Data of `notice`: a message beside the answer."""

    name: str
    text: str


class AskEventsAgent(TypedDict):
    """Data of `agent`: an event of another agent that was called."""

    name: str
    event: AskEventsAgentEvent


class AskEventsAgentEvent(TypedDict):
    type: str


class AskEventsStopped(TypedDict):
    """Data of `stopped`, the last event of an answer that was stopped."""

    reason: NotRequired[str]
    message: NotRequired[str]


class PostSearchWeights(TypedDict):
    """Weights of both rankings in hybrid mode, not both 0. Only their ratio matters. Default: the setting `searching.weights`, 1 each unless changed."""

    keyword: float
    """Weight of the ranking by keyword, 0 or more."""
    vector: float
    """Weight of the ranking by meaning, 0 or more."""
