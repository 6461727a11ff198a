import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { readQuestionSet } from '../cite-check/question-set.ts'
import { citeCheckSet, givenSet, type JudgedSet } from '../retrieval/judged-sets.ts'
import { retrievalTable, scoresOf } from '../retrieval/scores.ts'
import { rankingsOf } from '../retrieval/systems.ts'
import { CITE_CHECK, chosenQuestions, type ProofOptions } from './options.ts'

/** Those that run everywhere. */
const SYSTEMS = ['passim', 'keyword', 'vector', 'lucene', 'cosine']

/** Search: nDCG@10 and recall@100 on judged sets. Gives the tables, and writes them with what each system found. */
export async function proveRetrieval(options: ProofOptions): Promise<string> {
  const out = path.join(options.out, 'retrieval')
  mkdirSync(out, { recursive: true })
  const tables: string[] = []
  for (const set of await setsOf(options)) {
    const scored = []
    for (const name of options.peers ?? SYSTEMS) {
      const started = performance.now()
      const rankings = await rankingsOf(name, set, options)
      console.error(`${set.name}: ${name}, ${((performance.now() - started) / 1000).toFixed(0)} s`)
      const lines = set.queries.map(({ id }) => [id, ...(rankings.get(id) ?? [])].join('\t'))
      writeFileSync(
        path.join(out, `${set.name}.${fileName(name)}.tsv.gz`),
        gzipSync(`${lines.join('\n')}\n`),
      )
      scored.push(scoresOf(name, rankings, set))
    }
    const table = retrievalTable(set, scored)
    writeFileSync(path.join(out, `${set.name}.md`), `${table}\n`)
    tables.push(table)
  }
  return tables.join('\n\n')
}

async function setsOf(options: ProofOptions): Promise<readonly JudgedSet[]> {
  const { sets, queries, corpus, scratch, half } = options
  if (sets)
    return await Promise.all(
      sets.map((folder, at) =>
        givenSet(folder, { queries, corpus }, path.join(scratch, `set-${at}`)),
      ),
    )
  const set = readQuestionSet(CITE_CHECK)
  const questions = chosenQuestions(set, options)
  const documents = [...new Set(questions.map(({ document }) => document))].map(
    id => set.documents.get(id)!,
  )
  const made = citeCheckSet(
    documents,
    questions,
    path.join(options.out, 'retrieval', `cite-check-${half}`),
  )
  return [{ ...made, name: `cite-check-${half}` }]
}

const fileName = (system: string): string => system.replace(/\W+/g, '-')
