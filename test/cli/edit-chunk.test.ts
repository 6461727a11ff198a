import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChunkJson, ChunkListJson } from '../../src/wire/document.ts'
import type { SearchJson } from '../../src/wire/hit.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let chunkId: string

const run = async (...args: readonly string[]) => await runCli(sandbox.home, args)
const read = async <Result>(...args: readonly string[]): Promise<Result> =>
  JSON.parse((await run(...args, '--json')).stdout)
const edit = (...args: readonly string[]) => ['edit-chunk', 'notice.txt', chunkId, ...args]
const findTexts = async (query: string) => {
  const { hits } = await read<SearchJson>('search', query, '--mode', 'keyword')
  return hits.map(({ text }) => text)
}

beforeAll(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({ 'notice.txt': 'The notice period is three months.' })
  await run('index', folder, '--no-vectors')
  const { chunks } = await read<ChunkListJson>('show', 'notice.txt', '--chunks')
  chunkId = chunks[0]?.id ?? ''
})
afterAll(() => sandbox.remove())

test('a chunk is switched off and on again', async () => {
  expect(await findTexts('notice period')).toHaveLength(1)
  expect(await read<ChunkJson>(...edit('--off'))).toMatchObject({ id: chunkId, isExcluded: true })
  expect(await findTexts('notice period')).toEqual([])
  const { stdout, code } = await run(...edit('--on'))
  expect({ stdout, code }).toMatchObject({ code: 0 })
  expect(stdout).toContain('The notice period is three months.')
  expect(await findTexts('notice period')).toHaveLength(1)
})

test('a note is found by search, and removed by an empty one', async () => {
  expect(await read<ChunkJson>(...edit('--note', 'Zermatt only.'))).toMatchObject({
    ...{ id: chunkId, note: 'Zermatt only.' },
  })
  expect(await findTexts('Zermatt')).toHaveLength(1)
  expect(await read<ChunkJson>(...edit('--note', ''))).not.toHaveProperty('note')
  expect(await findTexts('Zermatt')).toEqual([])
})

test('nothing to change is wrong usage, and an unknown chunk is not found', async () => {
  expect(await run(...edit())).toMatchObject({ code: 2 })
  expect(await run(...edit('--off', '--on'))).toMatchObject({ code: 2 })
  const unknown = await run('edit-chunk', 'notice.txt', 'chunk_0', '--off')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toContain('has no chunk chunk_0')
})
