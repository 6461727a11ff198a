import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../src/app/store.ts'
import type { Order, Step, Told } from '../fakes/converse.ts'
import {
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

const HISTORIES = Number(process.env.PASSIM_HISTORIES ?? 200)
/** In one history of so many a process is killed. */
const KILLED = 20
const SEED = Date.now() % 1_000_000

const CHILD = fileURLToPath(new URL('../fakes/converse.ts', import.meta.url))

let sandbox: Sandbox
let model: ScriptedModel
let store: Store

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(reply)
  await (await sandbox.open()).close()
  store = await openStore(sandbox.home)
})
afterAll(async () => {
  store.catalog.close()
  await model.close()
  await sandbox.remove()
})

/** As the last question says: it is answered, or its answer hangs after a word. */
function reply({ body: { messages } }: RecordedRequest): ScriptedReply {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  if (!question.includes('hang')) return { reasoning: ['So.'], text: ['It is ', 'so.'] }
  return { raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hm' } }] })}\n\n`, ending: 'hang' }
}

class Talker {
  readonly #child: ChildProcess
  readonly told: Told[] = []
  #wake = () => {}

  constructor() {
    this.#child = fork(CHILD, [sandbox.home, model.url], { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
    this.#child.on('message', (message: Told) => {
      this.told.push(message)
      this.#wake()
    })
    this.#child.once('exit', () => this.#wake())
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Until it has told this, or is gone. */
  async until(isIt: (told: readonly Told[]) => boolean): Promise<void> {
    while (this.isAlive && !isIt(this.told)) await new Promise<void>(resolve => (this.#wake = resolve))
  }

  order(order: Order): void {
    this.told.length = 0
    this.#child.send(order)
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}

async function started(): Promise<Talker> {
  const talker = new Talker()
  await talker.until(told => told.some(({ kind }) => kind === 'ready'))
  return talker
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function stepsOf(random: () => number, name: string): readonly Step[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at): Step => {
    const kind = random()
    if (kind < 0.55) return { kind: 'ask', question: `${name}${at}${random() < 0.25 ? ' hang' : ''}` }
    if (kind < 0.7) return { kind: 'watch', share: random() }
    return { kind: kind < 0.85 ? 'stop' : 'resume' }
  })
}

test(`${HISTORIES} histories of two processes lose nothing, double nothing and keep the order (seed ${SEED})`, async () => {
  const random = randomOf(SEED)
  const talkers = [await started(), await started()]
  try {
    for (let at = 0; at < HISTORIES; at++) {
      const { id } = store.conversations.create()
      for (const [who, talker] of talkers.entries())
        talker.order({ conversation: id, steps: stepsOf(random, `${at}-${who}-`) })
      const victim = at % KILLED === KILLED - 1 ? talkers[Math.floor(random() * 2)] : undefined
      if (victim) await victim.until(told => told.length > 0)
      await victim?.kill()
      await Promise.all(
        talkers.map(talker => talker.until(told => told.some(({ kind }) => kind === 'done' || kind === 'failed'))),
      )
      checkHistory(
        id,
        talkers.flatMap(({ told }) => told),
        talkers.every(({ isAlive }) => isAlive),
      )
      for (const [who, talker] of talkers.entries()) if (!talker.isAlive) talkers[who] = await started()
    }
  } finally {
    for (const talker of talkers) await talker.kill()
  }
}, 900_000)

/** Holds what everybody was told against the tables. */
function checkHistory(id: string, told: readonly Told[], areAllAlive: boolean): void {
  expect(told.filter(({ kind }) => kind === 'failed')).toEqual([])
  const items = store.conversations.items(id, { limit: 10_000, order: 'asc' })
  expect(items.map(({ number }) => number)).toEqual(items.map((_, at) => at + 1))
  expect(new Set(items.map(item => item.id)).size).toBe(items.length)
  expect(items.map(({ turn }) => turn)).toEqual(items.map(({ turn }) => turn).toSorted((a, b) => a - b))
  const questions = items.flatMap(item => (item.kind === 'message' && item.role === 'user' ? [item.content] : []))
  const asked = told.flatMap(one => (one.kind === 'asked' ? [one.question] : []))
  if (areAllAlive) expect(questions.toSorted()).toEqual(asked.toSorted())
  expect(questions).toEqual(expect.arrayContaining(asked))
  expect(new Set(questions).size).toBe(questions.length)
  const refused = told.flatMap(one => (one.kind === 'refused' ? [one.question] : []))
  expect(questions.filter(question => refused.includes(String(question)))).toEqual([])
  checkViews(id, told)
}

function checkViews(id: string, told: readonly Told[]): void {
  const rows = store.catalog.all<{ id: string }>(
    'SELECT id FROM runs WHERE conversation_id = ? ORDER BY first_event',
    id,
  )
  const runs = rows.map(row => store.runs.find(row.id)!) // just listed
  const kept = runs.map(run =>
    store.runs.eventsAfter(run.id, 0).map(({ number, event }) => [number, event.type] as const),
  )
  const all = kept.flat()
  expect(all.map(([number]) => number)).toEqual(all.map((_, at) => at + 1))
  for (const view of told) {
    if (view.kind !== 'read' || view.events.length === 0) continue
    const first = view.events[0]![0] // there is one
    const run = kept.find(events => events.some(([number]) => number === first))!
    expect(view.events).toEqual(run.filter(([number]) => number > view.from))
  }
  for (const [at, events] of kept.entries()) {
    const ends = events.filter(([, type]) => type === 'finish' || type === 'stopped' || type === 'failed')
    expect(ends.length).toBe(runs[at]?.status === 'in_progress' ? 0 : 1)
  }
}
