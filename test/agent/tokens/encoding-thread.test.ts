import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openVocabulary } from '../../../src/agent/tokens/encoding.ts'
import { EncodingThread } from '../../../src/agent/tokens/encoding-thread.ts'
import { chooseDraws } from '../../suites.ts'

const thread = new EncodingThread()

test('one vocabulary and another are asked at once, and each answer goes to its question', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => 'word '.repeat(at * 50).trim())
  const counts = await Promise.all(texts.map(text => thread.count('o200k_base', text)))
  expect(counts).toEqual(texts.map((_, at) => at * 50))
  const [end, text] = await Promise.all([
    thread.cut('o200k_base', { kind: 'tail', text: 'one two three', maxTokens: 2 }),
    thread.decode('cl100k_base', [15339, 1917]),
  ])
  expect([end, text]).toEqual([' two three', 'hello world'])
})

test('any text has as many tokens as the vocabulary gives it at once', async () => {
  const likely = fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    "'s",
    "'LL",
    "'ſ",
    '/',
    '12345',
    'Don',
    'ÀÉ',
    '部门',
    '。',
    'ǅ',
    '\u0085',
    '\u3000',
    '\ufeff',
    '👩‍🔬',
    '\ud83d',
  )
  const texts = fc.array(
    fc.oneof(likely, fc.string({ unit: 'grapheme', maxLength: 8 }), fc.string()),
    {
      maxLength: 40,
    },
  )
  for (const name of ['o200k_base', 'cl100k_base'] as const) {
    const vocabulary = openVocabulary(name)
    const check = async (parts: readonly string[]) => {
      const text = parts.join('').slice(0, 900) // longer ones, and long runs, are counted in pieces
      fc.pre(!/[\p{L}\p{M}]{65}|[^\s\p{L}\p{N}]{65}|\s{65}/u.test(text))
      expect(await thread.count(name, text)).toBe(vocabulary.encode(text, [], []).length)
    }
    await fc.assert(fc.asyncProperty(texts, check), { numRuns: chooseDraws(100, 400) })
    vocabulary.free()
  }
})

test('a text far longer than a model reads that is hardly made of words is counted in part, within a hundredth', async () => {
  const random = (at: number, below: number) =>
    Math.abs(Math.trunc((Math.sin(at) * 1e4 - Math.trunc(Math.sin(at) * 1e4)) * below))
  const text = Array.from({ length: 1_600_000 }, (_, at) =>
    String.fromCharCode(at % 2 === 0 ? 32 + random(at, 95) : 0x100 + random(at, 0x2000)),
  ).join('')
  const half = await Promise.all(
    [text.slice(0, 800_000), text.slice(800_000)].map(part => thread.count('o200k_base', part)),
  )
  const whole = await thread.count('o200k_base', text)
  expect(Math.abs(whole / (half[0]! + half[1]!) - 1)).toBeLessThan(0.01) // two
})

test('of a text that is cut no more is copied to the thread than it takes, however long its tokens are', async () => {
  const begun = once(process, 'worker')
  const other = new EncodingThread()
  await other.count('o200k_base', 'hello')
  const [worker] = (await begun) as [Worker]
  const send = worker.postMessage.bind(worker)
  const lengths: number[] = []
  worker.postMessage = message => {
    lengths.push(message.request.text.length)
    send(message)
  }
  const ends = async (text: string, maxTokens: number) =>
    await Promise.all(
      (['head', 'tail'] as const).map(kind => other.cut('o200k_base', { kind, text, maxTokens })),
    )
  expect(await ends('word '.repeat(200_000), 10)).toEqual([
    'word word word word word word word word word word',
    ' word word word word word word word word word ',
  ])
  expect(Math.max(...lengths)).toBeLessThan(2_000)
  const blanks = await ends(' '.repeat(100_000), 1_000) // mostly 64 in a token
  expect(Math.min(...blanks.map(({ length }) => length))).toBeGreaterThan(60_000)
})

test('what is no token is said of it, and the next question is answered', async () => {
  await expect(thread.decode('cl100k_base', [-1.5])).rejects.toThrow()
  expect(await thread.count('cl100k_base', 'hello world')).toBe(2)
})

test('a thread at rest keeps no program alive', async () => {
  const module = new URL('../../../dist/agent/tokens/encoding-thread.js', import.meta.url).href
  const program = `const { encodingThread } = await import('${module}'); console.log(await encodingThread.count('o200k_base', 'hello world'))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    program,
  ])
  expect(stdout.trim()).toBe('2')
})

test('a thread that is asked nothing for a while ends, and the next question starts another', async () => {
  const threads: Worker[] = []
  const keep = (worker: Worker) => threads.push(worker)
  process.on('worker', keep)
  const resting = new EncodingThread({ idleMs: 10 })
  expect(await resting.count('cl100k_base', 'hello world')).toBe(2)
  await once(threads[0]!, 'exit') // it has begun
  expect(await resting.count('cl100k_base', 'hello world')).toBe(2)
  expect(threads).toHaveLength(2)
  process.off('worker', keep)
})
