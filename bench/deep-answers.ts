/**
 * What `effort: high` finds beyond one search: questions that need several documents, each made of the answerable questions of the
 * same number of eight documents of a language (the development half of bench/data/cite-check), are asked of an agent with and
 * without it. The model is a script that takes a question apart at its question marks, and quotes every gold sentence or row that
 * stands in a source that it was shown, and nothing else: so what is told is what was found. Cited whole are those that a citation has from
 * the first word to the last: short rows and sentences with quotations in them are mostly cited in part.
 * usage: npx tsx bench/deep-answers.ts [DOCUMENTS 8] [EFFORTS low,medium,high]
 */

import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { textContent } from '../src/agent/message.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../src/agent/model.ts'
import { open } from '../src/index.ts'
import { bare } from './cite-check/document.ts'
import { halfOf, type ProofQuestion, readQuestionSet } from './cite-check/question-set.ts'

const DOCUMENTS = Number(process.argv[2] ?? 8)
const EFFORTS = (process.argv[3] ?? 'low,medium,high').split(',') as readonly Exclude<Effort, 'none'>[] // as usage says
const data = new URL('data/cite-check/', import.meta.url)

/** A question of several documents, and the words that answer it. */
type Compound = { readonly question: string; readonly parts: readonly string[]; readonly gold: readonly string[] }

const set = readQuestionSet(data)
const ids = [...set.documents.keys()]
const own = ids.filter(id => halfOf(id, ids) === 'development')
const compounds = ['en', 'zh'].flatMap(language => compoundsOf(own.filter(id => id.startsWith(language))))

function compoundsOf(documents: readonly string[]): readonly Compound[] {
  const groups = Array.from({ length: Math.floor(documents.length / DOCUMENTS) }, (_, at) =>
    documents.slice(at * DOCUMENTS, (at + 1) * DOCUMENTS),
  )
  return groups.flatMap(group => {
    const asked = group.map(id => set.questions.filter(one => one.document === id && one.answerable))
    return asked[0]!.map((_, number) => compound(asked.map(questions => questions[number]!))) // 15 a document
  })
}

function compound(questions: readonly ProofQuestion[]): Compound {
  const parts = questions.map(({ question }) => question)
  return {
    question: parts.join(' '),
    parts,
    gold: questions.flatMap(({ evidence }) => evidence.map(({ text }) => text)),
  }
}

/** Each source that was shown, by its number: the search's, the review's, and those of the tool. */
function sourcesIn({ messages }: ModelRequest): ReadonlyMap<number, string> {
  const text = messages.map(textContent).join('\n')
  const found = [...text.matchAll(/^\[(\d+)\]\n(`{3,})\n([\s\S]*?)\n\2$/gm)]
  return new Map(found.map(([, id, , quoted]) => [Number(id), quoted ?? '']))
}

class Script implements ChatModel {
  readonly id = 'script'
  calls = 0
  readonly #asked: Compound

  constructor(asked: Compound) {
    this.#asked = asked
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.calls++
    const isPlan = textContent(request.messages[0]!).startsWith('Take the question apart') // a request has one
    yield {
      type: 'text-delta',
      text: isPlan ? JSON.stringify({ questions: this.#asked.parts }) : this.#answer(request),
    }
    yield { type: 'finish', reason: 'stop' }
  }

  #answer(request: ModelRequest): string {
    const sources = sourcesIn(request)
    const lines = this.#asked.gold.flatMap(words => {
      const [marker] = [...sources].find(([, quoted]) => bare(quoted).includes(bare(words))) ?? []
      return marker === undefined ? [] : [`- ${words} [${marker}]`]
    })
    return lines.join('\n') || 'The documents do not say.'
  }
}

const home = await mkdtemp(path.join(tmpdir(), 'passim-deep-'))
const passim = await open({ home, environment: {} })
const files = fileURLToPath(new URL('files/', data))
await passim.index(
  readdirSync(files)
    .filter(name => own.includes(name.replace(/\.[a-z]+$/, '')))
    .map(name => path.join(files, name)),
)

type Effort = 'none' | 'low' | 'medium' | 'high'

async function measure(effort: Effort) {
  let [gold, told, cited, searches, calls] = [0, 0, 0, 0, 0]
  for (const asked of compounds) {
    const model = new Script(asked)
    const agent = passim.agent({
      ...{ model, citations: true, collections: ['default'] },
      ...(effort !== 'none' && { effort }),
    })
    const run = agent.run(asked.question)
    for await (const event of run.events) if (event.type === 'retrieval') searches++
    const { text, citations } = await run.result
    const [answer, quoted] = [text, citations.map(one => one.text).join('\n')].map(bare)
    gold += asked.gold.length
    told += asked.gold.filter(words => answer?.includes(bare(words))).length
    cited += asked.gold.filter(words => quoted?.includes(bare(words))).length
    calls += model.calls
  }
  const of = compounds.length
  const coverage = told / gold
  const per = `${(searches / of).toFixed(1)} searches and ${(calls / of).toFixed(1)} model calls a question`
  console.log(
    `effort ${effort}: ${told} of ${gold} gold sentences and rows told (${(coverage * 100).toFixed(1)} %), ${cited} cited whole; ${per}`,
  )
  return coverage
}

console.log(`${compounds.length} questions, each of ${DOCUMENTS} of ${own.length} documents`)
const none = await measure('none')
for (const effort of EFFORTS) console.log(`  ${((await measure(effort)) / none).toFixed(2)} times that of one search`)
await passim.close()
await rm(home, { recursive: true })
