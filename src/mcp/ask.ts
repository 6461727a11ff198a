import { z } from 'zod'
import { collectAnswer } from '../agent/answer.ts'
import { type AddToServer, answer, documentUri, READ_ONLY, warningsSchema } from './offer.ts'

const inputSchema = z.object({
  question: z.string().min(1),
  documents: z.array(z.string()).optional().describe('Only these: ids or names.'),
})

const outputSchema = z.object({
  answer: z.string(),
  abstained: z.boolean().describe('The documents do not say.'),
  mode: z.string().describe('extractive: quoted from the documents; model: written by a language model.'),
  citations: z.array(
    z.object({
      marker: z.number(),
      document_id: z.string(),
      name: z.string(),
      url: z.string(),
      page: z.number().optional(),
      text: z.string(),
      quote_verified: z
        .boolean()
        .describe('These words were read back from the stored document: they stand there, whatever is claimed.'),
      verified: z.boolean().describe('The older name of quote_verified.'),
      support: z
        .enum(['stated', 'not-stated', 'unknown'])
        .describe('Whether these words state the claim that carries the marker.'),
    }),
  ),
  unsupported: z
    .array(z.string())
    .optional()
    .describe('Sentences of the answer that no document was found to support.'),
  warnings: warningsSchema,
})

/** `ask`: an answer with citations that were checked against the documents. It asks no other server, as its hints say. */
export const addAsk: AddToServer = (server, passim, scope) => {
  const { collections } = scope
  const about = {
    title: 'Ask the documents',
    description: 'Answer a question from the documents, with citations checked against their words.',
    annotations: READ_ONLY,
  }
  server.registerTool(
    'ask',
    { ...about, inputSchema, outputSchema },
    ({ question, documents }, { mcpReq: { signal } }) =>
      answer(scope, async () => {
        const found = await collectAnswer(
          passim.ask({ question, documents, collections, signal, outsideTools: 'none' }),
        )
        const citations = found.citations.map(
          ({ marker, documentId, doc, page, text, quoteVerified, verified, support }) => ({
            ...{ marker, document_id: documentId, name: doc, url: documentUri(documentId), text, support },
            ...{ quote_verified: quoteVerified, verified },
            ...(page !== undefined && { page }),
          }),
        )
        const { abstained, mode, unsupported, warnings } = found
        const notes = { ...(unsupported && { unsupported }), ...(warnings && { warnings }) }
        return { answer: found.answer, abstained, mode, citations, ...notes }
      }),
  )
}
