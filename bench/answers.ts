/**
 * How well questions are answered without a model: correct answers, cited documents, pages and evidence (the recall of
 * citations) with 95 % intervals, and the precision of citations; how answering less trades against answering wrongly, by
 * strictness; and what an answer costs after retrieval when the vectors of sentences are there.
 * usage: npx tsx bench/answers.ts [FOLDER...]   (default: the sets in test/eval)
 */
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnswerEvaluationResult, evaluationCollection } from '../src/app/evaluation/evaluations.ts'
import { open } from '../src/app.ts'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { cpuMsOfTree } from './process-tree.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const STRICTNESS = [0, 0.25, 0.4, 0.5, 0.6, 0.75, 1]
const DEFAULT = 0.5

const given = process.argv.slice(2)
const folders =
  given.length > 0
    ? given
    : 'calibration mixed long held-out kinds kinds-held-out real real-held-out real-more real-more-held-out'
        .split(' ')
        .map(name => path.join(EVAL, name))
const passim = await open({
  home: process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench'),
  environment: {},
})
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
  console.log(await cpuAfterRetrieval(folder))
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

/** CPU of this process and its embedding processes from the last hits of a question to its answer, in milliseconds. */
async function cpuAfterRetrieval(folder: string): Promise<string> {
  const { questions } = await passim.evaluations.answers(folder)
  const used: number[] = []
  const collection = evaluationCollection(folder)
  for (const { answer } of questions) {
    let from = cpuMsOfTree(process.pid)
    for await (const { type } of passim.ask({ question: answer.question, collections: [collection] }).events) {
      if (type === 'retrieval') from = cpuMsOfTree(process.pid)
      if (type === 'finish') used.push(cpuMsOfTree(process.pid) - from)
    }
  }
  return `  CPU after retrieval: p50 ${percentile(used, 0.5).toFixed(0)} ms, p95 ${percentile(used, 0.95).toFixed(0)} ms`
}
