import { z } from 'zod'
import {
  type AddToServer,
  answer,
  explainFaults,
  READ_ONLY,
  toDocumentUri,
  toPassageUri,
  warningsSchema,
} from './offer.ts'

const inputSchema = z.object({
  query: z.string().min(1).describe('Question or words to search for, in any language.'),
  limit: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .describe('Maximum number of documents to return (1 to 50, default 10).'),
})

const outputSchema = z.object({
  results: z.array(
    z.object({
      id: z.string().describe('Id of the document, to pass to fetch.'),
      title: z.string(),
      url: z.string().describe('URI of the resource that contains the text of the document.'),
      text: z.string().describe('Text of the best passage.'),
      passage: z.string().describe('URI of the resource that contains the passage.'),
      page: z
        .number()
        .optional()
        .describe('First page of the passage, from 1, in formats that have pages.'),
      score: z.number().describe('Score of the passage; comparable only within one result.'),
    }),
  ),
  warnings: warningsSchema,
})

/** Passages per requested document, so that enough documents are among them. */
const PASSAGES_PER_DOCUMENT = 4

/** `search` as ChatGPT's connectors expect it: one result per document. */
export const addSearch: AddToServer = (server, passim, scope) => {
  const { collections } = scope
  const about = {
    title: 'Search documents',
    description:
      'Find documents about a question. Each result quotes the best passage of one document.',
    annotations: READ_ONLY,
  }
  server.registerTool(
    'search',
    { ...about, inputSchema: explainFaults(inputSchema), outputSchema },
    ({ query, limit }, { mcpReq: { signal } }) =>
      answer(scope, async () => {
        const passages = limit * PASSAGES_PER_DOCUMENT
        const hits = await passim.search(
          { query, collections, limit: passages, signal },
          'distinct',
        )
        const best = hits.filter(
          (hit, index) => hits.findIndex(other => other.documentId === hit.documentId) === index,
        )
        const results = best
          .slice(0, limit)
          .map(({ documentId: id, title, name, text, pages, score, ...span }) => ({
            id,
            title: title || name,
            url: toDocumentUri(id),
            text,
            passage: toPassageUri(id, span),
            score,
            ...(pages && { page: pages[0] }),
          }))
        const warnings = await passim.searchWarnings({ collections })
        return { results, ...(warnings.length > 0 && { warnings }) }
      }),
  )
}
