import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentTool } from '../../../src/agent/agents/agent-tool.ts'
import { groupChat } from '../../../src/agent/agents/group-chat.ts'
import { textContent } from '../../../src/agent/message.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../../../src/agent/model.ts'
import type { ObservedStep } from '../../../src/agent/observed.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { eventsOf } from '../../fakes/answers.ts'
import { calls, says, toolCall } from '../../fakes/scripted-chat-model.ts'
import { startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

const PRICES =
  'Item,Unit price (EUR),Since\nPump,"1,200.50",2021-03-05\nHose,35,2022-01-01\nValve,80,2023-07-09\n'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const report = 'The works stand in the north.\n\nThe lease of the works lasts nine years.'
  await passim.index([await sandbox.write({ 'prices.csv': PRICES, 'works.md': report })])
})
afterAll(() => sandbox.remove())

type Say = (last: string, request: ModelRequest) => readonly ModelEvent[]

/** Its turns one after another, each told what was answered last. */
class Turns implements ChatModel {
  readonly id = 'turns'
  readonly requests: ModelRequest[] = []
  readonly #turns: Say[]

  constructor(...turns: Say[]) {
    this.#turns = turns
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.requests.push(request)
    const last = request.messages.at(-1)
    yield* this.#turns.shift()!(last ? textContent(last) : '', request) // as many as are asked for
  }
}

const SQL = "SELECT item, unit_price_eur FROM prices WHERE item IN ('Pump', 'Valve')"

test('a row that a query of tables found is cited by its number, cell by cell', async () => {
  const model = new Turns(
    () => calls(toolCall('query_tables', JSON.stringify({ sql: SQL }))),
    told => {
      const { rows, citing } = JSON.parse(told)
      expect(citing).toMatch(/number of a row/)
      expect(rows).toMatchObject([
        { cite: /^\[\d+\]$/.test(rows[0].cite) && rows[0].cite },
        { from: ['prices:3'] },
      ])
      return says(`A pump costs 1,200.50 ${rows[0].cite}. A hose costs 99 ${rows[1].cite}.`)
    },
  )
  const agent = passim.agent({ model, citations: true, tools: ['query_tables'] })
  const { citations, unconfirmed } = await agent.run('zzz').result
  expect(citations).toMatchObject([
    { doc: 'prices.csv', verified: true, support: 'stated' },
    { doc: 'prices.csv', verified: true, support: 'unknown' },
  ])
  expect(citations[0]?.text).toContain('Pump')
  expect(citations[0]?.text).not.toContain('Valve')
  expect(unconfirmed).toEqual(['A hose costs 99.'])
})

test('quotations of documents that were read whole are cited as those of a search are', async () => {
  const words = 'The lease of the works lasts nine years'
  const model = new Turns(
    () =>
      calls(toolCall('summarise', JSON.stringify({ task: 'How long?', documents: ['works.md'] }))),
    () => says(`- Nine years: "${words}"`),
    () => says('It lasts nine years [1].'),
    told => {
      const { text, citations } = JSON.parse(told)
      expect(text).toBe(`It lasts nine years [${citations[0].marker}].`)
      return says(text)
    },
  )
  const { citations, unsupported } = await passim
    .agent({ model, citations: true, tools: ['summarise'] })
    .run('zzz').result
  expect(citations).toMatchObject([{ doc: 'works.md', verified: true }])
  expect(citations[0]?.text).toContain(words)
  expect(unsupported).toEqual([])
})

test('what tools answered to the members of a group is numbered through', async () => {
  const said = ['On Monday, Bern has heavy rain.', 'On Tuesday, Rome has bright sunshine.']
  const weather = (told: string) =>
    defineTool({ name: 'weather', description: '', parameters: [], call: async () => told })
  const member = (name: string, told: string) => {
    const model = new Turns(
      () => calls(toolCall('weather')),
      () => says(told),
    )
    return passim.agent({ model, name, citations: true, tools: [weather(told)] })
  }
  const group = groupChat([member('Ana', said[0]!), member('Bob', said[1]!)], { maxRounds: 1 })
  const { text, toolCitations } = await group.run('zzz').result
  expect(text).toBe(
    'Ana: On Monday, Bern has heavy rain [1].\n\nBob: On Tuesday, Rome has bright sunshine [2].',
  )
  expect(toolCitations?.map(one => [one.marker, one.text])).toEqual([
    [1, said[0]],
    [2, said[1]],
  ])
})

