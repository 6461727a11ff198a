import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { EncodingThread } from '../../../src/agent/models/encoding-thread.ts'

const thread = new EncodingThread()

test('one vocabulary and another are asked at once, and each answer goes to its question', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => 'word '.repeat(at * 50).trim())
  const counts = await Promise.all(texts.map(text => thread.count('o200k_base', text)))
  expect(counts).toEqual(texts.map((_, at) => at * 50))
  const [end, text] = await Promise.all([
    thread.cut('o200k_base', { kind: 'tail', text: 'one two three', maxTokens: 2 }),
    thread.text('cl100k_base', [15339, 1917]),
  ])
  expect([end, text]).toEqual([' two three', 'hello world'])
})

test('what is no token is said of it, and the next question is answered', async () => {
  await expect(thread.text('cl100k_base', [-1.5])).rejects.toThrow()
  expect(await thread.count('cl100k_base', 'hello world')).toBe(2)
})

test('a thread at rest keeps no program alive', async () => {
  const module = new URL('../../../dist/agent/models/encoding-thread.js', import.meta.url).href
  const program = `const { encodingThread } = await import('${module}'); console.log(await encodingThread.count('o200k_base', 'hello world'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout.trim()).toBe('2')
})
