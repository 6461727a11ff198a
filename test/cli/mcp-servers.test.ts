import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let model: ScriptedModel
beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([
    { calls: [{ name: 'sums-add', arguments: { a: 20, b: 4 } }] },
    { text: ['Employees receive "24 days of leave" [1].'] },
  ])
  const server = fileURLToPath(new URL('../fakes/mcp-server.ts', import.meta.url))
  const mcpServers = {
    sums: { command: process.execPath, args: ['--import', 'tsx', server] },
    gone: { url: 'http://127.0.0.1:1/mcp' },
  }
  await mkdir(sandbox.home, { recursive: true })
  const settings = {
    model: { url: model.url, name: 'scripted' },
    agent: { mcpServers, mcpConnectMs: 60_000 },
  }
  await writeFile(`${sandbox.home}/config.yaml`, JSON.stringify(settings))
  await sandbox.write({ 'leave.md': 'Employees receive 24 days of leave.' })
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

test('ask uses the tools of the servers in the settings file, and names one that cannot be reached', async () => {
  const { code, stdout, stderr } = await runCli(sandbox.home, [
    'ask',
    'How many days of leave?',
    '--file',
    sandbox.path('leave.md'),
  ])
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/The tools of the MCP server gone are left out/),
  ])
  expect(stdout).toMatch(/24 days of leave/)
  expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '24' })
})
