import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerDeeply } from '../../examples/deep-answer.ts'
import { discuss } from '../../examples/group-chat.ts'
import { talk } from '../../examples/long-conversation.ts'
import { askInSteps } from '../../examples/react.ts'
import { askRouter } from '../../examples/router.ts'
import { writeReport } from '../../examples/write-report.ts'
import type { Passim } from '../../src/app/passim.ts'
import { eventsOf } from '../fakes/answers.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let server: ScriptedModel
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  await server.close()
  await sandbox.remove()
})

/** A store with one contract, and a model that says this. */
async function withModel(script: readonly ScriptedReply[]): Promise<Passim> {
  server = await startScriptedModel(script)
  const passim = await sandbox.open({ settings: { model: { url: server.url, name: 'scripted' } } })
  await sandbox.write({
    'contract.md': 'The notice period is three months. The price is 100 dollars.',
  })
  await passim.index([sandbox.path('contract.md')])
  return passim
}

test('a router asks the agent that knows', async () => {
  const passim = await withModel([{ text: ['lawyer'] }, { text: ['It is "three months" [1].'] }])
  const run = askRouter(passim, 'How long is notice?')
  const steps = (await eventsOf(run)).map(({ type }) => type)
  expect(steps).toEqual(expect.arrayContaining(['retrieval', 'citation']))
  const { text, messages, citations } = await run.result
  expect([text, messages[0]?.name]).toEqual(['It is "three months" [1].', 'lawyer'])
  expect(citations).toMatchObject([{ doc: 'contract.md', verified: true }])
})

test('a model that writes its calls as text is asked in steps', async () => {
  const passim = await withModel([
    {
      text: [
        'Thought: I have to look it up.\nAction: retrieval\nAction Input: {"query": "price"}\n',
      ],
    },
    { text: ['Thought: Now the sum.\nAction: convert\nAction Input: {"dollars": 100}\n'] },
    { text: ['Thought: I know it.\nFinal Answer: It costs 90 euros.'] },
  ])
  const run = askInSteps(passim, 'What does it cost in euros?')
  const called = (await eventsOf(run)).flatMap(event =>
    event.type === 'tool-call' ? [event.call.name] : [],
  )
  expect(called).toEqual(['retrieval', 'convert'])
  expect((await run.result).text.trim()).toBe('It costs 90 euros.')
  expect(server.requests[0]?.body.tools).toBeUndefined()
  expect(server.requests[2]?.body.messages.at(-1)?.content).toMatch(
    /Observation: [\s\S]*100 dollars[\s\S]*Observation: \{"euros":90\}/,
  )
})

test('a group discusses, and the citations of its members are its own', async () => {
  const passim = await withModel([
    { text: ['Good.'] },
    { text: ['It is "three months" [1].'] },
    { text: ['Still good.'] },
    { text: ['It costs "100 dollars" [1].'] },
  ])
  const { text, citations } = await discuss(passim, 'Should we sign?')
  expect(text).toBe(
    'optimist: Good.\n\ncritic: It is "three months" [1].\n\noptimist: Still good.\n\ncritic: It costs "100 dollars" [2].',
  )
  expect(citations.map(({ marker, text }) => [marker, text])).toEqual([
    [1, 'three months'],
    [2, '100 dollars'],
  ])
})

test('a deep answer searches for each part of the question', async () => {
  const passim = await withModel([
    { text: ['{"questions": ["How long is notice?", "What does it cost?"]}'] },
    { text: ['Notice is "three months" [1], the price "100 dollars" [1].'] },
  ])
  const { searches, answer } = await answerDeeply(passim, 'Compare notice and price')
  expect(searches).toEqual([
    'Compare notice and price',
    'How long is notice?',
    'What does it cost?',
  ])
  expect(answer.citations.map(({ text }) => text)).toEqual(['three months', '100 dollars'])
})

test('a report is written section by section, its citations numbered through', async () => {
  const passim = await withModel([
    {
      text: [
        '{"sections": [{"title": "Notice", "about": "How long"}, {"title": "Price", "about": "How much"}]}',
      ],
    },
    { text: ['It is "three months" [1].'] },
    { text: ['It is "100 dollars" [1].'] },
  ])
  const run = writeReport(passim, 'A report on the contract')
  const events = await eventsOf(run)
  expect(events.find(({ type }) => type === 'plan')).toMatchObject({
    questions: ['Notice', 'Price'],
  })
  const inner = events.flatMap(event =>
    event.type === 'agent' ? [`${event.name} ${event.event.type}`] : [],
  )
  expect(inner).toEqual(
    expect.arrayContaining(['writer retrieval', 'writer text-delta', 'writer citation']),
  )
  const { text, citations, messages } = await run.result
  expect(text).toBe(
    '## Notice\n\nIt is "three months" [1].\n\n## Price\n\nIt is "100 dollars" [2].',
  )
  expect(citations.map(({ marker, text: quoted }) => [marker, quoted])).toEqual([
    [1, 'three months'],
    [2, '100 dollars'],
  ])
  expect(messages).toEqual([{ role: 'assistant', name: 'author', content: text }])
  expect(server.requests[2]?.body.messages.at(-1)?.content).toContain(
    'Write only the section "Price": How much',
  )
})

test('a report without an outline is refused', async () => {
  const passim = await withModel([{ text: ['I would rather not.'] }])
  await expect(writeReport(passim, 'A report').result).rejects.toThrow(/wrote no outline/)
})

test('a long conversation is searched, and what was found stays at hand', async () => {
  const passim = await withModel([
    { calls: [{ name: 'retrieval', arguments: { query: 'price' } }] },
    { text: ['Noted.'] },
  ])
  const questions = [
    'What is the price?',
    'My dog is called Rex.',
    'It rains.',
    'It snows.',
    'Explain what my dog is called',
  ]
  expect(await talk(passim, questions)).toEqual(questions.map(() => 'Noted.'))
  const system = (at: number) => server.requests.at(at)?.body.messages[0]?.content
  expect(system(1)).toMatch(/# What was found[\s\S]*100 dollars/)
  expect(system(-1)).toMatch(/# What was said earlier[\s\S]*user: My dog is called Rex\./)
  expect(server.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(
    3,
  )
})
