import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import { AppError } from '../../errors.ts'
import { readRecords } from '../../ingest/store/contents/parsed.ts'
import type { Judgements } from '../../search/evaluation/metrics.ts'

const passageSchema = z.object({ id: z.string(), title: z.string().default(''), text: z.string() })
const querySchema = z.object({ id: z.string(), query: z.string() })

export type Passage = z.infer<typeof passageSchema>
export type JudgedQuery = z.infer<typeof querySchema> & { readonly judgements: Judgements }

type EvaluationSet = {
  readonly passages: readonly Passage[]
  readonly queries: readonly JudgedQuery[]
}

export type EvaluationLimits = {
  readonly queries?: number | undefined
  /** Judged passages and this many others, by SHA-256 of their id. */
  readonly corpus?: number | undefined
}

/** Throws `not_found` or `invalid_input` with file and line. */
export async function readEvaluationSet(
  folder: string,
  limits: EvaluationLimits,
): Promise<EvaluationSet> {
  const judgements = await readJudgements(path.join(folder, 'qrels.tsv'))
  const all = await readAll(path.join(folder, 'queries.jsonl'), querySchema)
  const judged = all.map(query => ({
    ...query,
    judgements: judgements.get(query.id) ?? new Map<string, number>(),
  }))
  const answerable = judged.filter(query => [...query.judgements.values()].some(gain => gain > 0))
  const queries = answerable.slice(0, limits.queries)
  const passages = await readAll(path.join(folder, 'corpus.jsonl'), passageSchema)
  if (limits.corpus === undefined) return { passages, queries }
  const relevant = new Set([...judgements.values()].flatMap(grades => [...grades.keys()]))
  const first = passages
    .map(({ id }) => ({ id, digest: createHash('sha256').update(id).digest('hex') }))
    .toSorted((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, limits.corpus)
    .map(({ id }) => id)
  const chosen = new Set([...first, ...relevant])
  return { passages: passages.filter(passage => chosen.has(passage.id)), queries }
}

async function readAll<Item>(file: string, schema: z.ZodType<Item>): Promise<readonly Item[]> {
  requireFile(file)
  const items: Item[] = []
  for await (const record of readRecords<unknown>(file)) {
    const parsed = schema.safeParse(record)
    if (!parsed.success)
      throw createRecordError(`${file}, record ${items.length + 1}`, parsed.error)
    items.push(parsed.data)
  }
  return items
}

export function createRecordError(place: string, error: z.ZodError): AppError {
  const { field, what } = describeSchemaFault(error)
  return new AppError(
    'invalid_input',
    localizable`${place}: ${field === '' ? 'it' : `"${field}"`} ${what}.`,
  )
}

/** Reads lines `query <tab> passage <tab> relevance`; skips a header. */
async function readJudgements(file: string): Promise<ReadonlyMap<string, Judgements>> {
  requireFile(file)
  const judgements = new Map<string, Map<string, number>>()
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const [query, passage, relevance] = line.trim().split(/\s+/)
    if (!query || !passage || !relevance || Number.isNaN(Number(relevance))) continue
    const relevances = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, relevances.set(passage, Number(relevance)))
  }
  return judgements
}

function requireFile(file: string): void {
  const folder = path.dirname(file)
  if (!existsSync(file))
    throw new AppError(
      'not_found',
      localizable`There is no ${existsSync(folder) ? file : `folder ${folder}`}: an evaluation folder has corpus.jsonl, queries.jsonl and qrels.tsv, or docs/ and questions.jsonl.`,
    )
}
