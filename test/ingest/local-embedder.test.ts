import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { LocalEmbedder } from '../../src/ingest/embed/local.ts'
import { loadTokenizer } from '../../src/ingest/embed/local-tokens.ts'
import { readResidentBytes } from '../../src/system/living-process.ts'
import { dot, embedderContract } from '../contract/embedder.contract.ts'

const MODEL = fileURLToPath(
  new URL('../../data/models/multilingual-e5-small-enzh', import.meta.url),
)
const LONG = 'A passage of some length that keeps a worker busy for a while. '.repeat(30)
const opened: LocalEmbedder[] = []

async function open(
  options: { modelPath?: string; workers?: number; idleMs?: number } = {},
): Promise<LocalEmbedder> {
  const embedder = await LocalEmbedder.open({ modelPath: MODEL, ...options })
  opened.push(embedder)
  return embedder
}

/** A model directory whose weights are no weights. */
async function brokenModel(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'passim-model-'))
  await writeFile(join(path, 'config.json'), '{"hidden_size": 384}')
  return path
}

/** A process that is dead but not yet reaped has no memory. */
const isRunning = (id: number) => readResidentBytes(id) !== undefined

afterEach(async () => {
  await Promise.all(opened.splice(0).map(embedder => embedder.close()))
})

embedderContract('LocalEmbedder', () => LocalEmbedder.open({ modelPath: MODEL, workers: 2 }))

test('it is named after its model, and nothing runs before the first text', async () => {
  const embedder = await open()
  expect([embedder.id, embedder.dimensions, embedder.processIds]).toEqual([
    'multilingual-e5-small-enzh@1',
    384,
    [],
  ])
})

test('a passage of maxTokens is read to its end, a longer one is cut there', async () => {
  const embedder = await open()
  const tokenizer = await loadTokenizer(MODEL)
  expect(tokenizer.encode('passage: a', Infinity)).toHaveLength(512 - embedder.maxTokens + 1)
  const [whole, changed, longer] = await embedder.embed(
    [
      'a '.repeat(embedder.maxTokens),
      `${'a '.repeat(embedder.maxTokens - 1)}b`,
      'a '.repeat(embedder.maxTokens + 9),
    ],
    'passage',
  )
  expect(whole).toEqual(longer)
  expect(whole).not.toEqual(changed)
})

test.each([
  [
    'When is the rent of the boat due?',
    'The rent of the boat is due in May.',
    'The rent of the boat is 400 euros.',
  ],
  ['退票要收多少手续费？', '退票收取票价百分之二十的手续费。', '退票须在开演前一天办理。'],
])(
  '%s: what answers a question is told from what is only about the same thing',
  async (question, ...statements) => {
    const embedder = await open({ workers: 1 })
    const odds = (await embedder.answerOdds?.(question, statements)) ?? []
    expect(odds).toHaveLength(statements.length)
    expect(odds[0]).toBeGreaterThan(0)
    expect(odds[1]).toBeLessThan(-1)
    const stopped = AbortSignal.abort(new Error('enough'))
    await expect(embedder.answerOdds?.(question, statements, stopped)).rejects.toThrow('enough')
  },
)

test('a model without a cross-encoder beside it says nothing of answers', async () => {
  expect((await open({ modelPath: await brokenModel() })).answerOdds).toBeUndefined()
})

test('a Chinese question is nearer to its answer than to another passage', async () => {
  const embedder = await open({ workers: 1 })
  const [question] = await embedder.embed(['合同什么时候到期？'], 'query')
  const [near, far] = await embedder.embed(
    ['本合同有效期至二〇二六年十二月三十一日。', '今天的天气很好，适合去公园散步。'],
    'passage',
  )
  expect(dot(question!, near!)).toBeGreaterThan(dot(question!, far!))
})

