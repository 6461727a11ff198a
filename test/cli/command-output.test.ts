import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, type Ended, runCli } from '../fakes/cli.ts'
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
