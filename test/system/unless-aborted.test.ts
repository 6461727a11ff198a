import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runTogether } from '../../src/system/unless-aborted.ts'

test('a work that fails ends the others, whose end is awaited before its error is thrown', async () => {
  const ended: string[] = []
  const waitFor = async (signal: AbortSignal) => {
    await once(signal, 'abort')
    await new Promise(resolve => setImmediate(resolve))
    ended.push('other')
  }
  const fail = async () => {
    throw new Error('the disk is gone')
  }
  const { signal } = new AbortController()
  await expect(runTogether([waitFor, fail, waitFor], signal)).rejects.toThrow('the disk is gone')
  expect(ended).toEqual(['other', 'other'])
})

test('works that a signal ends are no failure', async () => {
  const stop = new AbortController()
  const wait = async (signal: AbortSignal) => void (await once(signal, 'abort'))
  const running = runTogether([wait, wait], stop.signal)
  stop.abort()
  await expect(running).resolves.toBeUndefined()
})
