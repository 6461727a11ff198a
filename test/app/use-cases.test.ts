import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as library from '../../src/index.ts'

async function opened() {
  const home = await mkdtemp(path.join(tmpdir(), 'passim-use-cases-'))
  const passim = await library.open({ home: path.join(home, 'store'), environment: {} })
  onTestFinished(async () => {
    await passim.close()
    await rm(home, { recursive: true })
  })
  return { home, passim }
}

test('a program is shown the use cases of a store, and no part of how it is made, at run time too', async () => {
  const { passim } = await opened()
  const wanted = [
    'index',
    'ask',
    'search',
    'agent',
    'list',
    'show',
    'delete',
    'collections',
    'jobs',
    'verify',
    'export',
    'close',
  ]
  expect(Object.keys(passim)).toEqual(expect.arrayContaining(wanted))
  for (const part of ['scope', 'library', 'files', 'responses', 'indexCache', 'conversing'])
    expect(passim).not.toHaveProperty(part)
  expect(Object.keys(passim.jobs)).toEqual(['list', 'find', 'cancel'])
})

test('a document is shown by its name until it is deleted', async () => {
  const { home, passim } = await opened()
  const file = path.join(home, 'heron.txt')
  await writeFile(file, 'The heron stands in the reeds.')
  await passim.index([file])
  expect(await passim.show('heron.txt')).toMatchObject({ source: file })
  await passim.delete('heron.txt')
  await expect(passim.show('heron.txt')).rejects.toMatchObject({ code: 'not_found' })
})

test('the root has at most 30 values', () =>
  expect(Object.keys(library).length).toBeLessThanOrEqual(30))