test('questions and a few passages share one worker, many that wait start the others, whoever asks for them', async () => {
  const embedder = await open({ workers: 2 })
  await embedder.embed(['one', 'two', 'three'], 'query')
  await embedder.embed(['one', 'two', 'three'], 'passage')
  const controller = new AbortController()
  const ask = () => embedder.embed(Array(3).fill(LONG), 'passage', controller.signal)
  const asked = [ask(), ask()]
  expect(embedder.processIds).toHaveLength(1)
  asked.push(ask())
  expect(embedder.processIds).toHaveLength(2)
  controller.abort()
  await Promise.all(asked.map(one => expect(one).rejects.toMatchObject({ name: 'AbortError' })))
})

test('a question is answered before passages that wait', async () => {
  const embedder = await open({ workers: 1 })
  const finished: string[] = []
  const passages = embedder
    .embed(Array(5).fill(LONG), 'passage')
    .then(() => finished.push('passages'))
  await embedder.embed(['urgent'], 'query')
  finished.push('question')
  await passages
  expect(finished).toEqual(['question', 'passages'])
})

test('an abort takes the texts that wait out of the queue', async () => {
  const embedder = await open({ workers: 1 })
  await embedder.embed(['loaded'], 'query')
  const controller = new AbortController()
  const many = embedder.embed(Array(1000).fill(LONG), 'passage', controller.signal)
  controller.abort()
  await expect(many).rejects.toMatchObject({ name: 'AbortError' })
  expect(await embedder.embed(['next'], 'passage')).toHaveLength(1)
})

test('a text whose worker dies is taken over by a new worker', async () => {
  const embedder = await open({ workers: 1 })
  const passages = embedder.embed([LONG, 'short'], 'passage')
  const [first] = embedder.processIds
  process.kill(first!, 'SIGKILL')
  expect(await passages).toHaveLength(2)
  expect(embedder.processIds).not.toContain(first)
})

test('a text that kills two workers is given up with a reason, and the next one works', async () => {
  const embedder = await open({ workers: 1 })
  const failing = embedder.embed([LONG], 'passage')
  const [first] = embedder.processIds
  process.kill(first!, 'SIGSEGV')
  await expect
    .poll(() => embedder.processIds[0] ?? first, { interval: 1, timeout: 60_000 })
    .not.toBe(first)
  process.kill(embedder.processIds[0]!, 'SIGSEGV')
  await expect(failing).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('SIGSEGV'),
  })
  expect(await embedder.embed(['next'], 'passage')).toHaveLength(1)
})

test('a model that cannot be loaded is model_unavailable and says why', async () => {
  await expect(LocalEmbedder.open({ modelPath: '/nowhere' })).rejects.toMatchObject({
    code: 'model_unavailable',
  })
  const modelPath = await brokenModel()
  const embedder = await open({ modelPath, workers: 1 })
  await expect(embedder.embed(['a', 'b', 'c'], 'passage')).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('tokenizer.json'),
  })
  await rm(modelPath, { recursive: true })
})

test('idle workers are released, and start again when needed', async () => {
  const embedder = await open({ workers: 1, idleMs: 1 })
  await embedder.embed(['one'], 'query')
  await expect.poll(() => embedder.processIds, { timeout: 60_000 }).toEqual([])
  expect(await embedder.embed(['two'], 'query')).toHaveLength(1)
})

test('closing stops the texts that wait and leaves no process', async () => {
  const embedder = await open({ workers: 2 })
  const failing = embedder.embed(Array(9).fill(LONG), 'passage')
  const processes = embedder.processIds
  expect(processes).toHaveLength(2)
  await Promise.all([
    expect(failing).rejects.toMatchObject({ code: 'cancelled' }),
    embedder.close(),
  ])
  expect(processes.filter(isRunning)).toEqual([])
})

test.each(['await embedder.close()', ''])(
  'a program that ends with "%s" exits with 0',
  async ending => {
    const module = new URL('../../src/ingest/embed/local.ts', import.meta.url)
    const program = `
    const { LocalEmbedder } = await import(${JSON.stringify(module.href)})
    const embedder = await LocalEmbedder.open({ modelPath: ${JSON.stringify(MODEL)}, workers: 1 })
    await embedder.embed(['one'], 'query')
    ${ending}
    console.log('end')`
    const run = promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      program,
    ])
    expect((await run).stdout).toBe('end\n')
  },
)
