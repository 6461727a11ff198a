import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTravel, type Travel } from '../server/travel.ts'
import { pythonPackages } from './python-packages.ts'
import { replyTo } from './replies.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** The programs that docs/connect.md shows, by the line above each. */
const page = readFileSync(path.join(ROOT, 'docs/connect.md'), 'utf8')
const blocks = [...page.matchAll(/^\*\*([^*\n]+)\*\*[^\n]*\n\n```(ts|python)\n(.*?)^```/gms)].map(
  ([, name = '', language = '', text = '']) => ({ name, language, text }),
)
const agents = await pythonPackages(pathHere('connect-agents.txt'))

function pathHere(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

let travel: Travel
let folder: string
beforeAll(async () => {
  travel = await startTravel(replyTo)
  const cache = pathHere('node_modules/.cache') // the blocks import the packages of clients
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(path.join(cache, 'connect-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await travel.close()
})

/** Points a block at the test's service and its collection. */
function fillIn(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:7700', travel.server.url)
    .replaceAll('papers', 'travel')
    .replaceAll('What is the notice period?', 'What do hotels cost?')
}

test('docs/connect.md shows a program for each of these clients', () => {
  expect(blocks.map(({ name }) => name)).toEqual([
    "OpenAI's client",
    "OpenAI's Agents SDK",
    'AI SDK',
    'LangChain',
    'A tool of your own agent',
  ])
})

test.each(blocks.filter(({ language }) => language === 'ts'))('$name answers', async ({ text }) => {
  const file = path.join(folder, 'block.mts')
  writeFileSync(file, fillIn(text))
  const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { cwd: ROOT })
  expect(stdout).toContain('At most 120 euros')
})

test.each(blocks.filter(({ language }) => language === 'python'))(
  '$name answers',
  async ({ text }) => {
    if ('reason' in agents) throw new Error(agents.reason)
    const file = path.join(folder, 'block.py')
    writeFileSync(file, fillIn(text))
    const { stdout } = await run('python3', [file], { env: { ...process.env, ...agents.env } })
    expect(stdout).toMatch(/at most 120 euros/i)
  },
  120_000,
)
