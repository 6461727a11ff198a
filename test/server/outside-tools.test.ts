import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../src/app/tenants/keys.ts'
import { buildMcpServer } from '../fakes/mcp-server-command.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

let model: ScriptedModel
let service: Awaited<ReturnType<typeof openKeyed>>
beforeAll(async () => {
  model = await startScriptedModel([{ text: ['The answer was not found in the documents.'] }])
  const mcpServers = { sums: await buildMcpServer() }
  service = await openKeyed(
    {},
    { mcpServers, mcpConnectMs: 60_000 },
    { url: model.url, name: 'scripted' },
  )
})
afterAll(async () => {
  await service.close()
  await model.close()
})

/** The tools that the model is shown when somebody with such a key asks. */
async function shown(tenant: string, scope: Scope): Promise<readonly string[]> {
  const made = await service.call(await service.token(tenant), 'POST', '/v1/vector_stores', {
    name: 'default',
  })
  expect(made.status).toBeLessThan(300)
  const answer = await service.call(await service.token(tenant, scope), 'POST', '/api/ask', {
    question: 'What is 1 + 1?',
  })
  expect(answer.status).toBe(200)
  const tools = model.requests.at(-1)?.body.tools as readonly { function: { name: string } }[]
  return tools.map(tool => tool.function.name)
}

test('the tools of configured MCP servers are for the operator, and with a key that reads only those that read', async () => {
  expect(await shown('default', 'write')).toEqual([
    'search',
    'documents',
    'sums-add',
    'sums-fail',
    'sums-hang',
    'sums-die',
  ])
  expect(await shown('default', 'read')).toEqual(['search', 'documents', 'sums-add'])
  expect(await shown('acme', 'write')).toEqual(['search', 'documents'])
})
