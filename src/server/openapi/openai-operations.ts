import { z } from 'zod'
import { chatRequestSchema } from '../chat/chat-request.ts'
import {
  addItemsSchema,
  createConversationSchema,
  includeItemsSchema,
  listItemsSchema,
  updateConversationSchema,
} from '../conversations/openai-conversations.ts'
import { embeddingsSchema } from '../embeddings.ts'
import { listUploadedSchema } from '../files.ts'
import { deleteSchema } from '../input.ts'
import { inputTokensSchema, itemsSchema, responseRequestSchema, retrieveSchema } from '../responses/response-request.ts'
import { uploadFormSchema } from '../upload-file.ts'
import { completeUploadSchema, createUploadSchema } from '../uploads.ts'
import { createBatchSchema } from '../vector-store-file-batches.ts'
import { addFileSchema, listFilesSchema, updateFileSchema } from '../vector-store-files.ts'
import { vectorSearchSchema } from '../vector-store-search.ts'
import { createStoreSchema, listStoresSchema, updateStoreSchema } from '../vector-stores.ts'
import type { Operation } from './operation.ts'

const STORE_ID = 'vs_0123456789abcdef0123456789abcdef'
const FILE_ID = 'file-0123456789abcdef0123456789abcdef'

/** The routes that OpenAI's clients know, in the order of its reference. */
export const OPENAI_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/responses': {
    summary: 'Answer from vector stores, with a model or by quotation',
    description:
      'With `stream: true` the answer comes as server-sent events; with `background: true` it is fetched later.',
    body: responseRequestSchema,
    example: {
      input: 'What may a hotel cost?',
      tools: [{ type: 'file_search', vector_store_ids: [STORE_ID] }],
      include: ['file_search_call.results'],
    },
    headers: ['spans'],
    answer: 'Response',
    events: 'ResponseEvent',
    asksModel: true,
  },
  'POST /v1/responses/input_tokens': {
    summary: 'Count the tokens of an input',
    body: inputTokensSchema,
    example: { model: 'gpt-4o', input: 'What may a hotel cost?' },
    answer: 'InputTokens',
  },
  'GET /v1/responses/:id': {
    summary: 'Fetch a stored response, or its events again',
    query: retrieveSchema,
    answer: 'Response',
    events: 'ResponseEvent',
  },
  'DELETE /v1/responses/:id': { summary: 'Delete a stored response', answer: 'DeletedResponse' },
  'POST /v1/responses/:id/cancel': { summary: 'Stop a response that is made in the background', answer: 'Response' },
  'GET /v1/responses/:id/input_items': {
    summary: 'List what a response was asked with',
    query: itemsSchema,
    answer: 'ItemPage',
  },
  'POST /v1/conversations': {
    summary: 'Begin a conversation',
    body: createConversationSchema,
    example: { items: [{ role: 'user', content: 'What may a hotel cost?' }], metadata: { team: 'office' } },
    answer: 'OpenAIConversation',
  },
  'GET /v1/conversations/:id': { summary: 'Show a conversation', answer: 'OpenAIConversation' },
  'POST /v1/conversations/:id': {
    summary: 'Change the notes of a conversation',
    body: updateConversationSchema,
    example: { metadata: { team: 'office' } },
    answer: 'OpenAIConversation',
  },
  'DELETE /v1/conversations/:id': { summary: 'Delete a conversation', answer: 'DeletedOpenAIConversation' },
  'POST /v1/conversations/:id/items': {
    summary: 'Add to a conversation',
    query: includeItemsSchema,
    body: addItemsSchema,
    example: { items: [{ role: 'user', content: 'And a taxi?' }] },
    answer: 'ItemPage',
  },
  'GET /v1/conversations/:id/items': {
    summary: 'List what was said in a conversation',
    query: listItemsSchema,
    answer: 'ItemPage',
  },
  'GET /v1/conversations/:id/items/:itemId': {
    summary: 'Show an item of a conversation',
    query: includeItemsSchema,
    answer: 'Item',
  },
  'DELETE /v1/conversations/:id/items/:itemId': {
    summary: 'Take an item out of a conversation',
    answer: 'OpenAIConversation',
  },
  'POST /v1/chat/completions': {
    summary: 'Go on with a conversation',
    description:
      'A vector store may be named as the model, or in a `file_search` tool. With `stream: true` it comes as chunks.',
    body: chatRequestSchema,
    example: { model: STORE_ID, messages: [{ role: 'user', content: 'What may a hotel cost?' }] },
    headers: ['spans'],
    answer: 'ChatCompletion',
    events: 'ChatCompletionChunk',
    asksModel: true,
  },
  'POST /v1/embeddings': {
    summary: 'Embed texts',
    body: embeddingsSchema,
    example: { model: 'any', input: ['What may a hotel cost?'], encoding_format: 'float', input_type: 'query' },
    answer: 'Embeddings',
    asksModel: true,
  },
  'GET /v1/models': { summary: 'List what may be named as a model', answer: 'ModelList' },
  'GET /v1/models/:model{.+}': { summary: 'Show a model', answer: 'Model' },
  'POST /v1/files': {
    summary: 'Store a file',
    form: { part: 'file', fields: uploadFormSchema },
    answer: 'File',
  },
  'GET /v1/files': { summary: 'List the stored files', query: listUploadedSchema, answer: 'FilePage' },
  'GET /v1/files/:id': { summary: 'Show a file', answer: 'File' },
  'GET /v1/files/:id/content': {
    summary: 'Download a file',
    headers: ['range'],
    media: ['application/octet-stream'],
  },
  'DELETE /v1/files/:id': {
    summary: 'Delete a file, from every vector store too',
    query: deleteSchema,
    answer: 'DeletedFile',
  },
  'POST /v1/uploads': {
    summary: 'Begin an upload in parts',
    body: createUploadSchema,
    example: { filename: 'report.pdf', purpose: 'user_data', bytes: 300_000_000, mime_type: 'application/pdf' },
    answer: 'Upload',
  },
  'POST /v1/uploads/:id/parts': {
    summary: 'Add a part to an upload',
    form: { part: 'data', fields: z.strictObject({}) },
    answer: 'UploadPart',
  },
  'POST /v1/uploads/:id/complete': {
    summary: 'Make a file of the parts of an upload',
    body: completeUploadSchema,
    example: { part_ids: ['part_0123456789abcdef0123456789abcdef'] },
    answer: 'Upload',
  },
  'POST /v1/uploads/:id/cancel': { summary: 'Give up an upload', answer: 'Upload' },
  'POST /v1/vector_stores': {
    summary: 'Make a vector store',
    body: createStoreSchema,
    example: { name: 'travel', file_ids: [FILE_ID], metadata: { team: 'office' } },
    answer: 'VectorStore',
  },
  'GET /v1/vector_stores': { summary: 'List the vector stores', query: listStoresSchema, answer: 'VectorStorePage' },
  'GET /v1/vector_stores/:id': { summary: 'Show a vector store', answer: 'VectorStore' },
  'POST /v1/vector_stores/:id': {
    summary: 'Change a vector store',
    body: updateStoreSchema,
    example: { name: 'travel', expires_after: { anchor: 'last_active_at', days: 30 } },
    answer: 'VectorStore',
  },
  'DELETE /v1/vector_stores/:id': {
    summary: 'Delete a vector store',
    query: deleteSchema,
    answer: 'DeletedVectorStore',
  },
  'POST /v1/vector_stores/:id/search': {
    summary: 'Search a vector store',
    body: vectorSearchSchema,
    example: {
      query: 'What may a hotel cost?',
      max_num_results: 5,
      filters: { type: 'eq', key: 'year', value: 2026 },
    },
    headers: ['spans'],
    answer: 'VectorStoreSearchResults',
    asksModel: true,
  },
  'POST /v1/vector_stores/:id/files': {
    summary: 'Index a file in a vector store',
    body: addFileSchema,
    example: { file_id: FILE_ID, attributes: { year: 2026 } },
    answer: 'VectorStoreFile',
  },
  'GET /v1/vector_stores/:id/files': {
    summary: 'List the files of a vector store',
    query: listFilesSchema,
    answer: 'VectorStoreFilePage',
  },
  'GET /v1/vector_stores/:id/files/:fileId': { summary: 'Show how far a file is', answer: 'VectorStoreFile' },
  'POST /v1/vector_stores/:id/files/:fileId': {
    summary: 'Change the attributes of a file',
    body: updateFileSchema,
    example: { attributes: { year: 2026 } },
    answer: 'VectorStoreFile',
  },
  'DELETE /v1/vector_stores/:id/files/:fileId': {
    summary: 'Take a file out of a vector store',
    query: deleteSchema,
    answer: 'DeletedVectorStoreFile',
  },
  'GET /v1/vector_stores/:id/files/:fileId/content': {
    summary: 'Read the parsed text of a file',
    answer: 'VectorStoreFileContent',
  },
  'POST /v1/vector_stores/:id/file_batches': {
    summary: 'Index several files together',
    body: createBatchSchema,
    example: { file_ids: [FILE_ID] },
    answer: 'VectorStoreFileBatch',
  },
  'GET /v1/vector_stores/:id/file_batches/:batchId': {
    summary: 'Show how far a batch is',
    answer: 'VectorStoreFileBatch',
  },
  'POST /v1/vector_stores/:id/file_batches/:batchId/cancel': {
    summary: 'Stop a batch',
    answer: 'VectorStoreFileBatch',
  },
  'GET /v1/vector_stores/:id/file_batches/:batchId/files': {
    summary: 'List the files of a batch',
    query: listFilesSchema,
    answer: 'VectorStoreFilePage',
  },
}
