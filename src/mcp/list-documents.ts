import { z } from 'zod'
import { readDocumentsAfter, take } from './document-pages.ts'
import { type AddToServer, answer, explainFaults, READ_ONLY, toDocumentUri } from './offer.ts'

const inputSchema = z.object({
  after: z
    .string()
    .optional()
    .describe(
      'Id of the last document of the previous page. Default: start with the first document.',
    ),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(200)
    .describe('Maximum number of documents to return (1 to 1,000, default 200).'),
})

const outputSchema = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      title: z.string(),
      url: z.string().describe('URI of the resource that contains the text.'),
      status: z.string().describe('`in_progress`, `completed`, `failed` or `cancelled`.'),
      searchable: z
        .enum(['words', 'all'])
        .optional()
        .describe(
          '`words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it.',
        ),
      pages: z.number().optional().describe('Number of pages, in formats that have pages.'),
      error: z.string().optional().describe('Code of the error that indexing failed with.'),
    }),
  ),
  has_more: z.boolean().describe('True if there are more documents after this page.'),
})

export const addListDocuments: AddToServer = (server, passim, scope) => {
  const about = {
    title: 'List documents',
    description: 'List the documents, page by page, with their status.',
    annotations: READ_ONLY,
  }
  server.registerTool(
    'list_documents',
    { ...about, inputSchema: explainFaults(inputSchema), outputSchema },
    ({ after, limit }) =>
      answer(scope, async () => {
        const { page, hasMore } = await take(readDocumentsAfter(passim, scope, after), limit)
        const documents = page.map(({ id, name, title, status, searchable, pages, error }) => ({
          id,
          name,
          title: title || name,
          url: toDocumentUri(id),
          status,
          ...(searchable && { searchable }),
          ...(pages !== undefined && { pages }),
          ...(error && { error: error.code }),
        }))
        return { documents, has_more: hasMore }
      }),
  )
}
