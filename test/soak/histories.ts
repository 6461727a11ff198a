/**
 * Random histories of conversations over two processes on one home: questions, stops, resumes, watchers, and one process
 * killed in one history of twenty. After each, what every client was told is held against the tables: every question that
 * was taken is there once, none that was refused, items and events are numbered without a gap, nothing is told twice or out
 * of order. Ends with exit code 1 at the first that is not so.
 *
 *     npm run build && nice -n 15 npx tsx test/soak/histories.ts [HISTORIES 5000] [SEED] [PAIRS 2]
 *
 * PAIRS of processes walk side by side, each on a home of its own; the program is that of `dist`.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../src/app/stores/store.ts'
import { open } from '../../src/app.ts'
import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { environmentOf, storeIn } from '../fakes/catalog-environment.ts'
import type { Order, Step, Told } from '../fakes/converse.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import {
  type RecordedRequest,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'

const CHILD = fileURLToPath(new URL('../fakes/converse.ts', import.meta.url))
/** In one history of so many a process is killed. */
const KILLED = 20
/** Progress is told after so many. */
const TOLD_EVERY = 100

const [histories = 5_000, seed = Date.now() % 1_000_000, pairs = 2] = process.argv
  .slice(2)
  .map(Number)
const counts = { walked: 0, killed: 0, asked: 0, views: 0 }
const started = performance.now()

function told(): string {
  const seconds = Math.round((performance.now() - started) / 1000)
  const { walked, killed, asked, views } = counts
  return `${walked} histories in ${seconds} s, ${asked} questions taken, ${views} streams read, ${killed} processes killed`
}

