import { z } from 'zod'
import { warningSchema } from './error.ts'
import { attributesSchema, type Json, pageRange } from './schema.ts'

const charStart = z.int().describe('First character, in UTF-16 units of the parsed text.')
const charEnd = z.int().describe('Behind the last character.')

/** Fields of words with their place in a document. */
export const placeShape = {
  documentId: z.string(),
  source: z.string().describe('Absolute path, URL, or `upload:NAME`.'),
  headings: z.array(z.string()).describe('Outermost first.'),
  page: z.int().optional().describe('Page of the first word, from 1, in formats that have pages.'),
  pages: pageRange.optional(),
  charStart,
  charEnd,
  text: z.string().describe('The words at this place.'),
}

const legPlaceSchema = z.object({
  rank: z.int().optional().describe('From 1; absent beyond the rows that were looked at.'),
  score: z.number(),
})
export type LegPlaceJson = Json<typeof legPlaceSchema>

const explanationSchema = z.object({
  terms: z
    .array(z.object({ term: z.string(), weight: z.number().describe('Its share of BM25.') }))
    .describe('Terms of the query that the passage has.'),
  keyword: legPlaceSchema.optional().describe('Its place in the search by words.'),
  vector: legPlaceSchema.optional().describe('Its place in the search by meaning.'),
  fusion: z
    .object({ keyword: z.number(), vector: z.number() })
    .optional()
    .describe('What each of the two adds to the score.'),
  filter: attributesSchema.optional().describe('Values of its document that the filter looked at.'),
  reranked: z
    .object({
      rank: z.int().describe('Before the reranker.'),
      score: z.number().describe('Of the reranker.'),
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

export const hitSchema = z.object({
  ...placeShape,
  score: z.number().describe('Comparable within one answer only.'),
  confidence: z
    .number()
    .optional()
    .describe('How likely it answers, 0 to 1, whatever else was found.'),
  weak: z.boolean().describe('It is likely about something else.'),
  isListing: z.literal(true).optional().describe('It only lists what stands elsewhere.'),
  chunkId: z.string(),
  title: z.string().describe('Title of the document.'),
  copies: z.array(copySchema).optional().describe('Other places that have the same text.'),
  notReranked: z.string().optional().describe('Why the requested reranker had no effect.'),
  explain: explanationSchema.optional().describe('How the hit came about, if `explain` is set.'),
})
export type HitJson = Json<typeof hitSchema>

const excerptShape = { documentId: z.string(), source: z.string(), charStart, charEnd }

const contextSchema = z.object({
  text: z.string().describe('Passages, each with the number by which a model can cite it.'),
  tokens: z.int(),
  passages: z.array(z.object({ id: z.int().describe('Number in the text.'), ...excerptShape })),
  omitted: z
    .array(z.object({ ...excerptShape, reason: z.enum(['budget', 'repeated']) }))
    .describe('Hits that had no room, or whose text is there already.'),
})

const reasonSchema = z.object({
  outcome: z.enum(['found', 'copy', 'not-indexed', 'filtered', 'wording', 'no-match', 'below']),
  message: z.string().describe('The outcome as a sentence.'),
  keyword: legPlaceSchema.optional().describe('Its best place in the search by words.'),
  vector: legPlaceSchema.optional().describe('Its best place in the search by meaning.'),
  missingTerms: z.array(z.string()).describe('Terms of the query that the document lacks.'),
})
export type ReasonJson = Json<typeof reasonSchema>

export const searchSchema = z.object({
  query: z.string(),
  mode: z.string(),
  hits: z.array(hitSchema).describe('Best first.'),
  warnings: z.array(warningSchema).optional(),
  context: contextSchema.optional().describe('The hits as text for a model, with `contextTokens`.'),
  why: reasonSchema
    .optional()
    .describe('Why the document named by `why` is, or is not, among the hits.'),
  seconds: z.number().describe('Duration of the search.'),
})
export type SearchJson = Json<typeof searchSchema>
