import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../src/app/stores/store.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import {
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

const KILLS = Number(process.env.PASSIM_KILLS ?? 5)
/** Calls of one answer, one after the other. */
const CALLS = 3
/** So long after its first call at most a process is killed: an answer takes about as long. */
const LATEST_MS = 120

const CHILD = fileURLToPath(new URL('../fakes/take-notes.ts', import.meta.url))

let sandbox: Sandbox
let model: ScriptedModel
let store: Store

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(reply)
  await (await sandbox.open()).close()
  store = await storeIn(sandbox.home)
})
afterAll(async () => {
  await store.catalog.close()
  await model.close()
  await sandbox.remove()
})

/** A note after the other, then an answer. */
function reply({ body: { messages } }: RecordedRequest): ScriptedReply {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const known = messages.slice(asked).filter(({ role }) => role === 'tool').length
  if (known >= CALLS) return { text: ['All ', 'is noted.'] }
  const line = `${messages[asked]?.content} ${known}`
  return { calls: [{ id: `call_${known}`, name: 'tools-note', arguments: { line } }] }
}

/** Ends the process so long after it has begun, or not at all; gives how its run ended, where it did. */
async function talk(
  conversation: string,
  { question, killAfterMs }: { question?: string; killAfterMs?: number },
) {
  const asked = model.requests.length
  const args = [
    sandbox.home,
    model.url,
    sandbox.path('notes'),
    conversation,
    ...(question ? [question] : []),
  ]
  const child = fork(CHILD, args, { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
  const told: unknown[] = []
  child.on('message', message => told.push(message))
  const ended = once(child, 'exit')
  if (killAfterMs !== undefined) {
    await model.request(asked)
    await sleep(killAfterMs)
    child.kill('SIGKILL')
  }
  await ended
  return told.at(-1)
}

test(`no call that was made is made again by who goes on with the answer of a killed process (${KILLS} kills)`, async () => {
  for (let at = 0; at < KILLS; at++) {
    const { id } = await store.conversations.create()
    const question = `Note ${at}.`
    await talk(id, { question, killAfterMs: (at * LATEST_MS) / KILLS })
    const isDone = (await store.runs.findLast(id))?.status === 'completed' // by the store: it may have died before it told
    if (!isDone) expect(await talk(id, {})).toBe('completed')
    const items = await store.conversations.items(id, { limit: 100, order: 'asc' })
    expect(items.map(({ number }) => number)).toEqual(items.map((_, at) => at + 1))
    const ids = (kind: 'call' | 'result') =>
      items.flatMap(item => (item.kind === kind ? [item.callId] : []))
    expect(ids('call').filter(call => !ids('result').includes(call)).length).toBeLessThan(2) // of one nobody knows how it ended
    expect(ids('call')).toEqual(Array.from({ length: CALLS }, (_, call) => `call_${call}`))
    expect(items.at(-1)).toMatchObject({
      kind: 'message',
      role: 'assistant',
      content: 'All is noted.',
    })
  }
  const file = sandbox.path('notes')
  const notes = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  expect(notes.length).toBe(new Set(notes).size)
}, 300_000)
