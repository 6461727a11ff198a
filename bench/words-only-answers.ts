/**
 * What answers about one file lose where it has no vectors: the questions of sets as passim eval takes them, each asked of
 * the document that it is about (of any other where none answers it), with vectors and without.
 * usage: npx tsx bench/words-only-answers.ts FOLDER...
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answerJson } from '../src/app/answer-json.ts'
import { judgeAnswer } from '../src/app/evaluation/answer-metrics.ts'
import { readQuestionSet } from '../src/app/evaluation/question-set.ts'
import { open } from '../src/app.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'passim-bench-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
const COLLECTIONS = { words: true, vectors: false } as const
for (const set of process.argv.slice(2)) await compare(set)
await passim.close()
await rm(folder, { recursive: true })

async function compare(set: string): Promise<void> {
  const { questions, documents } = await readQuestionSet(set, undefined)
  const names = (await readdir(documents)).toSorted()
  for (const [how, withoutVectors] of Object.entries(COLLECTIONS)) {
    await passim.index([documents], { collection: `${how} ${set}`, withoutVectors })
  }
  const right = { words: 0, vectors: 0 }
  const differ: string[] = []
  let counted = 0
  for (const [at, question] of questions.entries()) {
    const named = question.doc && names.includes(question.doc) ? question.doc : names[at % names.length]! // there is one
    const isRight = { words: false, vectors: false }
    for (const how of ['words', 'vectors'] as const) {
      const run = passim.ask({ question: question.question, collections: [`${how} ${set}`], documents: [named] })
      const { correct, rightlyAbstained } = judgeAnswer(question, answerJson(await run.result))
      isRight[how] = (correct ?? rightlyAbstained) === true
      right[how] += Number(isRight[how])
    }
    counted++
    if (isRight.words !== isRight.vectors) differ.push(`${question.id} ${isRight.words ? '+' : '-'}`)
  }
  const rates = `with vectors ${right.vectors}, without ${right.words} of ${counted}`
  console.log(
    `${path.basename(set)}: right answers and refusals ${rates}; differing, seen from without: ${differ.join(', ')}`,
  )
}
