import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ScriptedChatModel, says } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({
    'library.md':
      '# Harbour Library\n\nAdults may borrow ten books.\n\n## Fines\n\nA late book costs 20 cents a day.\n',
  })
})
afterEach(() => sandbox.remove())

const QUESTION = 'What is the fine for late books?'

/** Writes many answers: right ones that are nearly certain, and wrong ones of this confidence. */
async function writeCalibration(wrong: number, claims?: object): Promise<string> {
  const judged = {
    asked: 1_000,
    right: Array.from({ length: 400 }, () => 0.99),
    wrong: Array.from({ length: 400 }, () => wrong),
  }
  const file = path.join(sandbox.folder, 'calibration.json')
  await writeFile(file, JSON.stringify({ en: judged, zh: judged, ...(claims && { claims }) }))
  return file
}

async function open(answering: { readonly maxRisk?: number; readonly calibration?: string }) {
  const passim = await sandbox.open({ settings: { answering } })
  await passim.index([sandbox.path('library.md')])
  return passim
}

test('an answer that is too unsure for the chosen risk is a refusal with its hits, and says what that costs', async () => {
  const calibration = await writeCalibration(0.89)
  const passim = await open({ calibration, maxRisk: 0.05 })
  const sure = await passim.ask({ question: QUESTION, maxRisk: 1 }).result
  expect(sure).toMatchObject({ abstained: false, confidence: expect.any(Number) })
  expect(sure.confidence).toBeLessThan(0.89)
  const refused = await passim.ask({ question: QUESTION }).result
  expect(refused).toMatchObject({
    abstained: true,
    text: 'The answer was not found in the documents.',
    confidence: sure.confidence,
    warnings: [
      { code: 'too_unsure', message: expect.stringContaining('So 40 % of test questions') },
    ],
  })
  expect(refused.citations[0]?.text).toContain('20 cents')
  const { checks } = await passim.doctor()
  expect(checks.find(({ name }) => name === 'answer risk')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/at most 5 % .* 40 % instead of 80 %/),
  })
})

test('answers that are sure enough for the chosen risk are given', async () => {
  const passim = await open({ calibration: await writeCalibration(0.5), maxRisk: 0.05 })
  const answer = await passim.ask({ question: QUESTION }).result
  expect(answer.abstained).toBe(false)
  expect(answer.text).toContain('20 cents')
  expect(answer.warnings).toBeUndefined()
})

test("a model's sentence that is too unsure for the chosen risk is not confirmed; words of a source are", async () => {
  const judged = {
    asked: 1_000,
    right: Array.from({ length: 400 }, () => 0.995),
    wrong: Array.from({ length: 100 }, () => 0.99),
  }
  const claims = { en: judged, zh: judged }
  const answering = { calibration: await writeCalibration(0.5, claims) }
  const passim = await open(answering)
  const model = new ScriptedChatModel([
    says('For a late book one pays 20 cents a day [1]. Adults may borrow ten books [1].'),
  ])
  const ask = async (maxRisk: number) =>
    await passim.ask({ question: QUESTION, model, maxRisk }).result
  expect((await ask(1)).unconfirmed).toBeUndefined()
  const limited = await ask(0.05)
  expect(limited.unconfirmed).toEqual(['For a late book one pays 20 cents a day.'])
  expect(limited.citations.map(({ support }) => support)).toEqual(['unknown', 'stated'])
  expect(limited.warnings).toMatchObject([
    {
      code: 'claims_too_unsure',
      message: expect.stringContaining('So 0 % of test sentences'),
    },
  ])
})

test('without another file the shipped calibration applies', async () => {
  const passim = await open({ maxRisk: 0.000_1 })
  expect((await passim.ask({ question: QUESTION }).result).abstained).toBe(true)
})

test('a calibration that cannot be read is an error that names the file, also for doctor', async () => {
  const file = path.join(sandbox.folder, 'broken.json')
  await writeFile(file, JSON.stringify({ en: { asked: 1, right: [2], wrong: [] } }))
  const passim = await open({ calibration: file, maxRisk: 0.1 })
  await expect(passim.ask({ question: QUESTION }).result).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(file),
    advice: expect.stringContaining('passim eval'),
  })
  const { checks } = await passim.doctor()
  expect(checks.find(({ name }) => name === 'answer risk')?.ok).toBe(false)
})
