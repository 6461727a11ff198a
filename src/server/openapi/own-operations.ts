import { askSchema } from '../ask.ts'
import { spanSchema } from '../citations.ts'
import { moveSchema, reEmbedSchema } from '../collections.ts'
import { chatSchema } from '../conversations/chat-routes.ts'
import {
  eventsSchema,
  listConversationsSchema,
  renameSchema,
  resumeSchema,
  turnsSchema,
} from '../conversations/conversation-routes.ts'
import { restoreSchema } from '../deletions.ts'
import { retrievalSchema } from '../dify.ts'
import { addPageSchema, indexAgainSchema, listDocumentsSchema } from '../documents.ts'
import { evaluationSchema } from '../evaluations.ts'
import { listJobsSchema } from '../jobs.ts'
import { createKeySchema } from '../keys.ts'
import { blocksSchema, pictureSchema } from '../pages.ts'
import { rerankSchema } from '../rerank.ts'
import { searchSchema } from '../search.ts'
import { tablesSchema } from '../tables.ts'
import { messageSchema } from '../threads/thread-messages.ts'
import { afterSchema, listThreadsSchema, messagesSchema } from '../threads/thread-routes.ts'
import type { Operation } from './operation.ts'

const RERANKING: Operation = {
  summary: 'Put texts in the order in which they answer a question',
  description: 'As the clients of Cohere and Jina ask.',
  body: rerankSchema,
  example: {
    query: 'What may a hotel cost?',
    documents: ['A taxi is paid.', 'Hotels cost at most 120 euros.'],
    top_n: 1,
  },
  answer: 'Reranked',
  asksModel: true,
}

