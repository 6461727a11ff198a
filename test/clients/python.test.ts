import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import { type ScriptedReply, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { startServer } from '../server/running.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const REQUIREMENTS = path.join(HERE, 'requirements.txt')
const CACHE = path.join(HERE, '../../node_modules/.cache/python-clients')
const INSTALL_MS = 240_000

/** The folder of the pinned clients, installed by the first run; or why there is none. Nothing that is installed is changed. */
async function installed(): Promise<{ readonly folder: string } | { readonly reason: string }> {
  const run = promisify(execFile)
  try {
    const { stdout } = await run('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])
    const [major = 0, minor = 0] = stdout.split('.').map(Number)
    if (major !== 3 || minor < 10) return { reason: `Python is ${stdout.trim()}, and the clients want 3.10` }
    const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(stdout).digest('hex')
    const folder = path.join(CACHE, digest.slice(0, 16))
    if (existsSync(folder)) return { folder }
    mkdirSync(CACHE, { recursive: true })
    const made = mkdtempSync(path.join(CACHE, 'new-'))
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary', ':all:']
    try {
      const pip = ['-m', 'pip', 'install', ...options, '--target', made, '--requirement', REQUIREMENTS]
      await run('python3', pip, { timeout: INSTALL_MS })
      if (!existsSync(folder)) renameSync(made, folder) // another run may have been quicker
    } finally {
      rmSync(made, { recursive: true, force: true })
    }
    return { folder }
  } catch (error) {
    const lines = String(error).trim().split('\n')
    return { reason: `the clients cannot be installed: ${lines.at(-1)}` }
  }
}

const clients = await installed()
const reason = 'reason' in clients ? ` (not run: ${clients.reason})` : ''

function start(script: string, url: string): ChildProcess {
  const folder = 'folder' in clients ? clients.folder : ''
  return spawn('python3', [path.join(HERE, script), url], { env: { PATH: process.env.PATH, PYTHONPATH: folder } })
}

/** The lines that a program prints; fails with what it says when it fails. */
async function linesOf(child: ChildProcess): Promise<readonly string[]> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  expect(code, stderr).toBe(0)
  return stdout.trim().split('\n')
}

async function startPassim(script: readonly ScriptedReply[]) {
  const model = await startScriptedModel(script)
  const settings = { model: { url: model.url, name: 'scripted' } }
  const server = await startServer({ settings }, { mcp: mcpService() })
  const close = async () => {
    await server.close()
    await model.close()
  }
  return { model, server, close }
}

describe.skipIf(reason !== '')(`unmodified clients for Python${reason}`, () => {
  test('openai: files, stores, responses, conversations, chat, embeddings, errors', async () => {
    const { model, server, close } = await startPassim([
      { text: ['At most 120 euros [1].'] },
      { reasoning: ['Of what?'], text: ['A night.'] },
      { text: ['At most ', '120 euros [1].'] },
      { text: ['At most ', '120 euros [1].'] },
      { text: ['Hello there.'] },
      { text: ['Hello ', 'there.'] },
      { calls: [{ name: 'look_up', arguments: { place: 'Rome' } }] },
      { status: 400, body: '{"error":{"message":"No."}}' },
      { status: 500 },
      { text: ['Hello again.'] },
    ])
    const lines = await linesOf(start('openai_client.py', `${server.url}/v1`))
    const checks = ['files and vector stores', 'responses', 'streamed responses', 'conversations', 'chat', 'embeddings']
    expect(lines).toEqual([...checks, 'errors and retries'])
    expect(model.requests).toHaveLength(10)
    await close()
  })

  test('mcp: lists, calls with progress, cancels, in either protocol', async () => {
    const answer = { text: ['Employees receive 24 days of leave [1].'] }
    const { model, server, close } = await startPassim([answer, { hang: true }, answer, { hang: true }])
    await server.sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
    await server.passim.index([server.sandbox.path('leave.md')])
    const child = start('mcp_client.py', `${server.url}/mcp`)
    const lines = linesOf(child)
    const cancelling = (async () => {
      for (const at of [1, 3]) {
        const asked = await model.request(at)
        child.stdin?.write('the model works\n')
        await asked.closed
        child.stdin?.write('the model is let go of\n')
      }
    })()
    await Promise.race([cancelling, lines])
    const checks = ['lists and reads', 'searches and asks, with progress', 'cancels']
    expect(await lines).toEqual(['legacy', 'auto'].flatMap(mode => checks.map(check => `${mode}: ${check}`)))
    await close()
  })
})
