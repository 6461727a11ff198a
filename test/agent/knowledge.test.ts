import { expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { ProvidedKnowledge } from '../../src/agent/groundings/recalled.ts'
import type { Message } from '../../src/agent/message.ts'
import { runJson } from '../../src/qwen.ts'
import { ScriptedChatModel, says } from '../fakes/scripted-chat-model.ts'

const PASSAGES = [
  { url: '/docs/leave.md', text: ['24 days.', 'Ask early.'] },
  { url: '/docs/pay.md', text: 'Monthly.' },
]
const WRITTEN =
  /\(leave\.md\) 的内容：\n\n```\n24 days\.\n\n\.\.\.\n\nAsk early\.\n```.*\(pay\.md\) 的内容：\n\n```\nMonthly\./s

const model = () => new ScriptedChatModel([says('好。')])
const systemOf = (asked: ScriptedChatModel) => asked.requests[0]?.messages[0]?.content
const question: Message = { role: 'user', content: '多少天？' }

test('knowledge of a run replaces that of the agent for this run', async () => {
  const asked = model()
  const agent = new Agent({ model: asked, grounding: new ProvidedKnowledge('Own knowledge.') })
  await agent.run([question], { knowledge: PASSAGES }).result
  await agent.run([question]).result
  expect(systemOf(asked)).toMatch(WRITTEN)
  expect(systemOf(asked)).not.toMatch(/Own/)
  expect(asked.requests[1]?.messages[0]?.content).toMatch(/Own knowledge\./)
})

test('knowledge is the JSON of what a retrieval returned, also where JSON runs an agent', async () => {
  const [asked, items] = [model(), model()]
  const own = { source: 'a.md', content: 'Red.' }
  const json = JSON.stringify(PASSAGES)
  for await (const _ of runJson(new Agent({ model: asked }), [question], { knowledge: json }));
  expect(systemOf(asked)).toMatch(WRITTEN)
  await new Agent({ model: items }).run([question], { knowledge: JSON.stringify([own]) }).result
  expect(systemOf(items)).toMatch(/\(a\.md\) 的内容：\n\n```\nRed\./)
})

test('a text that only looks like JSON stays a text, and other lists are refused', async () => {
  const asked = model()
  const agent = new Agent({ model: asked })
  await agent.run([question], { knowledge: '[1] The first note.' }).result
  expect(systemOf(asked)).toMatch(/上传的文档\) 的内容：\n\n```\n\[1\] The first note\./)
  const wrong = [{ title: 'x' }] as never // as JavaScript may pass it
  await expect(agent.run([question], { knowledge: wrong }).result).rejects.toThrow(
    /\{ url, text \}/,
  )
})

test('an agent with citations refuses knowledge, which it could not cite', async () => {
  const agent = new Agent({ model: model(), citations: true })
  await expect(agent.run([question], { knowledge: PASSAGES }).result).rejects.toThrow(
    /knowledge cannot be cited.*index the knowledge/,
  )
  expect((await agent.run([question]).result).text).toBe('好。')
})
