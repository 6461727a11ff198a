import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, type Ended, runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let docs: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  docs = await sandbox.write({
    'leave.md':
      '# Leave\n\nEvery employee has 25 days of leave a year.\n\n# Travel\n\nHotels cost at most 140 euros a night.',
    'zh.txt': '员工每年享有二十五天年假。出差住宿标准为每晚九百元。',
  })
  await runCli(sandbox.home, ['index', docs, '--quiet'])
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)
const json = ({ stdout }: Ended) => JSON.parse(stdout)

describe('exit codes', () => {
  const check = async (code: number, ...args: readonly string[]) =>
    expect((await passim(...args)).code).toBe(code)

  test('a search without a hit is done', () => check(0, 'search', 'xylophone', '--mode', 'keyword'))
  test('a document that fails is 1', async () => {
    await sandbox.write({ '../broken/empty.txt': '' })
    await check(1, 'index', sandbox.path('../broken'), '-c', 'broken')
  })
  test('a path that is not there is 1', () => check(1, 'index', sandbox.path('nothing')))
  test('a file that cannot be parsed is 1', () => check(1, 'parse', sandbox.path('nothing.pdf')))
  test('a document that nobody knows is 1', () => check(1, 'show', 'nothing.pdf'))
  test('a file of questions that is not there is 1', () =>
    check(1, 'ask', '--questions', sandbox.path('nothing')))
  test('a collection to delete that nobody knows is 1', () => check(1, 'delete', '-c', 'nothing'))
  test('an unknown option is 2', () => check(2, 'search', 'x', '--mod', 'keyword'))
  test('a missing argument is 2', () => check(2, 'search'))
  test('a collection that is not there is 3', () => check(3, 'search', 'x', '-c', 'nothing'))
  test('a question to one is 3', () => check(3, 'ask', 'x', '-c', 'nothing'))
  test('a model that is not configured is 3', () => check(3, 'ask', 'x', '--model', 'gpt'))
})

test('a reader that stops early ends it quietly', async () => {
  await sandbox.write({ 'long.txt': 'word '.repeat(400_000) })
  const { child, ended } = startCli(sandbox.home, ['parse', sandbox.path('long.txt')])
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await rm(sandbox.path('long.txt'))
})

