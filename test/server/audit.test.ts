import { appendFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { AuditLog, hashLine } from '../../src/app/audit/audit-log.ts'
import { verifyAudit } from '../../src/app/audit/verify-audit.ts'
import { Keys } from '../../src/app/tenants/keys.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import { type Running, startServer } from './running.ts'

type Line = Readonly<Record<string, unknown>>

const removed: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of removed.splice(0).toReversed()) await remove()
})

async function openLog(text = false) {
  const sandbox = await Sandbox.make()
  removed.push(() => sandbox.remove())
  const open = () => new AuditLog(sandbox.home, { keepDays: 1, text }, () => {})
  const folder = path.join(sandbox.home, 'audit')
  return { home: sandbox.home, folder, open }
}

const post = async ({ url }: Running, route: string, body: object, token = '') =>
  await fetch(`${url}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

async function readLog(folder: string): Promise<readonly Line[]> {
  const text = await readFile(path.join(folder, '00000001.jsonl'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
}

async function serveAndAsk(log: AuditLog): Promise<void> {
  const service = await startServer({}, { auditLog: log })
  await service.passim.documents.put({ id: 'a', text: 'The printer jams.', collection: 'wiki' })
  await post(service, '/api/search', { query: 'printer', collections: ['wiki'] })
  await fetch(`${service.url}/api/collections/wiki/documents/a`, { method: 'DELETE' })
  await service.close()
  await log.close()
}

test('lines wait while the folder cannot be written, and those that never can are counted', async () => {
  const { home, folder } = await openLog()
  const told: string[] = []
  const open = () => new AuditLog(home, { keepDays: 1, text: false }, message => told.push(message))
  await mkdir(home, { recursive: true })
  await writeFile(folder, '') // in place of the folder
  const log = open()
  for (let number = 0; number < 1_000; number++) log.write({ number })
  const room = log.waitForRoom(AbortSignal.timeout(20_000))
  await expect.poll(() => told).toEqual(['Cannot write the audit log. It is tried again.'])
  await expect(verifyAudit(home)).rejects.toThrow('ENOTDIR')
  await rm(folder)
  await room
  await log.close()
  expect(await readLog(folder)).toHaveLength(1_000)
  await rm(folder, { recursive: true })
  await writeFile(folder, '')
  const lost = open()
  lost.write({})
  await lost.close()
  expect(told.at(-1)).toBe('Lines of the audit log that could not be written: 1.')
})

test('a search is a line with its query and passages, without their text', async () => {
  const { home, folder, open } = await openLog()
  await serveAndAsk(open())
  const lines = await readLog(folder)
  expect(lines).toMatchObject([
    {
      class_uid: 6005,
      type_uid: 600_504,
      actor: { user: { name: 'local' } },
      query_info: { query_string: 'printer' },
      resources: [{ type: 'collection' }, { type: 'passage', data: { charStart: 0, charEnd: 17 } }],
    },
    { class_uid: 6003, activity_id: 1, api: { operation: 'POST /api/search' }, status_id: 1 },
    {
      activity_id: 4,
      http_request: { http_method: 'DELETE', url: { path: '/api/collections/wiki/documents/a' } },
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('jams')
  const [search, request] = lines
  expect(search?.metadata).toEqual(request?.metadata)
  expect(await verifyAudit(home)).toEqual({ ok: true, files: 1, lines: 3, problems: [] })
  const { code, stdout } = await runCli(home, ['audit', 'verify'])
  expect([code, stdout]).toEqual([0, 'No problems found. Files: 1, lines: 3.\n'])
})

test('the texts of passages are written if they are wanted', async () => {
  const { folder, open } = await openLog(true)
  await serveAndAsk(open())
  expect(JSON.stringify(await readLog(folder))).toContain('The printer jams.')
})

test('a line names the key that asked, and the key that was made', async () => {
  const { home, folder, open } = await openLog()
  const keys = await Keys.open({ home })
  removed.push(() => keys.close())
  const { key, token } = await keys.create({ name: 'ops', tenant: 'default', scope: 'admin' })
  const log = open()
  const service = await startServer({}, { auditLog: log, keys })
  const made = await post(service, '/api/keys', { name: 'ci' }, token)
  const { id } = (await made.json()) as { id: string }
  expect((await post(service, '/api/search', { query: 'x' }, 'wrong')).status).toBe(401)
  await service.close()
  await log.close()
  expect(await readLog(folder)).toMatchObject([
    {
      actor: { user: { uid: key.id, name: 'ops' } },
      api: { operation: 'POST /api/keys' },
      resources: [{ uid: id }],
    },
    { actor: { user: { name: 'unknown' } }, status_id: 2, status_code: '401' },
  ])
})

async function writeThree() {
  const opened = await openLog()
  const logs = ['a', 'b', 'c'].map(name => ({ name, log: opened.open() }))
  for (const [file, { name, log }] of logs.entries()) {
    for (const number of [1, 2, 3]) log.write({ name, number })
    const count = async () => (await verifyAudit(opened.home)).lines
    await expect.poll(count).toBe(3 * (file + 1))
  }
  for (const { log } of logs) await log.close()
  expect(await verifyAudit(opened.home)).toMatchObject({ ok: true, files: 3, lines: 9 })
  return opened
}

type Damage = (folder: string) => Promise<void>

const edit = async (file: string, change: (text: string) => string) =>
  await writeFile(file, change(await readFile(file, 'utf8')))

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a changed line': async folder =>
    await edit(path.join(folder, '00000002.jsonl'), text =>
      text.replace('"number":2', '"number":7'),
    ),
  'a missing line': async folder =>
    await edit(path.join(folder, '00000002.jsonl'), text => text.replace(/.*"number":2.*\n/, '')),
  'a missing last line': async folder =>
    await edit(path.join(folder, '00000003.jsonl'), text => text.replace(/.*"number":3.*\n/, '')),
  'a missing file': async folder => await rm(path.join(folder, '00000002.jsonl')),
  'an emptied file': async folder => {
    await rm(path.join(folder, '00000002.head'))
    await writeFile(path.join(folder, '00000002.jsonl'), '')
  },
  'a missing head': async folder => await rm(path.join(folder, '00000003.head')),
}

test.each(Object.entries(DAMAGES))('%s is noticed', async (_name, damage) => {
  const { home, folder } = await writeThree()
  await damage(folder)
  const { ok, problems } = await verifyAudit(home)
  expect(ok).toBe(false)
  expect(problems[0]?.message).toMatch(/missing/)
  expect((await runCli(home, ['audit', 'verify'])).code).toBe(1)
})

test('a log that two processes write is whole, and files after their time are removed', async () => {
  const { home, folder, open } = await openLog()
  const logs = [open(), open()]
  for (const number of [1, 2, 3]) for (const log of logs) log.write({ number })
  await Promise.all(logs.map(log => log.close()))
  expect(await verifyAudit(home)).toMatchObject({ ok: true, lines: 6 })
  expect((await readdir(folder)).length).toBe(4)
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
  await utimes(path.join(folder, '00000001.jsonl'), twoDaysAgo, twoDaysAgo)
  const later = open()
  later.write({ number: 4 })
  await later.close()
  expect((await readdir(folder)).toSorted()).toEqual(['00000002.head', '00000002.jsonl'])
  expect(await verifyAudit(home)).toMatchObject({ ok: true, lines: 4 })
})

test('several processes remove old files at once', async () => {
  const { home, folder, open } = await openLog()
  await mkdir(folder, { recursive: true })
  for (let number = 1; number <= 100; number++) {
    const file = path.join(folder, `${String(number).padStart(8, '0')}.jsonl`)
    await writeFile(file, '')
    await utimes(file, 0, 0)
  }
  const logs = [open(), open(), open(), open()]
  for (const [number, log] of logs.entries()) log.write({ number })
  await Promise.all(logs.map(log => log.close()))
  expect(await verifyAudit(home)).toMatchObject({ ok: true, lines: 4 })
})

test('a process continues the file of one that ended, and begins one after a kill', async () => {
  const { home, folder, open } = await openLog()
  for (const name of ['a', 'b']) {
    const log = open()
    log.write({ name })
    await log.close()
  }
  expect(await verifyAudit(home)).toMatchObject({ ok: true, files: 1, lines: 2 })
  const killed = open()
  killed.write({ name: 'killed' })
  await expect.poll(async () => (await verifyAudit(home)).lines).toBe(3)
  await appendFile(path.join(folder, '00000001.jsonl'), '{"cut')
  const later = open()
  later.write({ name: 'later' })
  await later.close()
  expect(await verifyAudit(home)).toMatchObject({ ok: true, files: 2, lines: 4, problems: [] })
  await killed.close()
})

test('a process that stands still before its first line is no problem', async () => {
  const { home, folder, open } = await openLog()
  const addFile = async (number: number, name: string, previous: string) => {
    const line = JSON.stringify({ name, unmapped: { previous } })
    const file = path.join(folder, `0000000${number}`)
    await writeFile(`${file}.jsonl`, `${line}\n`)
    await writeFile(`${file}.head`, JSON.stringify({ lines: 1, hash: hashLine(line) }))
    return hashLine(line)
  }
  const write = async (name: string) => {
    const log = open()
    log.write({ name })
    await log.close()
  }
  await mkdir(folder, { recursive: true })
  await addFile(1, 'late', '')
  const second = await addFile(2, 'second', '')
  await addFile(3, 'late', second)
  await addFile(4, 'late', second)
  await addFile(5, 'sixth', second)
  await write('seventh')
  expect(await verifyAudit(home)).toMatchObject({ ok: true, files: 5, lines: 6, problems: [] })
  await addFile(2, 'other', '')
  const { problems } = await verifyAudit(home)
  expect(problems.map(({ message }) => message.slice(0, 22))).toEqual([
    '00000003.jsonl, line 1',
    '00000004.jsonl, line 1',
    '00000005.jsonl, line 1',
  ])
})

test('a process continues the chain over a file that a crash left empty', async () => {
  const { home, folder, open } = await openLog()
  const first = open()
  first.write({ name: 'first' })
  await first.close()
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
  const keptDays = { keepDays: 9, text: false }
  await writeFile(path.join(folder, '00000002.jsonl'), '')
  await utimes(path.join(folder, '00000002.jsonl'), twoDaysAgo, twoDaysAgo)
  const later = new AuditLog(home, keptDays, () => {})
  later.write({ name: 'later' })
  await later.close()
  expect(await verifyAudit(home)).toMatchObject({ ok: true, files: 3, lines: 2 })
  await edit(path.join(folder, '00000001.jsonl'), text => text.replace('first', 'other'))
  await rm(path.join(folder, '00000001.head'))
  const { problems } = await verifyAudit(home)
  expect(problems.map(({ message }) => message)).toEqual([
    '00000001.jsonl: its head file is missing.',
    '00000003.jsonl, line 1: a line before it is changed or missing.',
  ])
})
