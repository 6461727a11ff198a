import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import * as answers from '../../src/wire/answer.ts'
import * as backup from '../../src/wire/backup.ts'
import * as checks from '../../src/wire/checks.ts'
import * as collection from '../../src/wire/collection.ts'
import * as conversation from '../../src/wire/conversation.ts'
import * as deletion from '../../src/wire/deletion.ts'
import * as document from '../../src/wire/document.ts'
import { commandErrorSchema } from '../../src/wire/error.ts'
import * as evaluation from '../../src/wire/evaluation.ts'
import { findSchema } from '../../src/wire/find.ts'
import * as hit from '../../src/wire/hit.ts'
import { indexResultSchema } from '../../src/wire/indexing.ts'
import * as job from '../../src/wire/job.ts'
import * as key from '../../src/wire/key.ts'
import { synonymsSchema } from '../../src/wire/synonyms.ts'
import * as table from '../../src/wire/table.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

/** Commands print with `--json` what the schemas of `wire` describe, and no field beyond it. */

let sandbox: Sandbox
let folder: string
let indexed: unknown
beforeAll(async () => {
  sandbox = await Sandbox.make()
  folder = await sandbox.write({
    'stay.md': '# Stay\n\n| City | Limit |\n| --- | --- |\n| Paris | 140 |\n| Rome | 120 |\n',
    'notice.txt': 'The notice period is three months.',
    'broken.pdf': '%PDF-1.7 nothing else',
  })
  indexed = await passim('index', folder, '-c', 'papers', '--no-vectors', '--quiet')
})
afterAll(() => sandbox.remove())

async function passim(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await runCli(sandbox.home, [...args, '--json'])
  return JSON.parse(stdout)
}

