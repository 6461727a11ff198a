import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { AuditLog } from '../../src/app/audit/audit-log.ts'
import { verifyAudit } from '../../src/app/audit/verify-audit.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

type Line = Readonly<Record<string, unknown>>

test('commands write who did what, beside a service', async () => {
  const sandbox = await Sandbox.make()
  onTestFinished(() => sandbox.remove())
  const { home } = sandbox
  const folder = path.join(home, 'audit')
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, 'config.yaml'), 'server: { audit: { keepDays: 9 } }\n')
  const file = path.join(home, 'a.txt')
  await writeFile(file, 'The printer jams.\n')
  const service = new AuditLog(home, { keepDays: 9, text: false }, () => {})
  service.write({ name: 'service' })
  const commands = [
    ['index', file, '-c', 'wiki', '--no-vectors', '--password', 'hidden'],
    ['search', 'printer', '-c', 'wiki'],
    ['ask', 'How many documents are there?', '-c', 'wiki'],
    ['delete', 'a.txt', '-c', 'wiki'],
    ['keys', 'create', 'ci', '--json'],
    ['show', 'none'],
  ]
  const results = []
  for (const command of commands) results.push(await runCli(home, command))
  service.write({ name: 'service' })
  await Promise.all([1, 2].map(async () => await runCli(home, ['keys'])))
  await service.close()
  const files = (await readdir(folder)).filter(name => name.endsWith('.jsonl'))
  const text = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')))
  const lines = text.flatMap(own => own.trimEnd().split('\n')).map(own => JSON.parse(own) as Line)
  const { username: name } = userInfo()
  const by = (command: string) =>
    lines.filter(line => (line.api as { operation: string } | undefined)?.operation === command)
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 1])
  expect(by('passim index')).toMatchObject([
    { actor: { user: { name } }, status_id: 1, resources: [{ name: file }, { name: 'wiki' }, {}] },
  ])
  expect(by('passim search')).toMatchObject([
    { query_info: { query_string: 'printer' }, resources: [{}, { type: 'passage' }] },
    { activity_name: 'passim search' },
  ])
  expect(by('passim ask')[0]).toMatchObject({
    query_info: { query_string: 'How many documents are there?' },
    resources: [{ type: 'collection' }],
  })
  const indexed = by('passim index')[0]?.resources as { uid?: string }[] | undefined
  expect(by('passim delete')).toMatchObject([
    { resources: [{ name: 'a.txt' }, { name: 'wiki' }, { uid: expect.stringMatching(/^doc_/) }] },
  ])
  expect(by('passim delete')[0]?.resources).toContainEqual({ uid: indexed?.at(-1)?.uid })
  const { id } = JSON.parse(results[4]!.stdout) as { id: string }
  expect(by('passim keys create')).toMatchObject([{ resources: [{ name: 'ci' }, { uid: id }] }])
  expect(by('passim show')).toMatchObject([{ status_id: 2 }])
  expect(by('passim keys')).toHaveLength(2)
  expect(text.join()).not.toContain('hidden')
  expect(await verifyAudit(home)).toMatchObject({ ok: true, lines: lines.length })
}, 300_000)

test('a command writes no password or query of a URL, and nothing where no store is', async () => {
  const sandbox = await Sandbox.make()
  onTestFinished(() => sandbox.remove())
  const { home } = sandbox
  const config = path.join(path.dirname(home), 'audit.yaml')
  await writeFile(config, 'server: { audit: { keepDays: 9 } }\n')
  onTestFinished(() => rm(config, { force: true }))
  const search = await runCli(home, ['search', 'printer', '--config', config])
  expect(search.code).toBe(3)
  await expect(readdir(home)).rejects.toThrow('ENOENT')
  const index = ['index', 'http://ann:sesame@7zq@127.0.0.1:1/a?token=5kxé5ky', '--config', config]
  expect((await runCli(home, index)).stderr).not.toContain('7zq')
  const text = await readFile(path.join(home, 'audit', '00000001.jsonl'), 'utf8')
  expect(text).toContain('"http://127.0.0.1:1/a"')
  expect(text).not.toMatch(/7zq|5kx|5ky/)
}, 300_000)

test.skipIf(process.getuid?.() !== 0)(
  'a user without a name is a number',
  async () => {
    const home = await mkdtemp('/tmp/passim-nameless-')
    onTestFinished(() => rm(home, { recursive: true }))
    await writeFile(path.join(home, 'config.yaml'), 'server: { audit: { keepDays: 9 } }\n')
    await chown(home, 54_321, 54_321)
    const args = [path.resolve('dist/cli.js'), 'keys', '--home', home]
    await promisify(execFile)(process.execPath, args, { uid: 54_321, gid: 54_321 })
    const text = await readFile(path.join(home, 'audit', '00000001.jsonl'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ actor: { user: { uid: '54321', name: '54321' } } })
  },
  60_000,
)