describe('JSON', () => {
  test('of index', async () => {
    const result = json(await passim('index', docs, '--json'))
    expect(result).toMatchObject({ collection: 'default', totals: { unchanged: 2, failed: 0 } })
    expect(result.documents[0]).toMatchObject({ status: 'unchanged', chunks: 2, warnings: [] })
  })
  test('of search', async () => {
    const result = json(await passim('search', 'hotels', '--json', '-n', '1'))
    expect(result).toMatchObject({ query: 'hotels', mode: 'hybrid' })
    expect(result.hits).toMatchObject([
      { headings: ['Travel'], text: 'Travel\n\nHotels cost at most 140 euros a night.' },
    ])
  })
  test('of search, filtered', async () => {
    const filtered = (...filters: readonly string[]) =>
      passim(
        'search',
        'hotels',
        '--mode',
        'keyword',
        '--json',
        ...filters.flatMap(filter => ['--filter', filter]),
      )
    expect(json(await filtered('name in leave.md, other.md', 'pages!=7')).hits).toMatchObject([
      { title: 'Leave' },
    ])
    expect(json(await filtered('name=other.md')).hits).toEqual([])
    expect(await filtered('name is other.md')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected one of ='),
    })
  })
  test('of ask, with a citation that can be checked', async () => {
    const { answer, abstained, mode, citations } = json(
      await passim('ask', 'How much may a hotel cost?', '--json'),
    )
    expect({ abstained, mode }).toEqual({ abstained: false, mode: 'extractive' })
    expect(answer).toContain('140 euros')
    const [citation] = citations
    expect(citation).toMatchObject({ doc: 'leave.md', verified: true })
    const { text } = json(await passim('show', 'leave.md', '--text', '--json'))
    expect(text.slice(citation.charStart, citation.charEnd)).toBe(citation.text)
  })
  test('of ask over many questions, one of them broken', async () => {
    const file = sandbox.path('questions.jsonl')
    await writeFile(file, '{"id": 0, "question": "年假有多少天？"}\nno json\n')
    const { stdout, code } = await passim('ask', '--questions', file)
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toMatchObject([
      { id: 0, abstained: false },
      { id: 2, error: { code: 'invalid_input' } },
    ])
    expect(lines[0].answer).toContain('二十五天')
    expect(code).toBe(1)
  })
  test('of ask over many questions: a failed one keeps its id, and no questions are told', async () => {
    const file = sandbox.path('../questions.jsonl')
    await writeFile(file, '{"id": "1"}\n\n[]\n')
    const { stdout } = await passim('ask', '--questions', file)
    const ids = stdout.trim().split('\n')
    expect(ids.map(line => JSON.parse(line).id)).toEqual(['1', '3'])
    await writeFile(file, '\n')
    expect(await passim('ask', '--questions', file)).toMatchObject({
      ...{ code: 0, stdout: '', stderr: expect.stringContaining('no questions') },
    })
  })
  test.skipIf(!existsSync('/usr/bin/script'))(
    'while many questions are answered, a terminal shows how many are',
    async () => {
      const [file, answers] = [sandbox.path('../many.jsonl'), sandbox.path('../answers.jsonl')]
      await writeFile(
        file,
        '{"question": "年假有多少天？"}\n{"question": "How much may a hotel cost?"}\n',
      )
      const line = `PASSIM_HOME='${sandbox.home}' ${CLI.join(' ')} ask --questions '${file}' > '${answers}'`
      const { stdout } = await promisify(execFile)('/usr/bin/script', ['-qec', line, '/dev/null'])
      expect(stdout).toContain('2/2 questions')
      expect(stdout.split('No chat model is configured')).toHaveLength(2)
      expect(
        (await readFile(answers, 'utf8'))
          .trim()
          .split('\n')
          .map(answer => JSON.parse(answer)),
      ).toHaveLength(2)
    },
  )
  test('of parse, also when it fails', async () => {
    expect(json(await passim('parse', sandbox.path('zh.txt'), '--json'))).toMatchObject({
      mediaType: 'text/plain',
      blocks: [{ kind: 'paragraph', charStart: 0 }],
    })
    expect(json(await passim('parse', sandbox.path('nothing'), '--json'))).toMatchObject({
      error: { code: 'not_found' },
    })
  })
  test('of chunks', async () => {
    const { chunks } = json(await passim('chunks', sandbox.path('leave.md'), '--json'))
    expect(chunks).toMatchObject([{ headings: ['Leave'] }, { headings: ['Travel'] }])
  })
  test('of list, collections and verify', async () => {
    expect(json(await passim('list', '-c', 'default', '--json')).documents).toMatchObject([
      { status: 'completed' },
      {},
    ])
    expect(json(await passim('collections', '--json')).collections).toContainEqual(
      expect.objectContaining({ name: 'default' }),
    )
    expect(json(await passim('verify', '--json'))).toMatchObject({
      ok: true,
      rootHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

test('a question about a file adds nothing to the list', async () => {
  const file = sandbox.path('../other.txt')
  await writeFile(file, 'The meeting is on Tuesday at nine.')
  const { answer, citations } = json(
    await passim('ask', 'When is the meeting?', '--file', file, '--json'),
  )
  expect(answer).toContain('Tuesday')
  expect(citations).toMatchObject([{ doc: 'other.txt', verified: true }])
  expect(
    json(await passim('list', '--json')).documents.map(
      (document: { name: string }) => document.name,
    ),
  ).not.toContain('other.txt')
  expect((await passim('jobs')).stdout).not.toContain('other.txt')
  expect((await passim('jobs', '-n', '1')).stderr).toMatch(
    /^Showing 1 of (\d+) jobs, newest first\. Use --limit \1 for all\.$/m,
  )
})

test('of a question that the documents do not answer, the nearest passages are shown, on a page too, without colour', async () => {
  const { code, stdout, stderr } = await passim(
    'ask',
    'Who paints the hotels of the company?',
    '--strictness',
    '1',
    '--open',
  )
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^The answer was not found in the documents\.\n\nThis may answer it\n\[1\] leave\.md, \w+\n {4}“/,
    ),
  ])
  expect(stdout + stderr).not.toContain('\u001b')
  const page = stderr.match(/The page is at (.*)/)?.[1] ?? ''
  const html = await readFile(page, 'utf8')
  expect(html).toContain('<h2>This may answer it</h2>')
  expect(html).toMatch(/<mark>[^<]*Hotels cost at most 140 euros/)
  await rm(path.dirname(page), { recursive: true })
})

test('answers to a set of questions are judged, each figure with its interval', async () => {
  await sandbox.write({ '../set/docs/pump.md': '# Pump\n\nThe warranty of the pump is 36 months.' })
  const question = {
    ...{
      id: 'a',
      question: 'How long is the warranty of the pump?',
      answerable: true,
      must_include: [['36 months']],
    },
    ...{ doc: 'pump.md', evidence: 'warranty of the pump is 36 months' },
  }
  await writeFile(sandbox.path('../set/questions.jsonl'), JSON.stringify(question))
  const { stdout } = await passim('eval', sandbox.path('../set'), '--quiet')
  for (const measure of ['correct', 'document cited', 'evidence cited']) {
    expect(stdout).toMatch(new RegExp(`^${measure} +1\\.000 \\[0\\.207, 1\\.000\\]  of 1$`, 'm'))
  }
  expect(stdout).toMatch(/^refused an answerable question +0\.000 \[/m)
  const calibration = sandbox.path('../calibration.json')
  const set = sandbox.path('../set')
  await passim('eval', set, '--quiet', '--max-risk', '0.1', '--calibration', calibration)
  const written = JSON.parse(await readFile(calibration, 'utf8'))
  expect(written).toMatchObject({ en: { asked: 1, wrong: [] }, zh: { asked: 0, right: [] } })
  expect(written.en.right).toEqual([expect.any(Number)])
})

test('a deleted document is not found any more', async () => {
  await sandbox.write({ '../gone/gone.txt': 'A unicorn.' })
  await passim('index', sandbox.path('../gone'), '-c', 'gone')
  expect(json(await passim('search', 'unicorn', '-c', 'gone', '--json')).hits).toHaveLength(1)
  expect((await passim('delete', 'gone.txt')).code).toBe(0)
  expect(json(await passim('search', 'unicorn', '-c', 'gone', '--json')).hits).toEqual([])
})

test('collections are listed with the word list, too, and with as many documents as are deleted', async () => {
  await sandbox.write({ '../mixed/good.txt': 'A heron.', '../mixed/bad.pdf': '%PDF-1.7 no more' })
  await passim('index', sandbox.path('../mixed'), '-c', 'mixed')
  const { stdout } = await passim('collections', 'list')
  expect(stdout).toBe((await passim('collections')).stdout)
  expect(stdout).toMatch(/^mixed .*2 documents \(1 failed\)/m)
  expect((await passim('delete', '-c', 'mixed')).stderr).toContain('2 documents')
})

test('a collection is deleted without a terminal only with --yes, and comes back', async () => {
  await sandbox.write({ '../back/back.txt': 'A phoenix.' })
  await passim('index', sandbox.path('../back'), '-c', 'back')
  const found = async () =>
    json(await passim('search', 'phoenix', '-c', 'back', '--json')).hits.length
  for (const command of [
    ['delete', '-c', 'back'],
    ['collections', 'delete', 'back'],
  ]) {
    const refused = await passim(...command)
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/1 document, 1 chunk, 10 bytes.*--yes/),
    })
  }
  expect(await found()).toBe(1)
  expect((await passim('delete', '-c', 'back', '--yes')).code).toBe(0)
  expect((await passim('search', 'phoenix', '-c', 'back')).code).toBe(3)
  const { deletions } = json(await passim('restore', '--json'))
  expect(deletions).toContainEqual(
    expect.objectContaining({ kind: 'collection', name: 'back', documents: 1 }),
  )
  expect((await passim('restore', '-c', 'back')).code).toBe(0)
  expect(await found()).toBe(1)
})

test('what is deleted for good is asked about, and cannot be restored', async () => {
  await sandbox.write({ '../lost/lost.txt': 'A basilisk.' })
  await passim('index', sandbox.path('../lost'), '-c', 'lost')
  expect((await passim('delete', 'lost.txt', '--now')).code).toBe(2)
  expect((await passim('delete', 'lost.txt')).code).toBe(0)
  expect((await passim('delete', 'lost.txt', '--now', '--yes')).code).toBe(0)
  expect((await passim('restore', 'lost.txt')).code).toBe(1)
})
