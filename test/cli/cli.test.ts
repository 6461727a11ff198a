import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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

describe('tables', () => {
  const prices = async () =>
    sandbox.write({ '../prices/prices.csv': 'Item,Price (EUR)\nDesk,120\nLamp,35\n' })
  const expected = {
    tables: [{ name: 'prices', columns: [{ kind: 'text' }, { kind: 'number', unit: 'EUR' }] }],
  }

  test('of a file are shown without a store, as JSON and as CSV', async () => {
    await prices()
    const file = sandbox.path('../prices/prices.csv')
    expect(json(await passim('tables', file, '--json'))).toMatchObject(expected)
    expect((await passim('tables', file, '--csv')).stdout).toBe(
      'Item,Price (EUR)\r\nDesk,120\r\nLamp,35\r\n',
    )
    expect((await passim('tables', file)).stdout).toContain(
      'Item: text | Price (EUR): number in EUR',
    )
  })
  test('name the factor of their cells', async () => {
    await sandbox.write({
      '../credit/credit.csv': '银行,授信（万元）\n工商银行,120.5\n民生银行,35\n',
    })
    expect((await passim('tables', sandbox.path('../credit/credit.csv'))).stdout).toContain(
      '授信（万元）: number in 10,000 CNY\n',
    )
  })
  test('say which numbers may be read in two ways', async () => {
    await sandbox.write({ '../towns/towns.csv': 'Town,Visitors\nKiel,1.234\nUlm,2.345\n' })
    const { stdout } = await passim('tables', sandbox.path('../towns/towns.csv'))
    expect(stdout).toContain('Town: text | Visitors: text, because its numbers are ambiguous\n')
  })
  test('that are cut say so, also in CSV', async () => {
    const row = `${Array.from({ length: 50 }, (_, at) => `x${at}`).join(',')}\n`
    await sandbox.write({ '../wide/wide.csv': row.repeat(2_003) })
    const file = sandbox.path('../wide/wide.csv')
    const { stdout, stderr, code } = await passim('tables', file, '--csv', '--quiet')
    expect([code, stderr]).toEqual([
      0,
      'Only the first 2000 rows of wide were read: tables of a document have at most 100000 cells.\n',
    ])
    expect(stdout.split('\r\n')).toHaveLength(2_002)
  })
  test('of an indexed document are shown by its name', async () => {
    await prices()
    await passim('index', sandbox.path('../prices'), '-c', 'prices', '--no-vectors')
    expect(json(await passim('tables', 'prices.csv', '--json'))).toMatchObject(expected)
  })
  test('one that is not there is wrong usage', async () => {
    await prices()
    const { code, stderr } = await passim(
      'tables',
      sandbox.path('../prices/prices.csv'),
      '--table',
      '2',
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no table 2, only 1.')])
  })
  test('of several, or of none, it is told which number to give for CSV', async () => {
    const table = '| Item | Price |\n|-|-|\n| Desk | 120 |\n'
    await sandbox.write({
      '../prices/two.md': `${table}\nAnd then:\n\n${table}`,
      '../prices/none.md': 'No prices.',
    })
    const told = async (name: string) =>
      (await passim('tables', sandbox.path(`../prices/${name}`), '--csv')).stderr
    expect(await told('two.md')).toMatch(
      /two\.md has 2 tables\. Choose one with --table: 1 .+, 2 .+\. \(invalid_input\)/,
    )
    expect(await told('none.md')).toContain('none.md has no tables')
  })
  test('of what is neither a file nor a document, there are none', async () =>
    expect(await passim('tables', 'nothing.csv')).toMatchObject({ code: 1 }))
})

test('a reader that stops early ends it quietly', async () => {
  await sandbox.write({ 'long.txt': 'word '.repeat(400_000) })
  const { child, ended } = startCli(sandbox.home, ['parse', sandbox.path('long.txt')])
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await rm(sandbox.path('long.txt'))
})

describe('messages', () => {
  test('a repair tells what it mended', async () => {
    await rm(path.join(sandbox.home, 'index'), { recursive: true })
    const { stdout } = await passim('verify', '--repair')
    expect(stdout).toContain('Repaired: The index has 0 of 2 chunks of leave.md.\n')
    expect(stdout).toMatch(/\nNo problems found\. Root hash [0-9a-f]{64}\n$/)
  })
  test('what cannot be used is told by its name, with the way out', async () => {
    const empty = path.dirname(sandbox.path('../empty/x'))
    await mkdir(empty)
    const backup = sandbox.path('../nothing.backup')
    const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
      [
        0,
        /There are no files to read in .*empty\. Files of all formats .*, \.passimignore, /,
        'index',
        empty,
        docs,
      ],
      [
        0,
        /There are no files to read in .*docs\. /,
        'index',
        docs,
        '--include',
        '*.pdf',
        '--dry-run',
      ],
      [
        1,
        /There are no files to read in .*empty\. Files of all formats .*\(empty\)/,
        'ask',
        'x',
        '--file',
        empty,
      ],
      [1, /There is no folder .*nowhere: an evaluation folder/, 'eval', sandbox.path('nowhere')],
      [2, /^passim: .*empty is a folder\. Give one file\./, 'parse', empty],
      [
        2,
        /unknown command 'rename' of collections\. Commands: create, delete, re-embed/,
        'collections',
        'rename',
        'a',
      ],
      [2, /unknown command 'nope' of jobs/, 'jobs', 'nope'],
      [2, /unknown command 'drop' of keys/, 'keys', 'drop', 'nope'],
      [2, /Use -c NAME without a document/, 'restore', 'zh.txt', '--as', 'x'],
      [
        2,
        /Cannot read the settings file .*empty: illegal operation on a directory\./,
        '--config',
        empty,
        'list',
      ],
      [
        2,
        /The settings file .*zh\.txt contains no settings/,
        '--config',
        sandbox.path('zh.txt'),
        'list',
      ],
      [1, /There is no file .*nothing\.backup\. Check the path\./, 'import', backup],
    ]
    for (const [code, message, ...args] of cases) {
      const ended = await passim(...args)
      expect(ended, args.join(' ')).toMatchObject({ code })
      expect(ended.stdout + ended.stderr).toMatch(message)
    }
  })
  test.skipIf(process.getuid?.() === 0)(
    'a file to parse that may not be read is told so, with what to do',
    async () => {
      await sandbox.write({ '../shut/shut.txt': 'A secret.' })
      const shut = sandbox.path('../shut/shut.txt')
      await chmod(shut, 0)
      for (const command of ['parse', 'chunks'])
        expect((await passim(command, shut)).stderr).toMatch(
          /^passim: Cannot read .*shut\.txt: .*Check its permissions\./,
        )
    },
  )
  test('results go to stdout, the rest to stderr', async () => {
    const { stdout, stderr } = await passim('index', docs)
    expect(stdout).toContain('2 unchanged')
    expect(stderr).toBe('')
  })
  test('what failed is told once, with its reason, as soon as it failed; what went well now and then', async () => {
    await sandbox.write({ '../hollow/empty.txt': '', '../hollow/full.txt': 'A word.' })
    const { stdout, stderr } = await passim('index', sandbox.path('../hollow'), '-c', 'hollow')
    expect(stderr).toMatch(/^failed: .*empty\.txt.* is empty.* \(empty\)$/m)
    expect(
      stderr
        .split('\n')
        .filter(line => !/^(Starting the parser|failed: |\d+ of \d+ done|$)/.test(line)),
    ).toEqual([])
    expect(stdout).toMatch(/^1 indexed, 1 failed; 1 chunk; .* s\n$/)
    const again = await passim(
      'index',
      sandbox.path('../hollow'),
      sandbox.path('nowhere'),
      '-c',
      'hollow',
      '--force',
    )
    expect((again.stdout + again.stderr).match(/is empty|There is no file/g)?.toSorted()).toEqual([
      'There is no file',
      'is empty',
    ])
  })
  test.skipIf(!existsSync('/usr/bin/script'))(
    'what failed is told once on a terminal',
    async () => {
      await sandbox.write({ '../shown/empty.txt': '', '../shown/full.txt': 'A word.' })
      const line = `PASSIM_HOME='${sandbox.home}' ${CLI.join(' ')} index '${sandbox.path('../shown')}' -c shown; true`
      const { stdout } = await promisify(execFile)('/usr/bin/script', ['-qec', line, '/dev/null'])
      expect(stdout.match(/is empty|1 indexed, 1 failed/g)).toEqual([
        'is empty',
        '1 indexed, 1 failed',
      ])
    },
  )
  test('why a file that is asked cannot be read is told once', async () => {
    await sandbox.write({ '../void/empty.txt': '' })
    const { code, stderr } = await passim(
      'ask',
      'What?',
      '--file',
      sandbox.path('../void/empty.txt'),
    )
    expect([code, stderr.match(/is empty/g)]).toEqual([1, ['is empty']])
  })
  test('with --quiet nothing is said of what was done, only what failed', async () => {
    await sandbox.write({ '../half/empty.txt': '', '../half/good.txt': 'A good file.' })
    expect(await passim('index', sandbox.path('../half'), '-c', 'half', '--quiet')).toEqual({
      ...{
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^failed: .*empty\.txt.*\(empty\)\n$/),
      },
    })
    expect(await passim('delete', 'good.txt', '-c', 'half', '--quiet')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect((await passim('list', '-c', 'half', '--quiet')).stdout).toContain('empty.txt')
  })
  test('a document is shown as facts, one a line', async () => {
    const { stdout } = await passim('show', 'leave.md')
    expect(stdout).toMatch(
      /^id {12}doc_\w+\nsource +\/.*leave\.md\ncollection +default\nstatus +completed\nsearchable by keyword and meaning\n/,
    )
    expect(stdout).toMatch(
      /\nsize +\d+ bytes, \d+ chunks?, \d+ tokens\nindexed +20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ\n/,
    )
  })
  test('a chunk is shown once, under its headings', async () => {
    const { stdout } = await passim('chunks', path.join(docs, 'leave.md'))
    expect(stdout).toMatch(/^--- chunk_\w+, \d+ tokens under /)
  })
  test('every command shows an example', async () => {
    for (const command of [
      'index',
      'search',
      'ask',
      'parse',
      'chunks',
      'list',
      'serve',
      'eval',
      'verify',
    ]) {
      expect((await passim(command, '--help')).stdout, command).toContain('Example:')
    }
  })
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
