import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { EFFORTS, type Effort } from '../../src/agent/groundings/research.ts'
import { textContent } from '../../src/agent/message.ts'
import type { ChatModel, ModelRequest } from '../../src/agent/model.ts'
import { O200kTokens } from '../../src/agent/tokens/o200k.ts'
import type { Passim } from '../../src/app/passim.ts'
import { open } from '../../src/app.ts'
import { bare } from '../cite-check/document.ts'
import { wilson } from '../cite-check/intervals.ts'
import { type ProofQuestion, readQuestionSet } from '../cite-check/question-set.ts'
import { markdownTable } from '../cite-check/report.ts'
import { CITE_CHECK, chosenQuestions, type ProofOptions } from './options.ts'

/** Questions of different documents that are asked as one: more than `medium` may plan. */
const PARTS = 6

const LEVELS = [undefined, ...EFFORTS] as const

type Asked = { readonly parts: readonly ProofQuestion[]; readonly isChinese: boolean }

type Outcome = {
  /** Parts of which every unit of evidence stands in the last prompt, and all parts. */
  readonly covered: number
  readonly parts: number
  readonly calls: number
  readonly promptTokens: number
}

/**
 * What each `effort` brings for questions over several documents: how much of the evidence reaches the model, and what that costs. The
 * scripted model plans the parts as they were joined, and writes of each part the evidence that it is shown, or its question where it is
 * shown none. So this tells the share that a model could answer, and nothing of how well a model plans or writes.
 */
export async function proveEffort(options: ProofOptions): Promise<string> {
  const set = readQuestionSet(CITE_CHECK)
  const questions = chosenQuestions(set, options).filter(({ answerable }) => answerable)
  const files = [...new Set(questions.map(({ document }) => document))].map(id =>
    fileURLToPath(new URL(`files/${id}.${set.documents.get(id)!.format}`, CITE_CHECK)),
  )
  const counter = new O200kTokens('gpt-4o')
  const passim = await open({ home: path.join(options.scratch, 'effort') })
  try {
    await passim.index(files, { signal: options.signal })
    const asked = [...joinQuestions(questions, false), ...joinQuestions(questions, true)]
    const rows = []
    for (const effort of LEVELS) {
      const outcomes: Outcome[] = []
      for (const one of asked)
        outcomes.push(await measure(passim, one, { effort, counter, signal: options.signal }))
      rows.push(toRow(effort, outcomes))
      console.error(`effort ${effort ?? 'none'}: ${outcomes.length} questions`)
    }
    return write(rows, options)
  } finally {
    await passim.close()
  }
}

/** Takes one question of each document in turn, so that no two parts share a document. */
function joinQuestions(questions: readonly ProofQuestion[], isChinese: boolean): readonly Asked[] {
  const own = questions.filter(({ document }) => document.startsWith('zh') === isChinese)
  const documents = [...new Set(own.map(({ document }) => document))]
  const byDocument = documents.map(id => own.filter(({ document }) => document === id))
  const longest = Math.max(0, ...byDocument.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, index) =>
    byDocument.flatMap(list => list[index] ?? []),
  )
  return inTurn.flatMap(round =>
    Array.from({ length: Math.floor(round.length / PARTS) }, (_, index) => {
      return { parts: round.slice(index * PARTS, (index + 1) * PARTS), isChinese }
    }),
  )
}

type Measuring = {
  readonly effort: Effort | undefined
  readonly counter: O200kTokens
  readonly signal: AbortSignal
}

async function measure(
  passim: Passim,
  { parts, isChinese }: Asked,
  { effort, counter, signal }: Measuring,
): Promise<Outcome> {
  const model = new PlanningModel(parts)
  const agent = passim.agent({ model, citations: true, ...(effort && { effort }) })
  const question = parts.map(part => part.question).join(isChinese ? '' : ' ')
  await agent.run(question, { signal }).result
  const prompts = model.requests.map(writePrompt)
  const shown = bare(prompts.at(-1) ?? '')
  const tokens = await Promise.all(prompts.map(prompt => counter.count(prompt, signal)))
  return {
    covered: parts.filter(part => isShown(part, shown)).length,
    parts: parts.length,
    calls: prompts.length,
    promptTokens: tokens.reduce((sum, count) => sum + count, 0),
  }
}

function writePrompt({ messages }: ModelRequest): string {
  return messages.map(textContent).join('\n')
}

/** Compares letters and digits: a prompt breaks lines and cells elsewhere. */
function isShown({ evidence }: ProofQuestion, shown: string): boolean {
  return evidence.every(unit => {
    const pieces = unit.cells.length > 0 ? unit.cells : [unit.text]
    return pieces.every(piece => shown.includes(bare(piece)))
  })
}

class PlanningModel implements ChatModel {
  readonly id = 'planning'
  readonly requests: ModelRequest[] = []
  readonly #parts: readonly ProofQuestion[]

  constructor(parts: readonly ProofQuestion[]) {
    this.#parts = parts
  }

  async *stream(request: ModelRequest) {
    this.requests.push(request)
    yield { type: 'text-delta', text: this.#answer(request) } as const
    yield { type: 'finish', reason: 'stop' } as const
  }

  #answer(request: ModelRequest): string {
    const prompt = writePrompt(request)
    if (prompt.includes('{"questions"'))
      return JSON.stringify({ questions: this.#parts.map(({ question }) => question) })
    const shown = bare(prompt)
    return this.#parts
      .map(part =>
        isShown(part, shown)
          ? part.evidence.map(({ text }) => text).join('\n\n')
          : part.question.replace(/[?？]$/, '.'),
      )
      .join('\n\n')
  }
}

function toRow(effort: Effort | undefined, outcomes: readonly Outcome[]): readonly string[] {
  const sum = (pick: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const { value, low, high } = wilson(
    sum(({ covered }) => covered),
    sum(({ parts }) => parts),
  )
  const share = [value, low, high].map(part => (100 * part).toFixed(1))
  const complete = outcomes.filter(({ covered, parts }) => covered === parts).length
  return [
    effort ?? 'none',
    `${share[0]} % [${share[1]}, ${share[2]}] of ${sum(({ parts }) => parts)}`,
    `${complete} of ${outcomes.length}`,
    (sum(({ calls }) => calls) / outcomes.length).toFixed(1),
    Math.round(sum(({ promptTokens }) => promptTokens) / outcomes.length).toLocaleString('en'),
  ]
}

function write(rows: readonly (readonly string[])[], options: ProofOptions): string {
  const table = markdownTable(
    [
      '`effort`',
      'parts whose evidence reached the model',
      'questions with all parts',
      'model calls a question',
      'prompt tokens a question',
    ],
    rows,
  )
  const out = path.join(options.out, 'effort')
  mkdirSync(out, { recursive: true })
  writeFileSync(path.join(out, 'report.md'), `${table}\n`)
  return table
}
