import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isQuestionSet } from '../../../src/app/evaluation/question-set.ts'
import { open } from '../../../src/app.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-questions-'))
  await mkdir(path.join(folder, 'docs'))
  const manual =
    '# Pump manual\n\nThe warranty period of the pump is 36 months.\n\nClean the filter every 200 hours.\n'
  await writeFile(path.join(folder, 'docs/pump.md'), manual)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const ANSWERED = {
  ...{
    id: 'a',
    question: 'How long is the warranty period of the pump?',
    answerable: true,
    doc: 'pump.md',
  },
  ...{
    must_include: [['36 months']],
    evidence: 'warranty period of the pump is 36 months',
    pages_ok: null,
  },
}
const UNANSWERED = {
  id: 'b',
  question: 'Who painted the ceiling of the chapel?',
  answerable: false,
}

async function evaluate(questions: readonly object[]) {
  await writeFile(
    path.join(folder, 'questions.jsonl'),
    questions.map(one => JSON.stringify(one)).join('\n'),
  )
  const passim = await open({
    home: path.join(folder, 'home'),
    environment: {},
    embedder: new HashingEmbedder(),
  })
  try {
    return await passim.evaluations.measureAnswers(folder)
  } finally {
    await passim.close()
  }
}

test('a folder of documents and questions is indexed, asked and judged', async () => {
  const { answers, questions } = await evaluate([ANSWERED, UNANSWERED])
  expect(answers).toMatchObject({
    correct: { rate: 1, count: 1 },
    documentHit: { rate: 1 },
    evidenceHit: { rate: 1 },
  })
  expect(answers.rightlyAbstained).toMatchObject({ rate: 1, count: 1 })
  expect(questions.map(question => question.id)).toEqual(['a', 'b'])
})

test('a question without its answer is refused, naming file and question', async () => {
  const broken = { id: 'x', question: 'Why?', answerable: true }
  await expect(evaluate([broken])).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/questions\.jsonl, question x: .*must_include/),
  })
})

test('a field that is wrong is named, with what it has to be', async () => {
  const check = async (record: object, message: RegExp) =>
    await expect(evaluate([ANSWERED, record])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    })
  await check(
    { id: 'x', answerable: true },
    /questions\.jsonl, line 2: "question" is missing: it has to be a string\.$/,
  )
  await check({ ...ANSWERED, question: ' ' }, /line 2: "question" is empty\.$/)
  await check({ ...ANSWERED, answerable: 'yes' }, /line 2: "answerable" has to be true or false\.$/)
  await check({ ...ANSWERED, must_include: [[]] }, /line 2: "must_include\.0" is empty\.$/)
  await check({ ...ANSWERED, id: [] }, /line 2: "id" has to be a string or a number\.$/)
})

test('only a folder with questions and documents is taken for a set of questions', async () => {
  expect(isQuestionSet(folder)).toBe(true)
  expect(isQuestionSet(path.join(folder, 'docs'))).toBe(false)
})
