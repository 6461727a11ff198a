import { expect, test } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { Message } from '../../../src/agent/message.ts'
import { PinnedFindings } from '../../../src/agent/models/pinned-findings.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { calls, ScriptedChatModel, says, toolCall } from '../../fakes/scripted-chat-model.ts'

const MOVED =
  'The relevant content has already been retrieved and updated in the previous system message.'

/** Two turns that each look something up; what the model is sent last, and what the runs add. */
async function twoTurns(found: readonly string[], maxChars?: number) {
  const left = [...found]
  const look = defineTool({
    name: 'look',
    description: '',
    parameters: [],
    call: async () => left.shift(),
  })
  const other = defineTool({
    name: 'other',
    description: '',
    parameters: [],
    call: async () => 'plain',
  })
  const turn = [calls(toolCall('look', '{}', 'a'), toolCall('other', '{}', 'b')), says('ok')]
  const inner = new ScriptedChatModel([...turn, ...turn])
  const model = new PinnedFindings(inner, { tools: ['look'], ...(maxChars && { maxChars }) })
  const agent = new Agent({ model, instructions: 'Be brief.', tools: [look, other] })
  const first: readonly Message[] = [{ role: 'user', content: 'Go' }]
  const { messages } = await agent.run(first).result
  await agent.run([...first, ...messages, { role: 'user', content: 'And again' }]).result
  const [system, ...rest] = inner.requests.at(-1)!.messages
  return {
    added: messages,
    system: system?.content,
    results: rest.filter(({ role }) => role === 'function').map(({ content }) => content),
  }
}

test('what was found is kept in the system message, once, and other results stay where they are', async () => {
  const { added, system, results } = await twoTurns(['Rex ```', 'Rex ```'])
  expect(results).toEqual([MOVED, 'plain', MOVED, 'plain'])
  expect(system).toMatch(
    /^Be brief\.[\s\S]*# What was found\n\n````\nRex ```\n````\n\nWhat stands in fences/,
  )
  expect(added[2]?.content).toBe('Rex ```')
})

test('of more than there is room for, the latest stays', async () => {
  const { system, results } = await twoTurns(['first one', 'second'], 10)
  expect(system).toContain('second')
  expect(system).not.toContain('first one')
  expect(results[0]).toMatch(/not at hand any more/)
})
