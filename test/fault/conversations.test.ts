import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HISTORIES = Number(process.env.PASSIM_HISTORIES ?? 200)

test(`${HISTORIES} random histories of two processes lose nothing, double nothing and keep the order`, async () => {
  const args = [
    '--import',
    'tsx',
    'test/soak/histories.ts',
    String(HISTORIES),
    String(Date.now() % 1_000_000),
    '1',
  ]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const [code] = await once(child, 'close')
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      new RegExp(`\\n${HISTORIES} histories in .*: nothing lost, nothing doubled`),
    ),
  })
}, 900_000)
