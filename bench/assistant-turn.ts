/**
 * What one turn of an agent that cites adds to the model's own time and to retrieval, how soon a word is passed on, and whether
 * many turns leave anything behind: the heap has to be flat once it is warm. The model is a server in a process of its
 * own that answers at once, the time of sending as its thought: in an answer, a new word each time would fill the caches
 * of words, which hold 50,000. 20,000 tokens of sources are shown to it, as many as fit of 60 chunks of about 400 tokens.
 * CPU time is told beside the clock, which another program on the machine slows down. At last, so many turns run at once, five times
 * over: the heap after each round, all garbage collected, has to be that of the first, and what a turn takes while it runs is told.
 * usage: npx tsx bench/assistant-turn.ts [TURNS 1000] [TOKENS 20000] [AT ONCE 1000]
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Agent } from '../src/agent/agent.ts'
import { CitedKnowledge } from '../src/agent/groundings/cited.ts'
import { ChatModels } from '../src/app/chat-models.ts'
import { openTokenCounter } from '../src/app/embedding.ts'
import { loadSettings } from '../src/config.ts'
import { MemorySearcher } from '../test/fakes/memory-searcher.ts'
import { generatedText } from './generated-text.ts'

const CONTEXT_TOKENS = Number(process.argv[3] ?? 20_000)
/** Three times as many as fit. */
const HITS = Math.max(4, CONTEXT_TOKENS * 0.003)
const TENTHS = 10
const AT_ONCE = Number(process.argv[4] ?? 1000)
const ROUNDS = 5
const QUESTION = 'How does the market value the report about the river?'
const now = () => performance.timeOrigin + performance.now()

if (process.argv[2] === '--model') await serveModel()
else await measure(Number(process.argv[2] ?? 1000))

/** In the model's process. */
async function serveModel(): Promise<void> {
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const server = createServer(async (request, response) => {
    for await (const _ of request); // all of it has come
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${event({ reasoning_content: `${now()}` }, null)}${event({ content: 'It says so.' }, 'stop')}data: [DONE]\n\n`,
    )
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port)) // it listens on TCP
}

async function measure(turns: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['--model'], { execArgv: ['--import', 'tsx'] })
  const port = await new Promise(resolve => child.once('message', resolve))
  const url = `http://127.0.0.1:${port}/v1`
  const settings = await loadSettings({ environment: {}, settings: { model: { url, name: 'bench' } } })
  const memory = new MemorySearcher([{ name: 'text.md', text: chunksOf(generatedText(0, 40_000)) }])
  const hits = await memory.search({ text: QUESTION, collectionIds: [], limit: HITS })
  const model = new ChatModels(settings).open()
  const counter = openTokenCounter(settings) // one for all turns, as in a program
  const grounding = new CitedKnowledge({
    model,
    scopeOf: async () => ({ collectionIds: [], documents: async () => [] }),
    limit: HITS,
    searcher: { search: async () => hits },
    reader: memory,
    counter: () => counter,
    maxSourceTokens: CONTEXT_TOKENS,
  })
  const agent = new Agent({ model, grounding })
  const turn = () => oneTurn(agent)
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'x'.repeat(CONTEXT_TOKENS * 4) }] })
  const bare = async () => void (await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text())
  for (let at = 0; at < 20; at++) await Promise.all([await turn(), await bare()]) // warm
  const figures = { turn: [] as number[], bare: [] as number[], firstWord: [] as number[], cpu: [] as number[] }
  const heap = [heapMiB()]
  for (let at = 0; at < turns; at++) {
    if (at > 0 && at % Math.ceil(turns / TENTHS) === 0) heap.push(heapMiB())
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    figures.firstWord.push(await turn())
    const between = performance.now()
    figures.cpu.push(cpuMs(cpu))
    await bare()
    figures.turn.push(between - started)
    figures.bare.push(performance.now() - between)
  }
  heap.push(heapMiB())
  const crowd = await atOnce(turn)
  child.kill()
  const p = (values: readonly number[], share: number) =>
    (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0).toFixed(2)
  console.log(`${turns} turns, ${CONTEXT_TOKENS} tokens of sources`)
  console.log(`a turn: p50 ${p(figures.turn, 0.5)} ms, p95 ${p(figures.turn, 0.95)} ms`)
  console.log(`a bare request of that size: p50 ${p(figures.bare, 0.5)} ms, p95 ${p(figures.bare, 0.95)} ms`)
  console.log(`CPU time of this process in a turn: p50 ${p(figures.cpu, 0.5)} ms, p95 ${p(figures.cpu, 0.95)} ms`)
  console.log(
    `from sending in the model's process to the event: p50 ${p(figures.firstWord, 0.5)} ms, p95 ${p(figures.firstWord, 0.95)} ms`,
  )
  console.log(
    `heap in MiB, all garbage collected, before and after each tenth: ${heap.map(size => size.toFixed(1)).join(' ')}`,
  )
  const [before = 0, ...after] = crowd.heap
  console.log(
    `${AT_ONCE} turns at once: heap in MiB before ${before.toFixed(1)}, after each of ${ROUNDS} rounds ${after.map(size => size.toFixed(1)).join(' ')}; ` +
      `at most ${crowd.mostMiB.toFixed(0)} MiB resident, from ${crowd.restMiB.toFixed(0)}; CPU ${(crowd.cpuMs / ROUNDS / AT_ONCE).toFixed(2)} ms a turn`,
  )
}

/** The heap before and after each round of many turns together, and the most memory meanwhile. */
async function atOnce(turn: () => Promise<number>) {
  const heap = [heapMiB()]
  const rest = process.memoryUsage.rss()
  let most = rest
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const cpu = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: AT_ONCE }, turn))
    heap.push(heapMiB())
  }
  clearInterval(sampling)
  return { heap, restMiB: rest / 2 ** 20, mostMiB: most / 2 ** 20, cpuMs: cpuMs(cpu) }
}

/** How long the first word was under way, in milliseconds. */
async function oneTurn(agent: Agent): Promise<number> {
  let underWay = Number.NaN
  for await (const event of agent.run(QUESTION).events) {
    if (event.type === 'reasoning-delta') underWay = now() - Number(event.text)
  }
  return underWay
}

/** Two paragraphs of the text each. */
function chunksOf(text: string): string {
  return text.replace(/\n\n([^\n]+)(\n\n|$)/g, '\n$1\n\n')
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function heapMiB(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
