import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const pump =
    '# Pump\n\nThe pump stands in the cellar. It was painted green. Its oil is changed in May.\n'
  await passim.index([await sandbox.write({ 'pump.md': pump, 'tea.md': 'Tea grows on hills.\n' })])
})
afterAll(() => sandbox.remove())

const ask = async (question: string) => await collectAnswer(passim.ask({ question }))

test('a refusal shows the first hits complete, in the order of the search', async () => {
  const question = 'Which company insures the pump against theft?'
  const { abstained, citations } = await ask(question)
  expect(abstained).toBe(true)
  const hits = (await passim.search({ query: question })).filter(hit => !hit.weak)
  expect(hits.length).toBeGreaterThan(0)
  expect(citations.map(({ documentId, text, support }) => ({ documentId, text, support }))).toEqual(
    hits.map(({ documentId, text }) => ({ documentId, text, support: 'unknown' })),
  )
})

describe('greetings, thanks and farewells are answered as such', () => {
  const check = (message: string, expected: string) =>
    test(message, async () =>
      expect(await ask(message)).toMatchObject({
        answer: expected,
        abstained: false,
        citations: [],
      }),
    )

  check('Good morning!', 'Hello. What would you like to know from the documents?')
  check('Thank you very much', 'You are welcome.')
  check('你好！', '你好！想从文档中了解什么？')
  check('好的，谢谢', '不客气。')
  check('再见', '再见！')
})

test('a question behind a greeting is a question', async () =>
  expect((await ask('Hello, where does the pump stand?')).answer).not.toContain('Hello.'))
