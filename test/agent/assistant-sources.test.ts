import { expect, test } from 'vitest'
import { collectAnswer, eventsOf } from '../fakes/answers.ts'
import { setUpAssistant as setUp } from '../fakes/scripted-assistant.ts'

test('sources of one name are told apart by their folders, and cited by their base name', async () => {
  const documents = [
    { name: 'leave.md', text: '# Leave\n\nEmployees receive 24 days of leave.' },
    { name: 'leave.md', text: '# Leave\n\nInterns receive 12 days of leave.' },
    { name: 'pump.md', text: 'The pump has days of rest, not leave.' },
  ]
  const { ask, server } = await setUp([{ text: ['Interns get "12 days of leave" [2].'] }], {
    documents,
  })
  const { citations } = await collectAnswer(ask('How many days of leave?'))
  const prompt = server.requests[0]?.body.messages[0]?.content ?? ''
  const heads = [...prompt.matchAll(/^\[\d\]\n```\n(.*)$/gm)].map(match => match[1])
  expect(heads.toSorted()).toEqual(['1/leave.md', '2/leave.md', 'pump.md'])
  expect(citations).toMatchObject([
    { doc: 'leave.md', source: expect.stringMatching(/^\/inline\/[12]\/leave.md$/) },
  ])
})

test('a source of a known name that is found later is told apart from the first', async () => {
  const documents = [
    { name: 'a.md', text: 'The pump is blue.' },
    { name: 'a.md', text: 'A certificate is needed.' },
  ]
  const script = [
    { calls: [{ name: 'search', arguments: { query: 'certificate' } }] },
    { text: ['Yes [2].'] },
  ]
  const { ask } = await setUp(script, { documents })
  const events = await eventsOf(ask('Which pump?'))
  expect(events.find(event => event.type === 'tool-result')).toMatchObject({
    text: expect.stringMatching(/\n2\/a\.md/),
  })
})

test('a question that the model cannot write out is searched with the one before, and that is told', async () => {
  const failures: unknown[] = []
  const options = { onModelError: (error: unknown) => failures.push(error) }
  const { ask, memory } = await setUp([{ status: 500 }, { text: ['In March [1].'] }], { options })
  const history = [
    { role: 'user', content: 'How many days of leave?' },
    { role: 'assistant', content: '24 [1].' },
  ] as const
  expect((await collectAnswer(ask('And when does it expire?', { history }))).answer).toContain(
    'In March',
  )
  expect(memory.queries[0]?.text).toBe('How many days of leave?\nAnd when does it expire?')
  expect(failures).toMatchObject([{ code: 'model_unavailable' }])
})
