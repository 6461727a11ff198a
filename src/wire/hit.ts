import { z } from 'zod'
import { warningSchema } from './error.ts'
import { attributesSchema, type Json, pageRange } from './schema.ts'

const charStart = z
  .int()
  .describe('Offset of the first character in the parsed text, in UTF-16 units.')
const charEnd = z
  .int()
  .describe('Offset after the last character in the parsed text, in UTF-16 units.')

/** Fields of words with their place in a document. */
export const placeShape = {
  documentId: z.string(),
  source: z
    .string()
    .describe(
      'Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document.',
    ),
  headings: z.array(z.string()).describe('Headings above the text, outermost first.'),
  page: z.int().optional().describe('Page of the first word, from 1, in formats that have pages.'),
  pages: pageRange.optional(),
  charStart,
  charEnd,
  text: z.string().describe('Text of the document at this place.'),
}

const legPlaceSchema = z.object({
  rank: z.int().optional().describe('Rank from 1; absent if it is below the rows that were read.'),
  score: z.number(),
})
export type LegPlaceJson = Json<typeof legPlaceSchema>

const explanationSchema = z.object({
  terms: z
    .array(
      z.object({
        term: z.string(),
        weight: z.number().describe('Part of the BM25 score that the term adds.'),
      }),
    )
    .describe('Terms of the query that the passage contains.'),
  keyword: legPlaceSchema.optional().describe('Rank and score of the passage in keyword search.'),
  vector: legPlaceSchema.optional().describe('Rank and score of the passage in vector search.'),
  fusion: z
    .object({ keyword: z.number(), vector: z.number() })
    .optional()
    .describe('Part of the score that each of the two searches adds.'),
  filter: attributesSchema
    .optional()
    .describe('Attributes of the document that the filter compared.'),
  reranked: z
    .object({
      rank: z.int().describe('Rank before the reranker, from 1.'),
      score: z.number().describe('Score that the reranker gave.'),
      parts: z.object({ search: z.number(), reranker: z.number() }).optional(),
    })
    .optional(),
})

const copySchema = z.object({
  chunkId: z.string(),
  documentId: z.string(),
  source: z.string(),
  name: z.string().describe('Base name of the source.'),
  pages: pageRange.optional(),
  charStart,
  charEnd,
})

const termsSchema = z.array(z.object({ from: z.string(), to: z.array(z.string()) }))

export const wordingShape = {
  corrected: termsSchema
    .optional()
    .describe(
      'Words of the query that no document contains, and the terms that were searched instead.',
    ),
  synonyms: termsSchema
    .optional()
    .describe('Terms of the query, and the synonyms of the collection that were searched, too.'),
}

export const hitSchema = z.object({
  ...placeShape,
  score: z.number().describe('Score of the hit; comparable only within one response.'),
  confidence: z
    .number()
    .optional()
    .describe('Likelihood that the hit answers the query (0 to 1), independent of the other hits.'),
  weak: z
    .boolean()
    .describe('True if the hit is likely about something else. Its confidence is at most 0.03.'),
  isListing: z
    .literal(true)
    .optional()
    .describe('True if the passage only lists content, such as a table of contents.'),
  chunkId: z.string(),
  title: z.string().describe('Title of the document.'),
  tableHeader: z
    .string()
    .optional()
    .describe('Names of the columns, if the text begins below them inside a table.'),
  note: z
    .string()
    .optional()
    .describe(
      'Note that a user added to the passage. It is searched, and is no text of the document.',
    ),
  attributes: attributesSchema
    .optional()
    .describe('Attributes of the document. Absent if it has none.'),
  copies: z.array(copySchema).optional().describe('Other places with the same text.'),
  ...wordingShape,
  notReranked: z.string().optional().describe('Reason why the requested reranker had no effect.'),
  explain: explanationSchema.optional().describe('How the hit was ranked; only with `explain`.'),
})
export type HitJson = Json<typeof hitSchema>

const excerptShape = { documentId: z.string(), source: z.string(), charStart, charEnd }

const contextSchema = z.object({
  text: z.string().describe('Passages, each after the number by which a model can cite it.'),
  tokens: z.int(),
  passages: z.array(
    z.object({ id: z.int().describe('Number of the passage in `text`.'), ...excerptShape }),
  ),
  omitted: z
    .array(z.object({ ...excerptShape, reason: z.enum(['budget', 'repeated']) }))
    .describe(
      'Hits that were left out because of the token limit or because their text is repeated.',
    ),
})

const reasonSchema = z.object({
  outcome: z.enum(['found', 'copy', 'not-indexed', 'filtered', 'wording', 'no-match', 'below']),
  message: z.string().describe('Outcome as a sentence.'),
  keyword: legPlaceSchema
    .optional()
    .describe('Best rank and score of the document in keyword search.'),
  vector: legPlaceSchema
    .optional()
    .describe('Best rank and score of the document in vector search.'),
  missingTerms: z
    .array(z.string())
    .describe('Terms of the query that the document does not contain.'),
})

export const searchSchema = z.object({
  query: z.string(),
  mode: z.string(),
  hits: z.array(hitSchema).describe('Hits, best first.'),
  warnings: z.array(warningSchema).optional(),
  context: contextSchema
    .optional()
    .describe('Hits as text for a model; only with `contextTokens`.'),
  why: reasonSchema
    .optional()
    .describe('Reason why the document named by `why` is, or is not, among the hits.'),
  seconds: z.number().describe('Duration of the search in seconds.'),
})
export type SearchJson = Json<typeof searchSchema>