function parseLines(stdout: string): readonly unknown[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

/** Returns the problems of a value; fields that no schema names are problems too. */
function findProblems(schema: z.ZodType, value: unknown): readonly string[] {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input' })
  const strict = z.fromJSONSchema(closeObjects(described) as z.core.JSONSchema.JSONSchema)
  const { error } = strict.safeParse(value)
  return error ? [z.prettifyError(error)] : []
}

/** Refuses further fields wherever a schema lists the fields of an object. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closeObjects(value)]),
  )
  return 'properties' in closed && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed
}

test('documents', async () => {
  const listed = await passim('list')
  expect(findProblems(document.documentListSchema, listed)).toEqual([])
  expect(document.documentListSchema.parse(listed).documents).toHaveLength(3)
  expect(findProblems(document.reportedDocumentSchema, await passim('show', 'notice.txt'))).toEqual(
    [],
  )
  expect(
    findProblems(document.documentTextSchema, await passim('show', 'notice.txt', '--text')),
  ).toEqual([])
  expect(
    findProblems(document.chunkListSchema, await passim('show', 'notice.txt', '--chunks')),
  ).toEqual([])
})

test('an unknown field is a problem', async () => {
  const listed = document.documentListSchema.parse(await passim('list'))
  expect(findProblems(document.documentListSchema, { ...listed, more: 1 })).toHaveLength(1)
})

test('jobs', async () => {
  const listed = await passim('jobs')
  expect(findProblems(job.jobListSchema, listed)).toEqual([])
  const failed = job.jobListSchema.parse(listed).jobs.find(({ state }) => state === 'failed')
  expect(findProblems(job.jobSchema, await passim('jobs', 'retry', failed?.id ?? ''))).toEqual([])
})

test('search, ask and tables', async () => {
  expect(findProblems(hit.searchSchema, await passim('search', 'notice', '--explain'))).toEqual([])
  expect(
    findProblems(answers.timedAnswerSchema, await passim('ask', 'What is the notice period?')),
  ).toEqual([])
  expect(findProblems(table.tableListSchema, await passim('tables', 'stay.md'))).toEqual([])
})

test('indexing', async () => {
  expect(findProblems(indexResultSchema, indexed)).toEqual([])
  const { totals } = indexResultSchema.parse(indexed)
  expect([totals.indexed, totals.failed]).toEqual([2, 1])
  const plan = await passim('index', folder, '-c', 'papers', '--dry-run')
  expect(findProblems(indexResultSchema, plan)).toEqual([])
})

test('collections', async () => {
  expect(findProblems(collection.collectionListSchema, await passim('collections'))).toEqual([])
  const made = await passim('collections', 'create', 'empty', '--embedder', 'none')
  expect(findProblems(collection.storedCollectionSchema, made)).toEqual([])
  const same = await passim('collections', 're-embed', 'empty', '--embedder', 'none')
  expect(findProblems(job.reEmbedResultSchema, same)).toEqual([])
  const shown = await passim('synonyms', '-c', 'papers')
  expect(findProblems(synonymsSchema, shown)).toEqual([])
})

test('conversations', async () => {
  const question = 'What is the notice period?'
  const answer = answers.timedAnswerSchema.parse(await passim('ask', question))
  const id = answer.conversation ?? ''
  await passim('ask', 'And the limit of Rome?', '--continue')
  await passim('ask', 'What is the colour of the moon?', '--continue')
  const shown = await passim('conversations', 'show', id)
  expect(findProblems(conversation.shownConversationSchema, shown)).toEqual([])
  expect(conversation.shownConversationSchema.parse(shown).turns).toHaveLength(3)
  const exported = await passim('conversations', 'export', id)
  expect(findProblems(conversation.exportedConversationSchema, exported)).toEqual([])
  const store = await sandbox.open()
  await store.judgements.judge(id, 1, { rating: 'good', reason: 'Short.' })
  await store.close()
  const judged = await passim('conversations', 'judged')
  expect(findProblems(evaluation.judgedAnswerSchema, judged)).toEqual([])
  const listed = await passim('conversations')
  expect(findProblems(conversation.conversationListSchema, listed)).toEqual([])
  expect(conversation.conversationListSchema.parse(listed).conversations).not.toEqual([])
  const removed = await passim('conversations', 'delete', id, '--yes')
  expect(findProblems(conversation.removedConversationSchema, removed)).toEqual([])
})

test('a chat', async () => {
  const lines = ['What is the notice period?', '/sources', '/history', ''].join('\n')
  const { child, ended } = startCli(sandbox.home, ['chat', '--json'])
  child.stdin?.end(lines)
  const { stdout } = await ended
  const [answer, sources, history] = parseLines(stdout)
  expect(findProblems(answers.timedAnswerSchema, answer)).toEqual([])
  expect(findProblems(answers.citationListSchema, sources)).toEqual([])
  expect(findProblems(conversation.turnListSchema, history)).toEqual([])
})

test('a file of questions', async () => {
  await sandbox.write({
    'many.jsonl': '{"id": "a", "question": "What is the notice period?"}\n{"id": "b"}\n',
  })
  const file = path.join(folder, 'many.jsonl')
  const { stdout } = await runCli(sandbox.home, ['ask', '--questions', file])
  const lines = parseLines(stdout)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(findProblems(answers.answerLineSchema, line)).toEqual([])
})

test('files without a store', async () => {
  const stay = path.join(folder, 'stay.md')
  expect(findProblems(document.parsedFileSchema, await passim('parse', stay))).toEqual([])
  expect(findProblems(document.chunkListSchema, await passim('chunks', stay))).toEqual([])
  const unread = await passim('parse', path.join(folder, 'broken.pdf'))
  expect(findProblems(document.unreadFileSchema, unread)).toEqual([])
})

test('checks, backups and failures', async () => {
  expect(findProblems(checks.verificationSchema, await passim('verify'))).toEqual([])
  expect(findProblems(checks.repairSchema, await passim('verify', '--repair'))).toEqual([])
  const audited = await passim('audit', 'verify')
  expect(findProblems(checks.auditVerificationSchema, audited)).toEqual([])
  expect(findProblems(checks.doctorReportSchema, await passim('doctor'))).toEqual([])
  expect(
    findProblems(findSchema, await passim('find', 'The notice period is three months.')),
  ).toEqual([])
  const file = path.join(folder, '..', 'store.backup')
  expect(findProblems(backup.backupSummarySchema, await passim('export', file))).toEqual([])
  const copy = await runCli(path.join(folder, '..', 'copy'), ['import', file, '--json'])
  expect(findProblems(backup.importSchema, JSON.parse(copy.stdout))).toEqual([])
  expect(findProblems(commandErrorSchema, await passim('show', 'nothing'))).toEqual([])
})

test('evaluations', async () => {
  await sandbox.write({
    'queries/corpus.jsonl':
      '{"id": "1", "title": "", "text": "The notice period is three months."}\n',
    'queries/queries.jsonl': '{"id": "q", "query": "notice period"}\n',
    'queries/qrels.tsv': 'q\t1\t1\n',
  })
  const measured = await passim('eval', path.join(folder, 'queries'), '--mode', 'keyword')
  expect(findProblems(evaluation.evaluationSchema, measured)).toEqual([])
  await sandbox.write({
    'questions/docs/notice.txt': 'The notice period is three months.',
    'questions/questions.jsonl':
      '{"id": "q", "question": "What is the notice period?", "answerable": true, "must_include": [["three"]], "doc": "notice.txt", "evidence": "three months"}\n',
  })
  const judged = await passim('eval', path.join(folder, 'questions'))
  expect(findProblems(evaluation.answerEvaluationSchema, judged)).toEqual([])
})

test('deletions', async () => {
  expect(
    findProblems(deletion.deletedSchema, await passim('delete', 'notice.txt', '--yes')),
  ).toEqual([])
  expect(findProblems(deletion.deletionListSchema, await passim('restore'))).toEqual([])
  expect(findProblems(deletion.restoredSchema, await passim('restore', 'notice.txt'))).toEqual([])
  expect(
    findProblems(deletion.deletedSchema, await passim('collections', 'delete', 'papers', '--yes')),
  ).toEqual([])
})

test('keys', async () => {
  const made = await passim('keys', 'create', 'ci', '--scope', 'admin')
  expect(findProblems(key.newKeySchema, made)).toEqual([])
  expect(findProblems(key.keyListSchema, await passim('keys'))).toEqual([])
  const { id } = key.newKeySchema.parse(made)
  const part = ['-c', 'wiki', '-c', 'faq', '--filter', 'team=it']
  const reader = await passim('keys', 'create', 'kiosk', '--scope', 'read', ...part)
  expect(key.newKeySchema.parse(reader)).toMatchObject({
    collections: ['wiki', 'faq'],
    filter: { type: 'eq', key: 'team', value: 'it' },
  })
  expect(findProblems(key.keySchema, await passim('keys', 'revoke', id))).toEqual([])
})