/** Our own routes, and the adapters to other services. */
export const OWN_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/search': {
    summary: 'Search collections',
    description: 'The JSON is that of `passim search --json`.',
    body: searchSchema,
    example: { query: 'What may a hotel cost?', collections: ['travel'], mode: 'hybrid', limit: 5 },
    answer: 'Search',
    asksModel: true,
  },
  'POST /api/ask': {
    summary: 'Answer a question from collections',
    description:
      'The JSON is that of `passim ask --json`. With `stream: true` the answer comes as server-sent events: `start`, `retrieval`, `token`, `reasoning`, `tool_call`, `tool_result`, `approval`, `citation`, `usage`, `notice`, `agent`, `answer`, and `error` as the last where something goes wrong, or `stopped`.',
    body: askSchema,
    example: { question: 'What may a hotel cost?', collections: ['travel'] },
    answer: 'Answer',
    events: 'AskEvent',
    asksModel: true,
  },
  'POST /api/evaluations': {
    summary: 'Measure how well a collection is searched, under one or two settings',
    description:
      'Each question is searched for, and the first hit of the expected document, with the expected words, counts. With `stream: true` the result comes as server-sent events: `progress`, and `result` or `error` as the last.',
    body: evaluationSchema,
    example: {
      questions: [{ question: 'What may a hotel cost?', document: 'travel.md', words: '120 euros' }],
      settings: [{ mode: 'keyword' }, { mode: 'hybrid' }],
    },
    answer: 'Evaluation',
    events: 'EvaluationEvent',
    asksModel: true,
  },
  'GET /api/conversations': {
    summary: 'List the conversations, newest first',
    query: listConversationsSchema,
    answer: 'ConversationPage',
  },
  'GET /api/conversations/:id': { summary: 'Read a conversation', query: turnsSchema, answer: 'Conversation' },
  'PATCH /api/conversations/:id': {
    summary: 'Rename a conversation',
    body: renameSchema,
    example: { title: 'Travel costs' },
    answer: 'ConversationHead',
  },
  'DELETE /api/conversations/:id': { summary: 'Delete a conversation for good', answer: 'DeletedConversation' },
  'GET /api/conversations/:id/events': {
    summary: 'Watch the turn that is being answered',
    description: 'The events are those of `/api/ask`, each with its number as the id, until the turn ends.',
    query: eventsSchema,
    events: 'AskEvent',
  },
  'POST /api/conversations/:id/resume': {
    summary: 'Go on with the last answer where it was interrupted',
    body: resumeSchema,
    example: { stream: false },
    answer: 'Answer',
    events: 'AskEvent',
    asksModel: true,
  },
  'GET /api/threads': { summary: 'List the threads, newest first', query: listThreadsSchema, answer: 'ThreadPage' },
  'POST /api/threads/messages': {
    summary: 'Send a message of a thread, or the first of a new one',
    description: 'Answers the message as it was kept; what comes of it is read from the events of the thread.',
    body: messageSchema,
    example: { thread_id: '', role: 'user', content: { type: 'plain', text: 'What may a hotel cost?' } },
    answer: 'ThreadMessage',
    asksModel: true,
  },
  'GET /api/threads/:id/messages': { summary: 'Read the messages', query: messagesSchema, answer: 'ThreadMessages' },
  'GET /api/threads/:id/events': {
    summary: 'Read what was missed, and watch the answer under way',
    description:
      'A `message` event for each message with its message_id as the id, a `delta` for pieces of the one that is being written, a `heartbeat` while there is nothing else.',
    query: afterSchema,
    events: 'ThreadEvent',
  },
  'POST /api/threads/:id/stop': { summary: 'Stop the answer under way', answer: 'StoppedThread' },
  'DELETE /api/threads/:id': { summary: 'Delete a thread for good', answer: 'DeletedThread' },
  'POST /api/chat': {
    summary: 'Ask as `useChat` of the AI SDK does',
    description: 'The events are those of its UI message stream, version 1.',
    body: chatSchema,
    example: {
      id: 'travel',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'What may a hotel cost?' }] }],
    },
    media: ['text/event-stream'],
    asksModel: true,
  },
  'GET /api/chat/:id': { summary: 'Read the messages of a chat so far', answer: 'Chat' },
  'GET /api/chat/:id/stream': {
    summary: 'Resume the answer under way from its beginning',
    description: '204 where none is.',
    media: ['text/event-stream'],
  },
  'POST /api/chat/:id/stop': { summary: 'Stop the answer under way', answer: 'StoppedChat' },
  'POST /api/conversations/:id/stop': {
    summary: 'Stop the turn that is being answered',
    answer: 'StoppedConversation',
  },
  'GET /api/documents': {
    summary: 'List the documents of a collection',
    query: listDocumentsSchema,
    answer: 'DocumentPage',
  },
  'POST /api/documents': {
    summary: 'Add a page of the web to a collection',
    description:
      'It is fetched at once and indexed in the background; one that is there and has not changed stays as it is.',
    body: addPageSchema,
    example: { url: 'https://example.org/rules.html', collection: 'travel' },
    answer: 'DocumentEntry',
  },
  'POST /api/documents/:id/index': {
    summary: 'Index a document again',
    description: 'As when its indexing failed, or OCR is there now. A page of the web is fetched anew.',
    body: indexAgainSchema,
    example: { ocr: 'always' },
    answer: 'DocumentEntry',
  },
  'GET /api/documents/:id': { summary: 'Show a document with its extraction report', answer: 'Document' },
  'GET /api/documents/:id/text': { summary: 'Read the parsed text of a document', media: ['text/plain'] },
  'GET /api/documents/:id/file': {
    summary: 'Download the original of a document',
    headers: ['range'],
    media: ['application/octet-stream'],
  },
  'GET /api/documents/:id/tables': {
    summary: 'Read the tables of a document',
    query: tablesSchema,
    answer: 'Tables',
    media: ['text/csv'],
  },
  'GET /api/documents/:id/pages/:page{[0-9]+}': { summary: 'Read a page with its boxes', answer: 'Page' },
  'GET /api/documents/:id/pages/:page{[0-9]+\\.png}': {
    summary: 'See a page as a picture',
    query: pictureSchema,
    media: ['image/png'],
  },
  'GET /api/documents/:id/blocks': {
    summary: 'Read a document block by block',
    query: blocksSchema,
    answer: 'Blocks',
  },
  'GET /api/citations/:id': {
    summary: 'Read the words of a span, and where on the page they stand',
    query: spanSchema,
    answer: 'Passage',
  },
  'GET /api/jobs': { summary: 'List the jobs, newest first', query: listJobsSchema, answer: 'JobList' },
  'GET /api/jobs/:id': { summary: 'Show how far a job is', answer: 'Job' },
  'GET /api/jobs/:id/events': {
    summary: 'Watch a job',
    description: 'A `progress` event for every change, then one named after how it ended.',
    events: 'Job',
  },
  'POST /api/jobs/:id/cancel': { summary: 'Stop a job', answer: 'Job' },
  'POST /api/jobs/:id/retry': { summary: 'Try a failed job again', answer: 'Job' },
  'POST /api/collections/:id/re-embed': {
    summary: 'Give a collection the vectors of another model',
    body: reEmbedSchema,
    example: { embedder: 'multilingual-e5-small' },
    answer: 'ReEmbedding',
  },
  'POST /api/collections/:id/move': {
    summary: 'Move the index of a collection into another engine',
    body: moveSchema,
    example: { engine: 'weaviate' },
    answer: 'ReEmbedding',
  },
  'GET /api/deletions': { summary: 'List what was deleted and can be brought back', answer: 'DeletionList' },
  'POST /api/deletions/:id/restore': {
    summary: 'Bring back what was deleted',
    description:
      'By the id of the deletion, or of what was deleted. Documents are `in_progress` until they can be found again.',
    body: restoreSchema,
    example: { as: 'travel-2025' },
    answer: 'Restored',
  },
  'DELETE /api/deletions/:id': {
    summary: 'See to it that nobody can bring it back',
    answer: 'ForgottenDeletion',
  },
  'GET /api/keys': { summary: 'List the keys', answer: 'KeyList' },
  'POST /api/keys': {
    summary: 'Make a key, whose token is told this once',
    body: createKeySchema,
    example: { name: 'laptop', scope: 'read' },
    status: 201,
    answer: 'NewKey',
  },
  'DELETE /api/keys/:id': { summary: 'Revoke a key', answer: 'Key' },
  'POST /v1/rerank': RERANKING,
  'POST /v2/rerank': RERANKING,
  'POST /retrieval': {
    summary: 'Search as Dify asks external knowledge',
    body: retrievalSchema,
    example: { knowledge_id: 'travel', query: 'What may a hotel cost?', retrieval_setting: { top_k: 5 } },
    answer: 'Records',
    asksModel: true,
  },
  'POST /mcp': {
    summary: 'Speak MCP over streamable HTTP',
    description: 'Bodies are those of the Model Context Protocol. `?collection=NAME` says which vector stores.',
    media: ['application/json', 'text/event-stream'],
  },
  'GET /healthz': { summary: 'Ask whether the process answers', answer: 'Health' },
  'GET /readyz': { summary: 'Ask whether requests may be sent', answer: 'Health' },
  'GET /metrics': { summary: 'Read figures for Prometheus', media: ['text/plain'] },
}
