import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { NEEDS_S3, s3Place } from '../fakes/s3.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** More rows than any of these tables has; and so few that each is brought in order by a process of its own. */
const [NEVER, ALWAYS] = [20_000, 0]

async function check(
  kills: number,
  upkeepRows: number,
  { vectors = 0, s3 = 0 } = {},
): Promise<void> {
  const args = [kills, 15, Date.now() % 1e6, upkeepRows, vectors, s3].map(String)
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/soak/kills.ts', ...args], {
    cwd: ROOT,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const [code] = await once(child, 'close')
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`${kills} kills: 0 lost, 0 doubled, 0 orphaned, 0 stale`),
  })
}

test('20 random kills lose, double, orphan and stale nothing', () => check(20, NEVER), 300_000)

test(
  'nor do kills between the words of documents and their vectors',
  () => check(12, NEVER, { vectors: 1 }),
  300_000,
)

test(
  'nor do kills of the process that brings a large table in order',
  () => check(6, ALWAYS),
  300_000,
)

const there = test.skipIf(!s3Place)

there(
  `nor do kills while index and contents lie in S3 (${NEEDS_S3})`,
  () => check(10, NEVER, { vectors: 1, s3: 1 }),
  300_000,
)
