import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type EvaluationLimits,
  type JudgedQuery,
  type Passage,
  readEvaluationSet,
} from '../../src/app/evaluation/evaluation-set.ts'
import type { SourceDocument, Unit } from '../cite-check/document.ts'
import type { ProofQuestion } from '../cite-check/question-set.ts'

/** A retrieval set as `passim eval` reads it, in a folder. */
export type JudgedSet = {
  readonly name: string
  readonly folder: string
  readonly passages: readonly Passage[]
  readonly queries: readonly JudgedQuery[]
  /** Queries of one group are drawn together: those about one document are not independent of each other. */
  readonly groupOf: (queryId: string) => string
}

/** A set that lies in a folder; where only a part of it is wanted, that is written to another one, for all systems alike. */
export async function givenSet(
  folder: string,
  limits: EvaluationLimits,
  reduced: string,
): Promise<JudgedSet> {
  const { passages, queries } = await readEvaluationSet(folder, limits)
  const name = path.basename(path.resolve(folder))
  const set = { name, passages, queries, groupOf: (id: string) => id }
  if (limits.queries === undefined && limits.corpus === undefined) return { ...set, folder }
  writeSet(reduced, set)
  return { ...set, folder: reduced }
}

type SourcePassage = {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly units: readonly Unit[]
}

/**
 * The answerable questions of cite-check with the paragraphs, items and rows of their documents: those that hold the gold evidence are relevant.
 * It is written to the folder, so that other programs can read it.
 */
export function citeCheckSet(
  documents: readonly SourceDocument[],
  questions: readonly ProofQuestion[],
  folder: string,
): JudgedSet {
  const passages = documents.flatMap(passagesOf)
  const asked = questions.filter(({ answerable }) => answerable)
  const holding = new Map(
    passages.flatMap(({ id, units }) => units.map(unit => [unit, id] as const)),
  )
  const queries = asked.map(({ id, question, evidence }) => ({
    id,
    query: question,
    judgements: new Map(
      evidence.flatMap(unit => holding.get(unit) ?? []).map(passage => [passage, 1]),
    ),
  }))
  writeSet(folder, { passages, queries })
  const documentOf = new Map(asked.map(({ id, document }) => [id, document]))
  return { name: 'cite-check', folder, passages, queries, groupOf: id => documentOf.get(id) ?? id }
}

function writeSet(
  folder: string,
  { passages, queries }: Pick<JudgedSet, 'passages' | 'queries'>,
): void {
  mkdirSync(folder, { recursive: true })
  const judged = queries.flatMap(({ id, judgements }) =>
    [...judgements].map(([passage, gain]) => [id, passage, gain]),
  )
  const corpus = passages.map(({ id, title, text }) => JSON.stringify({ id, title, text }))
  writeLines(path.join(folder, 'corpus.jsonl'), corpus)
  writeLines(
    path.join(folder, 'queries.jsonl'),
    queries.map(({ id, query }) => JSON.stringify({ id, query })),
  )
  writeLines(path.join(folder, 'qrels.tsv'), [
    'query-id\tcorpus-id\tscore',
    ...judged.map(line => line.join('\t')),
  ])
}

const writeLines = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, `${lines.join('\n')}\n`)

/** The units of a document stand in the order of its blocks: a paragraph or an item has one for each sentence. */
export function passagesOf({ id, units }: SourceDocument): SourcePassage[] {
  const groups: Unit[][] = []
  for (const unit of units) {
    const last = groups.at(-1)
    if (unit.kind === 'heading') continue
    if (unit.kind === 'sentence' && last && last[0]?.block === unit.block) last.push(unit)
    else groups.push([unit])
  }
  return groups.map((own, index) => ({
    id: `${id}-${index + 1}`,
    title: own[0]!.headings.join(' / '), // no group is empty
    text: own.map(textOf).join(' '),
    units: own,
  }))
}

/** A row with the names of its columns, as a parser would give it to a search. */
const textOf = ({ kind, text, cells, header }: Unit): string =>
  kind === 'row'
    ? cells.map((cell, column) => (header[column] ? `${header[column]}: ${cell}` : cell)).join('; ')
    : text
