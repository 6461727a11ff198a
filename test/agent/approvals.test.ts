import { expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Tool } from '../../src/agent/tool.ts'
import { calls, ScriptedChatModel, says, toolCall } from '../fakes/scripted-chat-model.ts'

/** A tool that notes what it is called with. */
function paying(needsApproval: NonNullable<Tool['needsApproval']>) {
  const paid: unknown[] = []
  const parameters = { type: 'object', properties: { euros: { type: 'number' } } } as const
  const pay: Tool = {
    name: 'pay',
    description: '',
    parameters,
    needsApproval,
    call: async args => paid.push(args),
  }
  return { pay, paid }
}

test.each(['{euros: NaN}', '{"euros": 1e999}', '{"euros": -Infinity}', "{euros: '5'}"])(
  'what somebody may have to approve of is JSON with finite numbers, else nothing is done: %s',
  async args => {
    const { pay, paid } = paying(given => (given as { euros: number }).euros > 10)
    const model = new ScriptedChatModel([calls(toolCall('pay', args)), says('Done.')])
    await new Agent({ model, tools: [pay] }).run('Pay').result
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('not valid JSON')
    expect(paid).toEqual([])
  },
)

test('a condition that fails asks for approval', async () => {
  const { pay, paid } = paying(given => (given as { euros: number }).euros > 10)
  const model = new ScriptedChatModel([calls(toolCall('pay', 'null'))])
  expect((await new Agent({ model, tools: [pay] }).run('Pay').result).finishReason).toBe('approval')
  expect(paid).toEqual([])
})

test.each(['constructor', '__proto__', 'toString'])(
  'a call of the id %s is approved by its own decision alone',
  async id => {
    const { pay, paid } = paying(true)
    const turn: readonly Message[] = [
      { role: 'user', content: 'Pay' },
      {
        role: 'assistant',
        content: '',
        functionCall: { name: 'pay', arguments: '{}' },
        functionId: id,
      },
    ]
    const reasonWith = async (approvals: Readonly<Record<string, boolean>>) => {
      const agent = new Agent({ model: new ScriptedChatModel([says('Done.')]), tools: [pay] })
      return (await agent.run(turn, { approvals }).result).finishReason
    }
    expect([await reasonWith({}), paid.length]).toEqual(['approval', 0])
    expect([await reasonWith(JSON.parse(`{"${id}": true}`)), paid.length]).toEqual(['stop', 1])
  },
)
