import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ended, runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let docs: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  docs = await sandbox.write({
    'a/terms.txt': 'The notice period is three months.',
    'b/terms.txt': 'The notice period is six weeks.',
    'new\nline.txt': 'Subtitles come last.',
  })
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)
const json = ({ stdout }: Ended) => JSON.parse(stdout)

test('a dry run names what it would do, and does nothing', async () => {
  const { stdout } = await passim('index', docs, '-c', 'papers', '--dry-run')
  expect(stdout).toContain(`to index: ${sandbox.path('a/terms.txt')}\n`)
  expect(stdout).toContain('Dry run: 3 to index;')
  expect(json(await passim('collections', '--json')).collections).toEqual([])
})

test('without a default collection, all are searched, and namesakes told apart by their paths', async () => {
  await passim('index', docs, '-c', 'papers', '--no-vectors', '--quiet')
  const { code, stdout } = await passim('search', 'notice period')
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(sandbox.path('a/terms.txt')),
  })
})

test('a list has one line for each document', async () => {
  expect((await passim('list')).stdout.trim().split('\n')).toHaveLength(3)
})

test('with --json an error is JSON too', async () => {
  const { code, stdout, stderr } = await passim('search', 'x', '-c', 'nope', '--json')
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'not_found', message: expect.stringContaining('papers') },
  })
  expect(stderr).toContain('not_found')
})

test('an MCP server for a collection that is not there does not start', async () => {
  expect((await passim('mcp', '-c', 'nope')).code).toBe(3)
})

test('an answer without a model says so', async () => {
  expect((await passim('ask', 'What is the notice period?')).stderr).toContain(
    'No chat model is configured',
  )
})

test('doctor finds out that the chat model is not there', async () => {
  const model = { PASSIM_MODEL_URL: 'http://127.0.0.1:1/v1', PASSIM_MODEL: 'm' }
  const { checks } = json(await runCli(sandbox.home, ['doctor', '--json'], model))
  expect(checks.at(-1)).toMatchObject({
    name: 'chat model',
    ok: false,
    error: { code: 'model_unavailable' },
  })
})

test('doctor shows the settings that are worked out from the machine, and what they were set to', async () => {
  const { machineSettings } = json(await runCli(sandbox.home, ['doctor', '--json']))
  expect(machineSettings).toEqual({
    'parsing.processes': expect.any(Number),
    'parsing.totalMemoryBytes': expect.any(Number),
    'embedding.workers': expect.any(Number),
    'searching.cacheBytes': expect.any(Number),
    'upkeep.memoryBytes': expect.any(Number),
  })
  const config = path.join(sandbox.folder, 'few.yaml')
  await writeFile(
    config,
    JSON.stringify({ parsing: { processes: 1 }, searching: { cacheBytes: 64 * 1024 * 1024 } }),
  )
  const { stdout } = await runCli(sandbox.home, ['doctor', '--config', config])
  expect(stdout).toMatch(
    /derived from this machine: parsing\.processes 1, .*searching\.cacheBytes 64 MiB/,
  )
})

test('doctor says what adding to the largest collection takes, which no setting bounds', async () => {
  const upkeep = async (processRows: number) => {
    const config = path.join(sandbox.folder, 'upkeep.yaml')
    await writeFile(config, JSON.stringify({ upkeep: { processRows } }))
    const { checks } = json(await runCli(sandbox.home, ['doctor', '--json', '--config', config]))
    return checks.find(({ name }: { name: string }) => name === 'upkeep').detail
  }
  expect(await upkeep(3)).toBe('no index of more than 3 chunks')
  expect(await upkeep(2)).toMatch(
    /^adding to the word index of papers \(3 chunks\) takes about \d+ MiB of memory, which no setting limits$/,
  )
})

