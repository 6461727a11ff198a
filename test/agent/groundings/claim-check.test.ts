import { expect, test } from 'vitest'
import { collectAnswer } from '../../fakes/answers.ts'
import { setUpAssistant } from '../../fakes/scripted-assistant.ts'
import type { ScriptedReply } from '../../fakes/scripted-model-server.ts'

const PARAPHRASE =
  'Nobody on the staff has to work on twenty-four days [1]. Leave that is left over is void in March [1].'

function verdicts(...supports: readonly string[]): ScriptedReply {
  return {
    text: [
      JSON.stringify({ verdicts: supports.map((support, at) => ({ claim: at + 1, support })) }),
    ],
  }
}

async function answerOf(text: string, reply: ScriptedReply) {
  const failures: unknown[] = []
  const options = { asksModel: true, onModelError: (error: unknown) => failures.push(error) }
  const { ask, server } = await setUpAssistant([{ text: [text] }, reply], { options })
  const answer = await collectAnswer(ask('How many days of leave?'))
  return { answer, requests: server.requests, failures }
}

test('the model is asked once for all claims of an answer, in JSON, and its verdicts stand', async () => {
  const { answer, requests } = await answerOf(PARAPHRASE, verdicts('not-stated', 'stated'))
  expect(requests).toHaveLength(2)
  expect(requests[1]?.body.response_format).toMatchObject({ type: 'json_schema' })
  const asked = requests[1]?.body.messages.at(-1)?.content ?? ''
  expect(asked).toContain('1. [1] Nobody on the staff')
  expect(asked).toContain('Employees receive 24 days of leave.')
  expect(answer.citations).toMatchObject([{ marker: 1, support: 'stated', quoteVerified: true }])
  expect(answer.unsupported).toEqual(['Nobody on the staff has to work on twenty-four days.'])
  expect(answer.usage?.totalTokens).toBe(30)
})
test('quoted words that stand nowhere are no citation, whatever the model says', async () => {
  const { answer } = await answerOf('It says "25 days of leave" [1].', verdicts('stated'))
  expect(answer.citations).toEqual([])
  expect(answer.unsupported).toEqual(['It says "25 days of leave".'])
})
test.each<[string, ScriptedReply]>([
  ['fails', { status: 500 }],
  ['writes no JSON', { text: ['Both are fine.'] }],
  ['leaves a claim out', verdicts('stated')],
  ['gives another verdict', verdicts('stated', 'sure')],
])('a model that %s leaves the judgement to us, and the answer says so', async (_, reply) => {
  const { answer, failures } = await answerOf(
    'Employees receive 24 days of leave [1]. Unused leave expires in May [1].',
    reply,
  )
  expect(answer.citations).toMatchObject([
    { text: 'Employees receive 24 days of leave.', support: 'stated' },
  ])
  expect(answer.unsupported).toEqual(['Unused leave expires in May.'])
  expect(answer.warnings).toMatchObject([{ code: 'claims_not_checked' }])
  expect(failures).toHaveLength(1)
})
test('without the setting the model is asked nothing more', async () => {
  const { ask, server } = await setUpAssistant([{ text: [PARAPHRASE] }])
  await collectAnswer(ask('How many days of leave?'))
  expect(server.requests).toHaveLength(1)
})
