/**
 * How well questions are answered without a model: correct answers, cited documents, pages and evidence (the recall of
 * citations) with 95 % intervals, and the precision of citations; how answering less trades against answering wrongly, by
 * strictness; and what an answer to a new question costs beside its search alone, when the vectors of sentences are there.
 * usage: npx tsx bench/answers.ts [FOLDER...]   (default: the sets in test/eval)
 */
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnswerEvaluationResult, evaluationCollection } from '../src/app/evaluation/evaluations.ts'
import { open, type Passim } from '../src/app.ts'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { cpuMsOfTree } from './process-tree.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const STRICTNESS = [0, 0.25, 0.4, 0.5, 0.6, 0.75, 1]
const DEFAULT = 0.5
const WARM_UP = 5

const given = process.argv.slice(2)
const folders =
  given.length > 0
    ? given
    : 'calibration mixed long held-out kinds kinds-held-out real real-held-out real-more real-more-held-out'
        .split(' ')
        .map(name => path.join(EVAL, name))
const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const passim = await open({ home, environment: {} })
try {
  for (const folder of folders) await measure(folder)
} finally {
  await passim.close()
}

async function measure(folder: string): Promise<void> {
  console.log(`\n${path.basename(folder)}`)
  await passim.evaluations.answers(folder) // indexes, and embeds the sentences
  for (const strictness of STRICTNESS) {
    const result = await passim.evaluations.answers(folder, { strictness })
    console.log(row(strictness, result))
    if (strictness === DEFAULT) console.log(details(result))
  }
  console.log(await cpuBesideSearch(folder))
}

/** Coverage: the share of answerable questions that get an answer. Accuracy: of all answers given, those that are right. */
function row(strictness: number, { questions }: AnswerEvaluationResult): string {
  const answered = questions.filter(one => !one.answer.abstained)
  const answerable = questions.filter(one => one.correct !== undefined)
  const covered = answerable.filter(one => !one.answer.abstained).length / answerable.length
  const accuracy = answered.filter(one => one.correct).length / Math.max(1, answered.length)
  return `strictness ${strictness.toFixed(2)}  coverage ${covered.toFixed(3)}  accuracy ${accuracy.toFixed(3)}`
}

function details({ answers, questions }: AnswerEvaluationResult): string {
  const { p50Ms, p95Ms, ...rates } = answers
  const shown = Object.entries(rates).map(
    ([
      name,
      {
        rate,
        count,
        ci95: [low, high],
      },
    ]) => `  ${name} ${rate.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${count}`,
  )
  const citations = questions.flatMap(one => one.answer.citations)
  const verified = citations.filter(one => one.verified).length
  const misses = questions.filter(one => one.correct === false || one.rightlyAbstained === false).map(one => one.id)
  return [
    ...shown,
    `  citations: precision ${(verified / citations.length).toFixed(3)} of ${citations.length} (words read back from the document)`,
    `  p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms`,
    `  misses ${misses.join(' ')}`,
  ].join('\n')
}

/** CPU of this process and its embedding processes, in milliseconds. Each way has a store of its own to which the questions are new. */
async function cpuBesideSearch(folder: string): Promise<string> {
  const { questions } = await passim.evaluations.answers(folder)
  const texts = questions.map(({ answer }) => answer.question)
  const collections = [evaluationCollection(folder)]
  const search = await cpuOfEach(texts, (store, query) => store.search({ query, collections }))
  const ask = await cpuOfEach(texts, (store, question) => store.ask({ question, collections }).result)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const told = (name: string, values: readonly number[]) =>
    `${name} ${mean(values).toFixed(0)} (p50 ${percentile(values, 0.5).toFixed(0)}, p95 ${percentile(values, 0.95).toFixed(0)})`
  return `  CPU of ${ask.length} new questions, ms: ${told('ask', ask)}, ${told('search', search)}; ${(mean(ask) / mean(search)).toFixed(2)} times`
}

/** The first ones warm the store up. */
async function cpuOfEach(
  texts: readonly string[],
  run: (store: Passim, text: string) => PromiseLike<unknown>,
): Promise<readonly number[]> {
  const store = await open({ home, environment: {} })
  const used: number[] = []
  try {
    for (const text of texts) {
      const from = cpuMsOfTree(process.pid)
      await run(store, text)
      used.push(cpuMsOfTree(process.pid) - from)
    }
  } finally {
    await store.close()
  }
  return used.slice(WARM_UP)
}
