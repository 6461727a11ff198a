import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RecordedRequest,
  type ScriptedModel,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

const SQL = 'SELECT place, price FROM prices ORDER BY price DESC LIMIT 1'

let server: Running
let model: ScriptedModel
let isResumed = false

/** Asks the table first, says nothing more until it is resumed, and then cites the row by its number. */
function reply({ body: { messages } }: RecordedRequest) {
  const answer = messages.findLast(({ role }) => role === 'tool')?.content
  if (answer === undefined) return { calls: [{ name: 'query_tables', arguments: { sql: SQL } }] }
  if (!isResumed) return { raw: '', ending: 'hang' } as const
  const [, marker = ''] = /"cite":"(\[\d+\])"/.exec(answer) ?? []
  return { text: [`Oslo costs 9999 euros a night ${marker}.`] }
}

beforeAll(async () => {
  model = await startScriptedModel(reply)
  server = await startServer({
    settings: {
      model: { url: model.url, name: 'scripted' },
      conversations: { skills: { 1: { name: 'tables', tools: ['query_tables'] } } },
    },
  })
  const rows = Array.from({ length: 2_000 }, (_, at) =>
    at === 1_500 ? 'Oslo,9999' : `Town ${at},${at % 400}`,
  )
  await server.sandbox.write({
    'prices.csv': `place,price\n${rows.join('\n')}\n`,
    'travel.md': '# Travel\n\nThe dearest nights are those of the north.',
  })
  await server.passim.index([server.sandbox.path('')])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const post = async (path: string, body: object) =>
  await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })

test('a row that a tool found is cited by its number when the answer is gone on with', async () => {
  const content = { type: 'plain', text: 'Where are the dearest nights?' }
  const asked = await post('/api/threads/messages', {
    thread_id: '',
    role: 'user',
    content,
    input_skill_id: 1,
  })
  const { thread_id: id } = (await asked.json()) as { thread_id: string }
  await model.request(1)
  expect((await post(`/api/conversations/${id}/stop`, {})).status).toBe(200)
  isResumed = true
  const resumed = await post(`/api/conversations/${id}/resume`, {})
  const { answer, citations } = (await resumed.json()) as {
    answer: string
    citations: readonly { text: string }[]
  }
  expect(answer).toMatch(/Oslo costs 9999 euros a night \[\d\]/)
  expect(JSON.stringify(citations)).toContain('Oslo')
})
