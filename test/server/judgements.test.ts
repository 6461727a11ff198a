import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJudgedAnswers } from '../../src/app/evaluation/judged-answers.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let model: ScriptedModel
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ text: ['Hotels cost at most 140 euros [1].'] }])
  const passim = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
  await passim.index([await sandbox.write({ 'policy.md': 'Hotels cost at most 140 euros.' })])
  api = new Api(passim)
})
afterAll(async () => {
  await sandbox.remove()
  await model.close()
})

async function ask(question: string, options: object = {}) {
  const body = { question, conversation: 'new', ...options }
  const { conversation, turn } = await api.json('POST', '/api/ask', body)
  return { conversation: String(conversation), id: `${conversation}.${turn}` }
}
const judge = (id: string, body: object) => api.json('PUT', `/api/answers/${id}/judgement`, body)

async function readSet() {
  const text = await (await api.request('GET', '/api/judgements')).text()
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

test('a judgement is stored with its conversation, replaced, taken back and deleted with it', async () => {
  const { conversation, id } = await ask('What may a hotel cost?')
  expect(await judge(id, { rating: 'bad', reason: 'Too short.' })).toMatchObject({
    judgement: { rating: 'bad', reason: 'Too short.' },
  })
  await judge(id, { rating: 'good' })
  const shown = await api.json('GET', `/api/conversations/${conversation}`)
  expect(shown.turns).toMatchObject([{ judgement: { rating: 'good' } }])
  expect(await readSet()).toMatchObject([{ id, rating: 'good' }])
  await judge(id, { rating: null })
  expect(await readSet()).toEqual([])
  await judge(id, { rating: 'good' })
  await api.json('DELETE', `/api/conversations/${conversation}`)
  expect(await readSet()).toEqual([])
})

test('an answer that does not exist, and a rating that is none, are refused', async () => {
  const { id } = await ask('What may a hotel cost?')
  const statuses = await Promise.all([
    api.request('PUT', '/api/answers/conv_none.1/judgement', { rating: 'good' }),
    api.request('PUT', `/api/answers/${id}/judgement`, { rating: 'fair' }),
    api.request('PUT', `/api/answers/${id}/judgement`, { rating: 'bad', reason: 'x'.repeat(2001) }),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([404, 400, 400])
})

test('judged answers are a set of questions that the evaluation asks of the same documents', async () => {
  const { conversation, id: first } = await ask('What may a hotel cost?')
  const { id: followUp } = await ask('Sure?', { conversation })
  const { id: abstained } = await ask('Who painted the chapel?', { extractive: true })
  await judge(first, { rating: 'good' })
  await judge(followUp, { rating: 'bad', reason: 'It repeats itself.' })
  await judge(abstained, { rating: 'good' })
  const set = await readSet()
  expect(set.find(({ id }) => id === first)).toMatchObject({
    ...{ question: 'What may a hotel cost?', answerable: true, doc: 'policy.md' },
    evidence: 'Hotels cost at most 140 euros.',
  })
  expect(set.find(({ id }) => id === followUp)).toMatchObject({
    reason: 'It repeats itself.',
    history: [{ content: 'What may a hotel cost?' }, { role: 'assistant' }],
  })
  expect(set.find(({ id }) => id === abstained)).toMatchObject({ answerable: false })
  const file = sandbox.path('judged.jsonl')
  await writeFile(file, set.map(line => `${JSON.stringify(line)}\n`).join(''))
  const { answers, questions } = await api.passim.evaluations.measureAnswers(file)
  expect(questions).toHaveLength(3)
  expect(answers).toMatchObject({
    documentHit: { rate: 1, count: 1 },
    evidenceHit: { rate: 1, count: 1 },
    rightlyAbstained: { count: 1 },
  })
})

const createAnswered = async (question: string, isUnlisted = false) => {
  const answer = { abstained: false, mode: 'extractive', citations: [] } as const
  const { id } = await api.passim.conversationService.create({
    items: [
      { kind: 'message', role: 'user', content: question },
      { kind: 'message', role: 'assistant', content: 'Yes.', answer },
    ],
    isUnlisted,
  })
  return id
}

test('the answer of a single question stays once it is judged', async () => {
  const id = await createAnswered('Is breakfast paid?', true)
  await judge(`${id}.1`, { rating: 'good' })
  await createAnswered('Is lunch paid?', true)
  expect((await readSet()).map(judged => judged.id)).toContain(`${id}.1`)
})

test('an export has each answer once, although conversations are used and deleted meanwhile', async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, () => createAnswered('Is it paid?')))
  for (const id of ids) await api.passim.judgements.judge(id, 1, { rating: 'good' })
  const { conversations, conversationService } = api.passim
  const readWhile = async (change: (lastOfPage: string) => Promise<unknown>) => {
    const read: string[] = []
    const [lastOfPage] = (await conversations.list({ limit: 100 })).slice(-1)
    for await (const { id } of readJudgedAnswers(api.passim, new AbortController().signal)) {
      if (read.length === 0) await change(lastOfPage?.id ?? '')
      read.push(id)
    }
    return read.filter(id => ids.includes(id.replace('.1', ''))).length
  }
  const question = { kind: 'message', role: 'user', content: 'And dinner?' } as const
  expect(await readWhile(id => conversationService.addItems(id, [question]))).toBe(120)
  expect(await readWhile(id => conversationService.delete(id))).toBe(119)
})
