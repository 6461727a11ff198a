import { z } from 'zod'
import { getMessages, localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { type Filter, parseFilter } from '../../search/filter.ts'
import { measureLikelihood } from '../../search/searcher.ts'
import type { RecordsJson } from '../../wire/model.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid, createUnsupported } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { markTolerant } from '../http/parameters.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

/** Dify's operators that filters support. */
const OPERATORS: Readonly<Record<string, string>> = {
  is: 'eq',
  '=': 'eq',
  '==': 'eq',
  'is not': 'ne',
  '≠': 'ne',
  '!=': 'ne',
  '>': 'gt',
  after: 'gt',
  '≥': 'gte',
  '>=': 'gte',
  '<': 'lt',
  before: 'lt',
  '≤': 'lte',
  '<=': 'lte',
  in: 'in',
  'not in': 'nin',
}

const conditionSchema = z.object({
  name: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe('Name of the attribute to compare, or several of them.'),
  comparison_operator: z
    .string()
    .describe('Comparison, such as `is`, `contains`, `>`, `in` or `not in`.'),
  value: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
    .nullish()
    .describe('Value or values to compare with. Some comparisons need none.'),
})

const retrievalSchema = markTolerant(
  z.strictObject({
    knowledge_id: z.string().min(1).describe('Id or name of a vector store.'),
    query: z.string().min(1).describe('Question or words to search for, in any language.'),
    retrieval_setting: z
      .strictObject({
        top_k: z.int().min(1).max(100).describe('Maximum number of records to return (1 to 100).'),
        score_threshold: z
          .number()
          .min(0)
          .max(1)
          .nullish()
          .describe('Minimum confidence of a record (0 to 1, default 0).'),
      })
      .describe('Maximum number of records (1 to 100), and their minimum confidence (0 to 1).'),
    metadata_condition: z
      .object({
        logical_operator: z
          .enum(['and', 'or'])
          .default('and')
          .describe('Whether all conditions must hold or any (default `and`).'),
        conditions: z
          .array(conditionSchema)
          .nullish()
          .describe('Conditions on attributes of a document. Default: none.'),
      })
      .nullish()
      .describe('Conditions on the attributes of a document. Default: all documents.'),
  }),
)

type Condition = z.output<typeof conditionSchema>

export const difyRoutes: Routes = {
  'POST /retrieval': {
    summary: 'Search as an external knowledge source of Dify',
    body: retrievalSchema,
    example: {
      knowledge_id: 'travel',
      query: 'What may a hotel cost?',
      retrieval_setting: { top_k: 5 },
    },
    answer: 'Records',
    mayFailUpstream: true,
    reply: retrieveForDify,
  },
}

async function retrieveForDify(c: RequestContext): Promise<Response> {
  const { knowledge_id, query, retrieval_setting, metadata_condition } = await readBody(
    c,
    retrievalSchema,
  )
  const { top_k: limit, score_threshold } = retrieval_setting
  const conditions = (metadata_condition?.conditions ?? []).map(toFilter)
  const filter =
    conditions.length > 0
      ? parseConditions({ type: metadata_condition?.logical_operator, filters: conditions })
      : undefined
  const where = { collections: [knowledge_id], limit, filter }
  const hits = await c.var.passim.search({ query, ...where, signal: c.var.signal }, 'distinct')
  const records = hits
    .map(hit => ({ ...hit, score: measureLikelihood(hit) }))
    .filter(({ score }) => score >= (score_threshold ?? 0))
    .map(({ text, score, name, title, attributes, documentId, pages, charStart, charEnd }) => ({
      content: text,
      score,
      title: title || name,
      metadata: {
        ...attributes,
        document_id: documentId,
        filename: name,
        ...(pages && { page: pages[0] }),
        char_start: charStart,
        char_end: charEnd,
      },
    }))
  return streamJson<RecordsJson>(c, { records })
}

function parseConditions(filter: unknown): Filter {
  try {
    return parseFilter(filter)
  } catch (error) {
    throw error instanceof AppError
      ? createInvalid(getMessages(error).message, 'metadata_condition')
      : error
  }
}

/** Takes several names for any of them. */
function toFilter({ name, comparison_operator, value }: Condition): Filter {
  const type = OPERATORS[comparison_operator]
  if (!type) {
    const supported = Object.keys(OPERATORS).join(', ')
    throw createUnsupported(
      localizable`The comparison ${comparison_operator} is not supported: use ${supported}.`,
      'metadata_condition',
    )
  }
  const filters = [name].flat().map(key => ({ type, key, value }))
  return (filters.length === 1 ? filters[0] : { type: 'or', filters }) as Filter
}
