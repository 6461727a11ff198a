import type { Route, Routes } from '../route.ts'
import type { AnswerName } from './answers.ts'
import { toOperationId } from './operation-id.ts'

type Expressions = Readonly<Record<string, string>>
type Link = {
  readonly operationId: string
  readonly parameters?: Expressions
  readonly requestBody?: object
}

/** Ids in an answer, or in the request to a path without one, by the keys of `PATH_PARAMETERS`. */
const IDS: Readonly<Partial<Record<AnswerName | `/${string}`, Expressions>>> = {
  '/api/chat': { 'chat id': '$request.body#/id' },
  Answer: { 'answers id': '{$response.body#/conversation}.{$response.body#/turn}' },
  Batch: { 'batches id': '$response.body#/id' },
  BatchPage: { 'batches id': '$response.body#/data/0/id' },
  ChunkPage: { 'chunks chunkId': '$response.body#/chunks/0/id' },
  DeletedFile: { 'deletions id': '$response.body#/id' },
  DeletedVectorStore: { 'deletions id': '$response.body#/id' },
  DocumentPage: {
    'citations id': '$response.body#/documents/0/id',
    'documents id': '$response.body#/documents/0/id',
    'pages page': '1',
  },
  File: { 'files id': '$response.body#/id' },
  ItemPage: { 'items itemId': '$response.body#/data/0/id' },
  JobList: { 'jobs id': '$response.body#/jobs/0/id' },
  ModelList: { 'models model': '$response.body#/data/0/id' },
  NewKey: { 'keys id': '$response.body#/id' },
  NewSharedLink: { 'links linkId': '$response.body#/id' },
  OpenAIConversation: {
    'conversations id': '$response.body#/id',
    'threads id': '$response.body#/id',
  },
  PutDocument: {
    'documents id': '$response.body#/id',
    'documents externalId': '$response.body#/externalId',
  },
  Response: { 'responses id': '$response.body#/id' },
  SourceList: { 'sources name': '$response.body#/sources/0/name' },
  ThreadMessage: { 'threads id': '$response.body#/thread_id' },
  Upload: { 'uploads id': '$response.body#/id' },
  VectorStore: { 'vector_stores id': '$response.body#/id', 'collections id': '$response.body#/id' },
  VectorStoreFileBatch: { 'file_batches batchId': '$response.body#/id' },
  VectorStoreFilePage: { 'files fileId': '$response.body#/data/0/id' },
}

/** Bodies with the id of an answer. */
const BODIES: Readonly<Partial<Record<AnswerName, Readonly<Record<string, object>>>>> = {
  File: {
    'POST /v1/batches': {
      input_file_id: '$response.body#/id',
      endpoint: '/v1/embeddings',
      completion_window: '24h',
    },
    'POST /v1/vector_stores': { file_ids: ['$response.body#/id'] },
  },
  ModelList: {
    'POST /v1/responses': {
      model: '$response.body#/data/0/id',
      input: 'What may a hotel cost?',
    },
  },
  OpenAIConversation: {
    'POST /api/ask': {
      question: 'What may a hotel cost?',
      conversation: '$response.body#/id',
    },
    'POST /v1/responses': {
      conversation: '$response.body#/id',
      input: 'What may a hotel cost?',
    },
  },
}

export function describeLinks(
  { answer }: Route,
  {
    method,
    path,
    routes,
  }: { readonly method: string; readonly path: string; readonly routes: Routes },
): Readonly<Record<string, Link>> {
  const ids = IDS[answer ?? (path as `/${string}`)]
  const own = Object.fromEntries(listKeys(path).map(key => [key, `$request.path.${toName(key)}`]))
  const creates = method === 'PUT' || !Object.keys(ids ?? {}).some(key => own[key])
  if (!ids || !creates) return {}
  const known: Expressions = { ...ids, ...own }
  const links = Object.keys(routes).flatMap((name): Link[] => {
    const [verb = '', target = ''] = name.split(' ')
    const keys = listKeys(target)
    const takesId = keys.some(key => ids[key]) && keys.every(key => known[key])
    const requestBody = answer && BODIES[answer]?.[name]
    if (!takesId && !requestBody) return []
    const parameters = Object.fromEntries(keys.map(key => [toName(key), known[key] ?? '']))
    return [
      {
        operationId: toOperationId(verb, target),
        ...(keys.length > 0 && { parameters }),
        ...(requestBody && { requestBody }),
      },
    ]
  })
  return Object.fromEntries(links.map(link => [link.operationId, link]))
}

function listKeys(path: string): readonly string[] {
  return [...path.matchAll(/([a-z_-]+)\/:(\w+)/g)].map(([, owner, name]) => `${owner} ${name}`)
}

function toName(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}
