import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('20 random kills lose, double, orphan and stale nothing', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/kills.ts', '20', '15', String(Date.now() % 1e6)], {
    cwd: ROOT,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const [code] = await once(child, 'close')
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('20 kills: 0 lost, 0 doubled, 0 orphaned, 0 stale'),
  })
}, 300_000)
