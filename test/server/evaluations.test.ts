import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SettingsComparison } from '../../src/app/evaluation/settings-comparison.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { eventsIn } from './sse.ts'

let sandbox: Sandbox
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  await api.store(
    {
      'heron.md':
        '# Herons\n\nA grey heron wades through the shallow water of the lake\nand waits for fish.',
      'crane.md':
        '# Cranes\n\nA crane dances in spring, when the days are long, on the wide meadows of the north.',
    },
    'birds',
  )
})
afterAll(() => sandbox.remove())

const evaluate = async (body: object) =>
  (await api.json('POST', '/api/evaluations', {
    collection: 'birds',
    ...body,
  })) as unknown as SettingsComparison
const KEYWORD = { mode: 'keyword' }

test('a question is right where the expected document has the expected words', async () => {
  const questions = [
    { question: 'heron', document: 'heron.md' },
    { question: 'heron', document: 'heron.md', words: 'THE LAKE and waits' },
    { question: 'heron', document: 'crane.md' },
    { question: 'heron', document: 'heron.md', words: 'meadows' },
  ]
  const {
    results,
    questions: asked,
    comparison,
  } = await evaluate({ questions, settings: [KEYWORD] })
  expect(asked.map(({ places }) => places)).toEqual([[1], [1], [null], [null]])
  expect(results).toMatchObject([{ mode: 'keyword', recall10: 0.5, mrr10: 0.5 }])
  expect(comparison).toBeUndefined()
})

test('two settings are compared on the same questions', async () => {
  const questions = [{ question: 'heron -lake', document: 'heron.md' }]
  const { results, comparison } = await evaluate({
    questions,
    settings: [KEYWORD, { mode: 'front-page' }],
  })
  expect(results.map(({ mode }) => mode)).toEqual(['keyword', 'front-page'])
  expect(comparison).toMatchObject({
    difference: results[1]!.mrr10 - results[0]!.mrr10,
    queries: 1,
  })
})

test('the documents give questions themselves, by their titles and sentences', async () => {
  const byTitle = await evaluate({ questions: 'titles', settings: [KEYWORD] })
  expect(byTitle.questions.map(({ question }) => question).toSorted()).toEqual(['Cranes', 'Herons'])
  const bySentence = await evaluate({ questions: 'sentences', settings: [KEYWORD], limit: 1 })
  expect(bySentence.questions).toMatchObject([{ places: [1] }])
})

test('a stream tells how far it is, and ends with the result', async () => {
  const asked = { collection: 'birds', questions: 'titles', settings: [KEYWORD], stream: true }
  const response = await api.request('POST', '/api/evaluations', asked)
  const events = eventsIn(await response.text())
  expect(events.map(({ event }) => event)).toEqual(['progress', 'progress', 'result'])
  expect(events[1]).toMatchObject({ data: { done: 2, total: 2 } })
})

test('what cannot be judged is refused by name', async () => {
  const refusal = async (question: object) =>
    await api.json('POST', '/api/evaluations', {
      collection: 'birds',
      questions: [question],
      settings: [KEYWORD],
    })
  expect((await refusal({ question: 'Who?' })).error).toMatchObject({ code: 'invalid_input' })
  expect((await refusal({ question: 'Who?' })).error?.message).toContain('Who?')
  expect((await refusal({ question: 'Who?', document: 'owl.md' })).error).toMatchObject({
    code: 'not_found',
  })
  expect(
    await api.refusal('POST', '/api/evaluations', { questions: [], settings: [] }),
  ).toMatchObject({ status: 400 })
})