/** An agent that knows how long the lease lasts, as a tool. */
function createExpert() {
  const model = new Turns(() => says('The lease of the works lasts nine years [1].'))
  const label = { name: '律师', description: 'Knows the lease.' }
  return passim.agent({ ...label, model, citations: true })
}

const PLACE = { doc: 'works.md', verified: true, text: expect.stringContaining('nine years') }

test.each([
  ['with sources of its own, which checks them', { citations: true }, 'stated'],
  ['without sources, which passes them on unchecked', { knowledge: 'None.' }, 'unknown'],
] as const)(
  'places that an inner agent cites are cited by an outer one %s',
  async (_, how, support) => {
    const tool = agentTool(createExpert())
    const model = new Turns(
      () => calls(toolCall(tool.name, '{"task":"How long does the lease of the works last?"}')),
      told => says(told),
    )
    const run = passim.agent({ model, tools: [tool], ...how }).run('zzz')
    const { text, citations } = await run.result
    expect(text).toBe('The lease of the works lasts nine years [1].')
    expect(citations).toMatchObject([{ ...PLACE, marker: 1, support }])
    expect((await eventsOf(run)).filter(({ type }) => type === 'citation')).toHaveLength(1)
  },
)

test('a router has the citations of the agent that it chooses, by a model of settings', async () => {
  const server = await startScriptedModel([{ text: ['律师'] }])
  const model = { url: server.url, name: 'chooser' }
  const routed = passim.router([createExpert()], { model })
  const { text, citations } = await routed.run('How long does the lease of the works last?').result
  await server.close()
  expect([text, citations]).toMatchObject(['The lease of the works lasts nine years [1].', [PLACE]])
  expect(server.requests).toHaveLength(1)
  expect(() => passim.router([createExpert()])).toThrow(/No chat model is configured/)
})

test('what a tool asks of a model is observed, and its cost counts', async () => {
  const usage: ModelEvent = {
    type: 'usage',
    usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2, cost: 0.5 },
  }
  const model = new Turns(
    () => [
      usage,
      ...calls(toolCall('summarise', JSON.stringify({ task: 'Where?', documents: ['works.md'] }))),
    ],
    () => [usage, ...says('- In the north: "The works stand in the north"')],
    () => [usage, ...says('In the north [1].')],
    () => [usage, ...says('In the north [1].')],
  )
  const steps: ObservedStep[] = []
  const observe = (step: ObservedStep) => void steps.push(step)
  const agent = passim.agent({ model, citations: true, tools: ['summarise'], observe })
  expect((await agent.run('zzz').result).usage).toMatchObject({ totalTokens: 8, cost: 2 })
  const ended = steps.flatMap(step => (step.type === 'model-end' ? [step.usage?.cost] : []))
  expect(ended).toEqual([0.5, 0.5, 0.5, 0.5])
})

test('what an agent asks of a model to look things up is observed', async () => {
  const model = new Turns(
    () => says('{"questions": ["What does a pump cost?"]}'),
    () => says('Nothing.'),
  )
  const steps: string[] = []
  const observe = ({ type }: ObservedStep) => void steps.push(type)
  await passim
    .agent({ model, citations: true, effort: 'low', observe })
    .run('Compare pumps and hoses').result
  expect(steps).toEqual(['model-start', 'model-end', 'model-start', 'model-end'])
})

test('without citations, a tool numbers nothing', async () => {
  const model = new Turns(
    () => calls(toolCall('query_tables', JSON.stringify({ sql: SQL }))),
    told => {
      expect(JSON.parse(told)).not.toHaveProperty('citing')
      return says('Done.')
    },
  )
  expect(
    (await passim.agent({ model, tools: ['query_tables'] }).run('zzz').result).citations,
  ).toEqual([])
})

test('knowledge of one that cites is refused, as it could not be cited', () => {
  const build = () =>
    passim.agent({
      model: new Turns(),
      citations: true,
      knowledge: 'The works stand in the north.',
    })
  expect(build).toThrow(/knowledge cannot be cited/)
})
