import { afterAll, beforeAll, expect, test } from 'vitest'
import * as library from '../../../src/index.ts'
import { type ScriptedModel, startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let server: ScriptedModel
let passim: Awaited<ReturnType<Sandbox['open']>>
let model: { readonly url: string; readonly name: string; readonly key: string }
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await startScriptedModel(() => ({ text: ['Ana'] }))
  model = { url: server.url, name: 'elsewhere', key: 'secret' }
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'leave.md': 'Employees receive 24 days of leave.' })])
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})

test.each<readonly [string, () => { readonly result: Promise<library.AgentResult> }]>([
  ['an agent without a store', () => new library.Agent({ model }).run('Hi')],
  ['a group', () => library.groupChat([ana()], { model, turns: 'auto', maxRounds: 1 }).run('Hi')],
  ['a router', () => passim.router([ana()], { model }).run('Hi')],
  ['an agent of a store', () => passim.agent({ model }).run('Hi')],
  ['ask', () => passim.ask({ question: 'How many days of leave?', model })],
  ['ask, with a model', () => passim.ask({ question: 'Leave?', model: library.chatModel(model) })],
])('%s takes the settings of a model', async (_, run) => {
  const before = server.requests.length
  expect((await run().result).text).toContain('Ana')
  const [request] = server.requests.slice(before)
  expect(request?.body.model).toBe('elsewhere')
  expect(request?.headers.authorization).toBe('Bearer secret')
})

/** A member, typed as programs type theirs. */
function ana(): library.AnyAgent {
  const agent: library.Agent = passim.agent({ name: 'Ana', description: 'Is Ana.', model })
  return agent
}

test('settings of a model are not stored with a turn, as they have a key', async () => {
  const asked = passim.ask({ question: 'Leave?', model, conversation: 'new' })
  await expect(asked.result).rejects.toThrow(/a model that is no name cannot be combined with/)
  expect(() => new library.Agent({ model: { ...model, nmae: 'x' } as never })).toThrow(/nmae/)
})

test('a name alone is refused where there is no store to resolve it', () => {
  const given: unknown = 'qwen3'
  expect(() => Reflect.apply(library.chatModel, undefined, [given])).toThrow(
    /pass passim\.model\(name\)/,
  )
})
