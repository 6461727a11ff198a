import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import * as answers from '../../src/wire/answer.ts'
import * as deletion from '../../src/wire/deletion.ts'
import * as document from '../../src/wire/document.ts'
import * as hit from '../../src/wire/hit.ts'
import * as job from '../../src/wire/job.ts'
import * as key from '../../src/wire/key.ts'
import * as table from '../../src/wire/table.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

/** Commands print with `--json` what the schemas of `wire` describe, and no field beyond it. */

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({
    'stay.md': '# Stay\n\n| City | Limit |\n| --- | --- |\n| Paris | 140 |\n| Rome | 120 |\n',
    'notice.txt': 'The notice period is three months.',
    'broken.pdf': '%PDF-1.7 nothing else',
  })
  await passim('index', folder, '-c', 'papers', '--no-vectors', '--quiet')
})
afterAll(() => sandbox.remove())

async function passim(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await runCli(sandbox.home, [...args, '--json'])
  return JSON.parse(stdout)
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
  expect(
    findProblems(
      z.object({ tables: z.array(table.tableSchema) }),
      await passim('tables', 'stay.md'),
    ),
  ).toEqual([])
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
  expect(findProblems(key.keySchema, await passim('keys', 'revoke', id))).toEqual([])
})
