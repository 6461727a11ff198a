import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { createId } from '../../system/digest.ts'
import type { RerankedJson } from '../../wire/model.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { markTolerant } from '../http/parameters.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Route, Routes } from '../route.ts'

const MAX_DOCUMENTS = 1_000

/** More than any model reads, so that long texts stay cheap. */
const MAX_CHARS = 32_000

const documentSchema = z.union([z.string(), z.record(z.string(), z.unknown())])

const rerankSchema = markTolerant(
  z.strictObject({
    model: z.string().optional().describe('Any name: this service has one reranking model.'),
    query: z.string().min(1).describe('Question or words to rank the documents by.'),
    documents: z
      .array(documentSchema)
      .min(1)
      .max(MAX_DOCUMENTS)
      .describe('Texts to rank, or objects with text fields (1 to 1,000).'),
    top_n: z
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of results to return (1 or more). Default: all documents.'),
    return_documents: z
      .boolean()
      .default(false)
      .describe('If true, return the text of each document with its result. Default false.'),
    rank_fields: z
      .array(z.string())
      .min(1)
      .default(['text'])
      .describe(
        'Fields to read from documents that are objects, in this order. Default: `["text"]`.',
      ),
  }),
)

type DocumentInput = z.output<typeof documentSchema>

const RERANK: Route = {
  summary: 'Rerank texts by how well they answer a question',
  description: 'Compatible with the rerank clients of Cohere and Jina.',
  body: rerankSchema,
  example: {
    query: 'What may a hotel cost?',
    documents: ['A taxi is paid.', 'Hotels cost at most 120 euros.'],
    top_n: 1,
  },
  answer: 'Reranked',
  mayFailUpstream: true,
  reply: rerank,
}

export const rerankRoutes: Routes = { 'POST /v1/rerank': RERANK, 'POST /v2/rerank': RERANK }

async function rerank(c: RequestContext): Promise<Response> {
  const { query, documents, top_n, return_documents, rank_fields } = await readBody(c, rerankSchema)
  const texts = documents.map((document, index) => getText(document, rank_fields, index))
  const scores = await c.var.passim.texts.rerank(query, texts, c.var.signal)
  const results = scores
    .map((relevance_score, index) => ({
      index,
      relevance_score,
      ...(return_documents && { document: { text: texts[index] ?? '' } }),
    }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
  return streamJson<RerankedJson>(c, {
    id: createId('rerank_'),
    results: results.slice(0, top_n),
    meta: { api_version: { version: '2' } },
  })
}

function getText(document: DocumentInput, fields: readonly string[], index: number): string {
  const parts =
    typeof document === 'string' ? [document] : fields.map(field => document[field] ?? '')
  const text = parts.map(String).filter(Boolean).join('\n').slice(0, MAX_CHARS)
  if (text.trim() === '')
    throw createInvalid(
      localizable`documents.${index}: the document has no text in ${fields.join(' or ')}.`,
      `documents.${index}`,
    )
  return text
}
