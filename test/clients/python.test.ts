import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import { type ScriptedReply, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { startServer } from '../server/running.ts'
import { pythonPackages } from './python-packages.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

const clients = await pythonPackages(path.join(HERE, 'requirements.txt'))
const reason = 'reason' in clients ? ` (not run: ${clients.reason})` : ''

function start(script: string, url: string): ChildProcess {
  return spawn('python3', [path.join(HERE, script), url], 'env' in clients ? { env: clients.env } : {})
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
