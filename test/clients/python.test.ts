import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { startServer } from '../server/running.ts'
import { pythonPackages } from './python-packages.ts'
import { ENDLESS } from './replies.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

const clients = await pythonPackages(path.join(HERE, 'requirements.txt'))
const reason = 'reason' in clients ? ` (not run: ${clients.reason})` : ''

function start(script: string, url: string): ChildProcess {
  return spawn(
    'python3',
    [path.join(HERE, script), url],
    'env' in clients ? { env: clients.env } : {},
  )
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

/** Tells a program when the model works, at each of these requests, and when it is let go of. */
async function cancelledAt(
  model: ScriptedModel,
  requests: readonly number[],
  child: ChildProcess,
): Promise<void> {
  for (const at of requests) {
    const asked = await model.request(at)
    child.stdin?.write('the model works\n')
    await asked.closed
    child.stdin?.write('the model is let go of\n')
  }
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
    const checks = [
      'files and vector stores',
      'responses',
      'streamed responses',
      'conversations',
      'chat',
      'embeddings',
    ]
    expect(lines).toEqual([...checks, 'errors and retries'])
    expect(model.requests).toHaveLength(10)
    await close()
  })

  test('openai: lets go of the model by leaving a stream, or cancelling a task', async () => {
    const { model, server, close } = await startPassim([ENDLESS])
    const child = start('openai_cancel.py', `${server.url}/v1`)
    const lines = linesOf(child)
    const checks = ['a streamed completion', 'a streamed response', 'a completion', 'a response']
    await Promise.race([cancelledAt(model, [0, 1, 2, 3], child), lines])
    expect(await lines).toEqual(checks)
    expect(model.requests).toHaveLength(checks.length)
    await close()
  })

  test('mcp: lists, calls with progress, cancels, in either protocol', async () => {
    const answer = { text: ['Employees receive 24 days of leave [1].'] }
    const { model, server, close } = await startPassim([
      answer,
      { hang: true },
      answer,
      { hang: true },
    ])
    await server.sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
    await server.passim.index([server.sandbox.path('leave.md')])
    const child = start('mcp_client.py', `${server.url}/mcp`)
    const lines = linesOf(child)
    await Promise.race([cancelledAt(model, [1, 3], child), lines])
    const checks = ['lists and reads', 'searches and asks, with progress', 'cancels']
    expect(await lines).toEqual(
      ['legacy', 'auto'].flatMap(mode => checks.map(check => `${mode}: ${check}`)),
    )
    await close()
  })
})
