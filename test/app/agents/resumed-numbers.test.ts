import { afterAll, beforeAll, expect, test } from 'vitest'
import { textContent } from '../../../src/agent/message.ts'
import type { Tool } from '../../../src/agent/tool.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import type { Passim } from '../../../src/app/passim.ts'
import {
  calls,
  ScriptedChatModel,
  says,
  thenSilent,
  toolCall,
} from '../../fakes/scripted-chat-model.ts'
import { Sandbox } from '../../fakes/store.ts'

const PUMP = 'The pump was built in the north.'
const LEASE = 'The lease of the works lasts nine years.'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'pump.md': PUMP, 'works.md': LEASE })], {
    withoutVectors: true,
  })
})
afterAll(() => sandbox.remove())

const search = toolCall('search', JSON.stringify({ query: 'lease works' }), 's')
const look = toolCall('look', '{}', 'l')

/** Makes the pump a source before anything is searched for, and answers when it is told to. */
function lookAfter(go: Promise<void>): Tool {
  return defineTool({
    ...{ name: 'look', description: 'Looks.', parameters: [] },
    call: async (_args, _signal, { cite } = {}) => {
      const { id: documentId } = (
        await passim.list(await passim.scope.findCollection('default'))
      ).find(({ name }) => name === 'pump.md')!
      const [number] = (await cite?.([{ documentId, charStart: 0, charEnd: PUMP.length }])) ?? []
      await go
      return `It is of the north [${number}].`
    },
  })
}

/** Ask, leave when this call is answered, and go on elsewhere: what the model is told then. */
async function resumedAfter(question: string, tool: Tool, last: string): Promise<string> {
  const tools = [tool]
  const agent = passim.agent({ model: thenSilent(calls(look, search)), citations: true, tools })
  const { id: conversation } = await passim.conversations.create()
  for await (const event of agent.run(question, { conversation }).events) {
    if (event.type === 'tool-result' && event.call.id === 's') found()
    if (event.type === 'tool-result' && event.call.id === last) break
  }
  const model = new ScriptedChatModel([says('Done.')])
  const later = await sandbox.open()
  await later.agent({ model, citations: true, tools }).run([], { conversation }).result
  return model.requests[0]!.messages.map(textContent).join('\n---\n') // it was asked once
}

let found = () => {}
const afterSearch = () =>
  new Promise<void>(resolve => {
    found = resolve
  })

/** As a source is shown to a model. */
const source = (number: number, name: string, text: string) =>
  new RegExp(`\\[${number}\\]\\n\`+\\n${name}\\n\\n${text}`)

test('what calls side by side numbered keeps its numbers, whichever of them ended first', async () => {
  const told = await resumedAfter('zzz', lookAfter(afterSearch()), 'l')
  expect(told).toContain('It is of the north [1].')
  const [system = '', ...turn] = told.split('\n---\n')
  expect(system).toMatch(source(1, 'pump.md', PUMP))
  expect(system).toMatch(source(2, 'works.md', LEASE))
  expect(turn.join()).toMatch(source(2, 'works.md', LEASE)) // the answer of the search, as it was given
})

test('a number that a call took which never ended is given to nothing else', async () => {
  const [system = '', ...turn] = (
    await resumedAfter('zzz', lookAfter(new Promise(() => {})), 's')
  ).split('\n---\n')
  expect(turn.join()).toMatch(source(2, 'works.md', LEASE))
  expect(system).toMatch(source(2, 'works.md', LEASE))
  expect(system).not.toMatch(/^\[1\]$/m)
})

test('what was numbered after the documents were looked at as a whole keeps its numbers', async () => {
  const agent = passim.agent({
    ...{ model: thenSilent(calls(toolCall('look', '{}', 'l'))), citations: true },
    tools: [lookAfter(Promise.resolve())],
  })
  const { id: conversation } = await passim.conversations.create()
  await passim.index([await sandbox.write({ 'more/third.md': 'A third document, of no matter.' })])
  for await (const event of agent.run('What are these documents about?', { conversation }).events) {
    if (event.type === 'tool-result') break
  }
  await passim.index([
    await sandbox.write({ 'more/another.md': 'Another document, which came meanwhile.' }),
  ])
  const model = new ScriptedChatModel([says('Done.')])
  await passim
    .agent({ model, citations: true, tools: [lookAfter(Promise.resolve())] })
    .run([], { conversation }).result
  const [system = '', ...turn] = model.requests[0]!.messages.map(textContent) // it was asked once
  const number = Number(/north \[(\d)\]/.exec(turn.join())?.[1])
  expect(system).toMatch(source(number, 'pump.md', PUMP))
  expect(system).not.toContain('came meanwhile')
})
