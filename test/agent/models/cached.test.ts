import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/agent/model.ts'
import { CachedModel } from '../../../src/agent/models/cached.ts'
import { DiskCache, MemoryCache } from '../../../src/agent/models/text-cache.ts'
import {
  calls,
  collect,
  ScriptedChatModel,
  says,
  toolCall,
} from '../../fakes/scripted-chat-model.ts'

const REQUEST: ModelRequest = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
}

let folder = ''
let now = Date.now()
beforeEach(async () => {
  now = Date.now()
  folder = await mkdtemp(path.join(tmpdir(), 'passim-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const disk = (options: Partial<{ maxBytes: number; ttlMs: number }> = {}) =>
  new DiskCache({ folder, ttlMs: 60_000, maxBytes: 1_000_000, now: () => now, ...options })

test('the same request is answered from the disk, by another process too', async () => {
  const model = new ScriptedChatModel([says('one'), says('two')])
  const first = await collect(new CachedModel(model, disk()).stream(REQUEST))
  const second = await collect(new CachedModel(model, disk()).stream(REQUEST))
  expect(second).toEqual(first)
  expect(model.requests).toHaveLength(1)
})

test('another model, setting, tool or message is another request', async () => {
  const cache = disk()
  const tool = {
    name: 'f',
    description: '',
    parameters: { type: 'object', properties: {} },
  } as const
  const others: readonly Partial<ModelRequest>[] = [
    { config: { temperature: 0 } },
    { tools: [tool] },
    { toolChoice: 'none' },
    { messages: [{ role: 'user', content: 'Ho' }] },
  ]
  const model = new ScriptedChatModel([says('one')])
  await collect(new CachedModel(model, cache).stream(REQUEST))
  for (const other of others)
    await collect(new CachedModel(model, cache).stream({ ...REQUEST, ...other }))
  expect(model.requests).toHaveLength(1 + others.length)
  const second = new ScriptedChatModel([says('of another')], 'another')
  expect((await collect(new CachedModel(second, cache).stream(REQUEST)))[0]).toMatchObject({
    text: 'of another',
  })
})

test('calls are kept whole, without the pieces that they came in', async () => {
  const model = new ScriptedChatModel([
    [{ type: 'tool-call-delta', id: 'c1', name: 'f', text: '{}' }, ...calls(toolCall('f'))],
  ])
  const cached = new CachedModel(model, disk())
  await collect(cached.stream(REQUEST))
  expect((await collect(cached.stream(REQUEST))).map(({ type }) => type)).toEqual([
    'tool-call',
    'finish',
  ])
})

test('an answer that was cut or failed is not kept', async () => {
  const cut = new ScriptedChatModel([
    [
      { type: 'text-delta', text: 'on' },
      { type: 'finish', reason: 'length' },
    ],
  ])
  const cached = new CachedModel(cut, disk())
  await collect(cached.stream(REQUEST))
  await collect(cached.stream(REQUEST))
  expect(cut.requests).toHaveLength(2)
})

test('a repeated answer has used no tokens', async () => {
  const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 }
  const model = new CachedModel(
    new ScriptedChatModel([[{ type: 'usage', usage }, ...says('one')]]),
    disk(),
  )
  expect((await collect(model.stream(REQUEST))).map(event => event.type)).toContain('usage')
  expect((await collect(model.stream(REQUEST))).map(event => event.type)).not.toContain('usage')
})

test('an answer does not fail for its cache, which says why', async () => {
  const errors: unknown[] = []
  const broken = {
    get: async () => '[{"type":',
    set: async () => Promise.reject(new Error('disk full')),
  }
  const onError = (error: unknown) => errors.push(error)
  const answer = await collect(
    new CachedModel(new ScriptedChatModel([says('one')]), broken, { onError }).stream(REQUEST),
  )
  expect(answer).toEqual(says('one'))
  expect(errors).toEqual([expect.any(SyntaxError), new Error('disk full')])
})

test('a cache may be cleared while it is written, by several at once', async () => {
  const cache = new DiskCache({
    folder: path.join(folder, 'answers'),
    ttlMs: 60_000,
    maxBytes: 1_000_000,
  })
  for (let round = 0; round < 20; round++) {
    const writing = Array.from({ length: 10 }, (_, at) => cache.set(`key ${at}`, 'text'))
    await Promise.all([...writing, cache.clear(), cache.clear()])
  }
  await cache.clear()
  expect(await readdir(folder)).toEqual([])
})

test('what is older than its time is forgotten', async () => {
  for (const cache of [disk(), new MemoryCache({ ttlMs: 60_000, now: () => now })]) {
    now = Date.now()
    await cache.set('key', 'text')
    expect(await cache.get('key')).toBe('text')
    now += 70_000
    expect(await cache.get('key')).toBeUndefined()
  }
})

test('a full cache lets its oldest texts go and never grows over its size', async () => {
  const text = 'x'.repeat(100)
  const kept = disk({ maxBytes: 1000 })
  const memory = new MemoryCache({ ttlMs: 60_000, maxChars: 1000 })
  for (let at = 0; at < 50; at++) {
    await kept.set(`key ${at}`, text)
    await memory.set(`key ${at}`, text)
  }
  expect((await readdir(folder)).length).toBeLessThanOrEqual(10)
  expect(await memory.get('key 0')).toBeUndefined()
  expect(await memory.get('key 49')).toBe(text)
  await kept.clear()
  expect(await kept.get('key 49')).toBeUndefined()
})