/** So many histories of one pair of processes. */
async function walk(share: number, ownSeed: number): Promise<void> {
  const random = createPseudoRandom(ownSeed)
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-histories-'))
  const home = path.join(folder, 'home')
  const model = await startScriptedModel(reply)
  await (
    await open({ home, environment: environmentOf(home), embedder: new HashingEmbedder() })
  ).close()
  const store = await storeIn(home)
  const pair = await Pair.start(home, model.url)
  try {
    for (let at = 0; at < share; at++) {
      await pair.whole()
      const { id } = await store.conversations.create()
      const isKilled = at % KILLED === KILLED - 1
      await checkHistory(
        store,
        id,
        await pair.history(id, { random, name: String(at), isKilled }),
        isKilled,
      )
      if (++counts.walked % TOLD_EVERY === 0) console.log(told())
    }
  } finally {
    await pair.end()
    await store.catalog.close()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** As the last question says: it is answered, or its answer hangs after a word. */
function reply({ body: { messages } }: RecordedRequest): ScriptedReply {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  if (!question.includes('hang')) return { reasoning: ['So.'], text: ['It is ', 'so.'] }
  return {
    raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hm' } }] })}\n\n`,
    ending: 'hang',
  }
}

class Talker {
  readonly #child: ChildProcess
  readonly told: Told[] = []
  #wake = () => {}

  constructor(home: string, modelUrl: string) {
    this.#child = fork(CHILD, [home, modelUrl], { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
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
    while (this.isAlive && !isIt(this.told))
      await new Promise<void>(resolve => (this.#wake = resolve))
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

type HistoryOptions = {
  readonly random: () => number
  readonly name: string
  readonly isKilled: boolean
}

/** Two that talk, and one that is ready to take the place of one that was killed. */
class Pair {
  readonly #start: () => Talker
  #talkers: Talker[]

  private constructor(start: () => Talker) {
    this.#start = start
    this.#talkers = [start(), start(), start()]
  }

  static async start(home: string, modelUrl: string): Promise<Pair> {
    const pair = new Pair(() => new Talker(home, modelUrl))
    await pair.whole()
    return pair
  }

  /** The two that talk are there. */
  async whole(): Promise<void> {
    this.#talkers = this.#talkers.filter(({ isAlive }) => isAlive)
    while (this.#talkers.length < 3) this.#talkers.push(this.#start())
    for (const talker of this.#talkers.slice(0, 2)) {
      await talker.until(told => told.length > 0)
      assert(talker.isAlive, 'A process that was to talk ended by itself.')
    }
  }

  /** What both were told in a conversation. */
  async history(
    conversation: string,
    { random, name, isKilled }: HistoryOptions,
  ): Promise<readonly Told[]> {
    const two = this.#talkers.slice(0, 2)
    for (const [who, talker] of two.entries())
      talker.order({ conversation, steps: stepsOf(random, `${name}-${who}-`) })
    const victim = isKilled ? two[Math.floor(random() * 2)] : undefined
    await victim?.until(told => told.length > 0)
    await victim?.kill()
    if (victim) counts.killed++
    await Promise.all(
      two.map(one =>
        one.until(all => all.some(({ kind }) => kind === 'done' || kind === 'failed')),
      ),
    )
    for (const talker of two)
      assert(talker === victim || talker.isAlive, 'A process ended by itself.')
    return two.flatMap(talker => talker.told)
  }

  async end(): Promise<void> {
    for (const talker of this.#talkers) await talker.kill()
  }
}

function stepsOf(random: () => number, name: string): readonly Step[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at): Step => {
    const kind = random()
    if (kind < 0.55)
      return { kind: 'ask', question: `${name}${at}${random() < 0.25 ? ' hang' : ''}` }
    if (kind < 0.7) return { kind: 'watch', share: random() }
    return { kind: kind < 0.85 ? 'stop' : 'resume' }
  })
}

/** Holds what everybody was told against the tables. */
async function checkHistory(
  store: Store,
  id: string,
  told: readonly Told[],
  isKilled: boolean,
): Promise<void> {
  assert.deepEqual(
    told.filter(({ kind }) => kind === 'failed'),
    [],
  )
  const items = await store.conversations.items(id, { limit: 10_000, order: 'asc' })
  assertNumbered(items.map(({ number }) => number))
  assertOnce(items.map(item => item.id))
  const turns = items.map(({ turn }) => turn)
  assert.deepEqual(
    turns,
    turns.toSorted((a, b) => a - b),
  )
  const questions = items.flatMap(item =>
    item.kind === 'message' && item.role === 'user' ? [item.content] : [],
  )
  const asked = told.flatMap(one => (one.kind === 'asked' ? [one.question] : []))
  if (!isKilled) assert.deepEqual(questions.toSorted(), asked.toSorted())
  for (const question of asked)
    assert(questions.includes(question), `The question ${question} is lost.`)
  assertOnce(questions)
  const refused = told.flatMap(one => (one.kind === 'refused' ? [one.question] : []))
  for (const question of refused)
    assert(!questions.includes(question), `The refused question ${question} is there.`)
  counts.asked += asked.length
  await checkViews(store, id, told)
}

async function checkViews(
  { catalog, runs }: Store,
  id: string,
  told: readonly Told[],
): Promise<void> {
  const rows = await catalog.all<{ id: string }>(
    'SELECT id FROM runs WHERE conversation_id = ? ORDER BY first_event',
    id,
  )
  const kept = await Promise.all(
    rows.map(async row =>
      (await runs.readEventsAfter(row.id, 0)).map(
        ({ number, event }) => [number, event.type] as const,
      ),
    ),
  )
  assertNumbered(kept.flat().map(([number]) => number))
  for (const view of told) {
    if (view.kind !== 'read' || view.events.length === 0) continue
    const first = view.events[0]![0] // there is one
    const run = kept.find(events => events.some(([number]) => number === first))
    assert.deepEqual(
      view.events,
      run?.filter(([number]) => number > view.from),
    )
    counts.views++
  }
  for (const [at, events] of kept.entries()) {
    const ends = events.filter(
      ([, type]) => type === 'finish' || type === 'stopped' || type === 'failed',
    )
    assert.equal(ends.length, (await runs.find(rows[at]!.id))?.status === 'in_progress' ? 0 : 1) // one of each row
  }
}

function assertNumbered(numbers: readonly number[]): void {
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  )
}

function assertOnce(all: readonly unknown[]): void {
  assert.equal(new Set(all).size, all.length)
}

console.log(`${histories} histories, seed ${seed}`)
const shares = Array.from({ length: pairs }, (_, at) => Math.floor((histories + at) / pairs))
await Promise.all(shares.map((share, at) => walk(share, seed + at)))
console.log(`${told()}: nothing lost, nothing doubled, nothing out of order`)
