import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let passim: Passim
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'fee.txt': 'The harbour fee is 40 euros a day.' })])
  api = new Api(passim)
  const fileId = await api.upload('pilot.txt', 'The pilot is called Maren Olsen.')
  await passim.collections.addFile(await passim.scope.findCollection('default'), fileId) // nobody works on it yet
})
afterAll(() => sandbox.remove())

const LATER = '1 document is still being indexed, so it is not searched yet.'

test('what the documents do not say is told with how many are still being indexed', async () => {
  const question = 'What is the pilot called?'
  const { abstained, answer, warnings } = await api.json('POST', '/api/ask', { question })
  expect({ abstained, answer }).toEqual({
    abstained: true,
    answer: `The answer was not found in the documents.\n${LATER}`,
  })
  expect(warnings).toEqual([{ code: 'pending', message: '1 document cannot be found yet.' }])
  const streamed = await (await api.request('POST', '/api/ask', { question, stream: true })).text()
  const tokens = [...streamed.matchAll(/^event: token\ndata: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data).text,
  )
  expect(tokens.join('')).toBe(answer)
})
test('an answer that was found is left as it is, with the warning', async () => {
  const { answer, warnings } = await api.json('POST', '/api/ask', {
    question: 'How much is the harbour fee?',
  })
  expect(answer).toContain('40 euros')
  expect(answer).not.toContain('still being indexed')
  expect(warnings).toMatchObject([{ code: 'pending' }])
})
test('a search says so, too', async () => {
  const { warnings } = await api.json('POST', '/api/search', { query: 'pilot' })
  expect(warnings).toEqual([{ code: 'pending', message: '1 document cannot be found yet.' }])
})
test('a caller of the library learns what continues the work', async () => {
  const expected = [
    { code: 'pending', advice: expect.stringContaining('passim index PATH or passim serve') },
  ]
  expect(await passim.searchWarnings({})).toMatchObject(expected)
  const { warnings } = await passim.ask({ question: 'How much is the harbour fee?' }).result
  expect(warnings).toMatchObject(expected)
})
test('of documents that are named only those count', async () => {
  const answer = await collectAnswer(
    passim.ask({ question: 'What is the pilot called?', documents: ['fee.txt'] }),
  )
  expect(answer.answer).toBe('The answer was not found in the documents.')
  expect(answer.warnings).toBeUndefined()
})
test('once all is indexed nothing is said of it', async () => {
  passim.background.start(await passim.scope.findCollection('default'))
  await expect
    .poll(async () => await passim.scope.countPending(await passim.scope.findCollections()))
    .toEqual({ unfound: 0, byWords: 0 })
  const { answer, warnings } = await api.json('POST', '/api/ask', {
    question: 'What is the pilot called?',
  })
  expect([answer, warnings]).toEqual([expect.stringContaining('Maren Olsen'), undefined])
  expect(await passim.searchWarnings({})).toEqual([])
})
test('a document that is found as it was before is not missed', async () => {
  const collection = await passim.scope.findCollection('default')
  const { fileId } = (await passim.list(collection)).find(({ name }) => name === 'pilot.txt')!
  const again = await passim.collections.addFile(collection, fileId, {
    chunking: { tokens: 200, overlap: 0 },
  })
  expect(again.status).toBe('in_progress')
  expect(await passim.searchWarnings({})).toEqual([])
  expect(
    (await api.json('POST', '/api/ask', { question: 'What is the pilot called?' })).warnings,
  ).toBeUndefined()
})
