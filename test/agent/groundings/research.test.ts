import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../fakes/answers.ts'
import { LEAVE, PUMP, setUpAssistant } from '../../fakes/scripted-assistant.ts'

const QUESTION = 'How many days of leave do employees receive?'
const TRAVEL = { name: 'travel.md', text: '# Travel\n\nHotels cost up to 90 euros.' }
const plan = (...questions: readonly string[]) => ({ text: [JSON.stringify({ questions })] })

/** An assistant that makes this effort, over three documents and one hit a search. */
async function research(
  effort: 'low' | 'medium' | 'high',
  script: Parameters<typeof setUpAssistant>[0],
) {
  const { ask, server, memory } = await setUpAssistant(script, {
    documents: [LEAVE, PUMP, TRAVEL],
    options: { effort },
  })
  const run = ask(QUESTION, { limit: 1 })
  return { events: await eventsOf(run), result: await run.result, server, memory }
}

describe('an answer with effort', () => {
  test('searches for the parts of the question at once, and tells the plan and every search', async () => {
    const { events, result, server } = await research('low', [
      plan('When is a certificate needed?', 'What may hotels cost?'),
      { text: ['"24 days of leave" [1] and "90 euros" [2].'] },
    ])
    expect(events.find(({ type }) => type === 'plan')).toEqual({
      type: 'plan',
      questions: ['When is a certificate needed?', 'What may hotels cost?'],
    })
    expect(events.flatMap(event => (event.type === 'retrieval' ? [event.query] : []))).toEqual([
      QUESTION,
      ...['When is a certificate needed?', 'What may hotels cost?'],
    ])
    expect(result.citations.map(({ doc }) => doc)).toEqual(['leave.md', 'travel.md'])
    expect(server.requests).toHaveLength(2)
  })
  test('has a draft written again that leaves a part of the plan out, and shows only the last', async () => {
    const { events, result, server } = await research('medium', [
      plan('What may hotels cost?'),
      { text: ['They receive "24 days of leave" [1].'] },
      { text: ['They receive "24 days of leave" [1]. Hotels: "90 euros" [2].'] },
    ])
    const review = server.requests[2]?.body.messages.at(-1)?.content ?? ''
    expect(review).toMatch(/the draft uses none of them:\n\n- What may hotels cost\? \[2\]/)
    expect(events.flatMap(event => (event.type === 'text-delta' ? [event.text] : []))).toEqual([
      result.text,
    ])
    expect(result.text).toBe('They receive "24 days of leave" [1]. Hotels: "90 euros" [2].')
    expect(result.messages).toHaveLength(1)
  })
  test('searches for what no source supports, and gives the model what it finds', async () => {
    const { server, events } = await research('medium', [
      plan(),
      { text: ['They receive "24 days of leave" [1]. Hotels cost up to 90 euros.'] },
      { text: ['They receive "24 days of leave" [1]. Hotels cost "up to 90 euros" [2].'] },
    ])
    expect(events.flatMap(event => (event.type === 'retrieval' ? [event.query] : []))).toEqual([
      QUESTION,
      'Hotels cost up to 90 euros.',
    ])
    expect(server.requests[2]?.body.messages.at(-1)?.content).toMatch(
      /No source supports these sentences of your draft:\n\n- Hotels cost up to 90 euros\.[\s\S]*\[2\]\n```\ntravel\.md/,
    )
  })
  test('stops where nothing new is found, and where its reviews are used up', async () => {
    const vain = await research('high', [
      plan(),
      { text: ['They receive "24 days of leave" [1]. Mars is green.'] },
    ])
    expect(vain.result.unconfirmed).toEqual(['Mars is green.'])
    const script = [
      plan('What may hotels cost?'),
      { text: ['They receive "24 days of leave" [1].'] },
    ]
    expect((await research('medium', script)).server.requests).toHaveLength(3)
    expect((await research('high', script)).server.requests).toHaveLength(5)
  })
  test('is made without a plan where the model cannot say one', async () => {
    const { result, events } = await research('low', [
      { text: ['No idea'] },
      { text: ['"24 days of leave" [1].'] },
    ])
    expect(result.citations).toHaveLength(1)
    expect(events.find(({ type }) => type === 'plan')).toEqual({ type: 'plan', questions: [] })
  })
})
