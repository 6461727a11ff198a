import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import {
  type RecordedRequest,
  type ScriptedModel,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

const CHILD = fileURLToPath(new URL('../fakes/read-whole.ts', import.meta.url))
const PARTS = ['north', 'south', 'west'].map(place => ({
  place,
  words: `The ${place} pump runs since last winter`,
}))
const filler =
  'It is looked after with care by those who live there, day by day and year by year. '.repeat(12)

let sandbox: Sandbox
let passim: Passim
let model: ScriptedModel
let isKilled = false
beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(reply)
  passim = await sandbox.open()
  const sections = PARTS.map(({ place, words }) => `# The ${place}\n\n${words}. ${filler}`)
  await passim.index([
    await sandbox.write({
      'pumps.md': sections.join('\n\n'),
      'letter.md': 'Dear all, nothing is new.',
    }),
  ])
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

/** The part of the document that a request to read one has. */
function partIn({ body: { messages } }: RecordedRequest): string | undefined {
  if (!messages[0]?.content.startsWith('Below is a part')) return undefined
  return PARTS.find(({ words }) => messages[1]?.content.includes(words))?.place
}

/** Searches, then has the documents read whole, of which the second part is never told before a process was killed. */
function reply(request: RecordedRequest) {
  const { messages } = request.body
  const [system, user] = messages.map(({ content }) => content)
  if (system?.startsWith('Below is a part')) {
    const part = PARTS.find(({ place }) => place === partIn(request))
    if (part?.place === 'south' && !isKilled) return { raw: '', ending: 'hang' } as const
    return { text: [part ? `- It runs: "${part.words}"` : 'NOTHING'] }
  }
  const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  if (messages.at(-1)?.role === 'user' && user?.includes('Task')) {
    return { text: [`All pumps run ${[...user.matchAll(/\[\d+\]/g)].join('')}.`] }
  }
  if (answers.length === 0)
    return { calls: [{ id: 'call_s', name: 'search', arguments: { query: 'pump winter' } }] }
  if (answers.length === 1)
    return { calls: [{ id: 'call_w', name: 'summarise', arguments: { task: 'List the pumps.' } }] }
  const { citations } = JSON.parse(answers[1]!) // just counted
  return { text: [`${PARTS[2]!.words} [${citations[2].marker}].`] } // of three
}

/** How the run ended, where its process lived to tell. */
async function work(args: readonly string[], killAt?: Promise<unknown>): Promise<unknown> {
  const child = fork(CHILD, [sandbox.home, model.url, ...args], {
    execArgv: ['--import', 'tsx'],
    stdio: 'inherit',
  })
  let told: unknown
  child.on('message', message => {
    told = message
  })
  const ended = once(child, 'exit')
  if (killAt) {
    await killAt
    child.kill('SIGKILL')
  }
  await ended
  return told
}

/** The second part is being read. */
async function isReading(): Promise<void> {
  for (let at = 0; partIn(await model.request(at)) !== 'south'; at++);
}

test('what was read of whole documents when a process was killed is not read again, and sources keep their numbers', async () => {
  const { id } = await passim.conversations.create()
  expect(await work([id, 'Which pumps run since last winter?'], isReading())).toBeUndefined()
  isKilled = true
  const before = model.requests.length
  expect(await work([id])).toBe('completed')
  expect(model.requests.map(partIn).filter(Boolean)).toEqual(['north', 'south', 'south', 'west'])
  const items = await passim.conversations.items(id, { limit: 50, order: 'asc' })
  const calls = items.flatMap(item =>
    item.kind === 'call' || item.kind === 'result' ? [[item.kind, item.callId]] : [],
  )
  expect(calls).toEqual([
    ['call', 'call_s'],
    ['result', 'call_s'],
    ['call', 'call_w'],
    ['result', 'call_w'],
  ])
  expect(items.filter(({ kind }) => kind === 'search')).toHaveLength(2) // before the model was asked, and by it
  const shown = (request: RecordedRequest) =>
    request.body.messages[0]!.content.match(/^\[\d+\]\n`+\n.*\n/gm) ?? []
  const firstAsked = model.requests.slice(0, before).find(({ body }) => body.tools)!
  const lastAsked = model.requests.findLast(({ body }) => body.tools)!
  expect(shown(firstAsked).length).toBeGreaterThan(1)
  expect(shown(lastAsked)).toEqual(expect.arrayContaining([...shown(firstAsked)]))
  const last = items.at(-1)
  const { citations = [] } = (last?.kind === 'message' && last.answer) || {}
  expect(citations.map(({ text }) => text).join()).toContain(PARTS[2]!.words)
}, 120_000)