test('doctor finds out that an index cannot be searched, and says how to repair it', async () => {
  const other = await Sandbox.make()
  const notes = await other.write({ 'terms.txt': 'The notice period is three months.' })
  await runCli(other.home, ['index', notes, '-c', 'papers', '--no-vectors'])
  await rm(path.join(other.home, 'index'), { recursive: true })
  expect((await runCli(other.home, ['search', 'notice'])).code).toBe(3)
  const { code, stdout } = await runCli(other.home, ['doctor'])
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringMatching(BROKEN_INDEX) })
  await runCli(other.home, ['verify', '--repair'])
  expect((await runCli(other.home, ['doctor'])).code).toBe(0)
  await other.remove()
})

const BROKEN_INDEX =
  /^FAIL collections: The index of papers is missing, .* Run passim index or passim verify --repair/m

test('a reranker that is not there costs precise search its order, and nothing else', async () => {
  const missing = { PASSIM_RERANKER: '/nowhere' }
  const { embedders, checks } = json(await runCli(sandbox.home, ['doctor', '--json'], missing))
  expect(embedders).toEqual(['multilingual-e5-small-enzh', 'none'])
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'reranker', ok: false, detail: '/nowhere' }),
  )
  const search = ['search', 'notice', '--mode', 'keyword', '--limit', '1', '--precise', '--json']
  const { code, stdout, stderr } = await runCli(sandbox.home, search, missing)
  expect({ code, hits: JSON.parse(stdout).hits }).toEqual({ code: 0, hits: [expect.anything()] })
  expect(stderr).toContain('The hits were not reranked')
})

test('the setting that is missing beside another is named with its variable', async () => {
  const { code, stderr } = await runCli(sandbox.home, ['list'], {
    PASSIM_MODEL_URL: 'http://127.0.0.1:1/v1',
  })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('model.name') })
  expect(stderr).toContain('(PASSIM_MODEL)')
})

test('synonyms are set from a file, explained, shown and cleared', async () => {
  const list = path.join(sandbox.folder, 'terms.txt')
  await writeFile(list, 'resignation, notice')
  const set = await passim('synonyms', 'set', list, '-c', 'papers')
  expect(set).toMatchObject({ code: 0, stdout: 'papers has 1 group of synonyms now.\n' })
  const found = await passim('search', 'resignation', '--mode', 'keyword', '--explain')
  expect(found.stdout).toContain('The notice period is')
  expect(found.stderr).toContain('Searched for "resignation" also as notice.')
  const shown = await passim('synonyms', '-c', 'papers', '--json')
  expect(json(shown)).toMatchObject({ text: 'resignation, notice', groups: 1 })
  await writeFile(list, 'resignation')
  const refused = await passim('synonyms', 'set', list, '-c', 'papers')
  expect(refused.stderr).toContain('line 1: "resignation" has no synonym')
  await writeFile(list, Buffer.from([0xff, 0x2c, 0x61]))
  expect((await passim('synonyms', 'set', list, '-c', 'papers')).stderr).toContain('not UTF-8')
  await passim('synonyms', 'clear', '-c', 'papers')
  expect((await passim('synonyms', '-c', 'papers')).stdout).toBe('papers has no synonyms.\n')
})

test('a folder, or a name in other case, stands for its documents in search and ask', async () => {
  const sourcesOf = async (...args: readonly string[]) =>
    json(await passim(...args, '--json')).hits.map(({ source }: { source: string }) => source)
  const search = ['search', 'notice period', '--mode', 'keyword', '-d'] as const
  expect(await sourcesOf(...search, sandbox.path('a'))).toEqual([sandbox.path('a/terms.txt')])
  expect(await sourcesOf(...search, 'B/')).toEqual([sandbox.path('b/terms.txt')])
  expect(await sourcesOf(...search, sandbox.path('A/Terms.TXT'))).toEqual([
    sandbox.path('a/terms.txt'),
  ])
  expect((await passim(...search, 'nowhere')).stderr).toContain('no folder of documents nowhere')
  const answer = await passim('ask', 'How long is the notice period?', '-d', 'b', '--no-keep')
  expect(answer.stdout).toContain('six weeks')
  expect(answer.stdout).not.toContain('three months')
})
