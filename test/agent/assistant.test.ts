import { describe, expect, test } from 'vitest'
import { type Answer, collectAnswer, eventsOf } from '../fakes/answers.ts'
import { setUpAssistant } from '../fakes/scripted-assistant.ts'
import { type ScriptedReply, silentAfter } from '../fakes/scripted-model-server.ts'

/** The answer to a question about leave when the model says this. */
async function answerWhen(text: string, question = 'How many days of leave?'): Promise<Answer> {
  const { ask } = await setUpAssistant([{ text: [text] }])
  return collectAnswer(ask(question))
}

/** What is cited, marker and words, when the model says this. */
async function checkCited(
  text: string,
  expected: readonly (readonly [number, string])[],
  question?: string,
) {
  const { citations } = await answerWhen(text, question)
  expect(citations.map(citation => [citation.marker, citation.text])).toEqual(expected)
  expect(citations.every(citation => citation.verified)).toBe(true)
}

test("our search makes way for a caller's tool of that name, and tells what fails in it", async () => {
  const failed: string[] = []
  const onToolError = (name: string, error: unknown) => failed.push(`${name}: ${error}`)
  const script: readonly ScriptedReply[] = [
    { calls: [{ name: 'search_2', arguments: { query: '' } }] },
    { calls: [{ name: 'search', arguments: { web: 'bees' } }] },
  ]
  const { ask, server } = await setUpAssistant(script, { options: { onToolError } })
  const search = {
    name: 'search',
    description: 'The web.',
    parameters: { type: 'object', properties: {} },
  } as const
  const { calls } = await collectAnswer(ask('How many days of leave?', { callerTools: [search] }))
  const { tools, messages } = server.requests[0]!.body // it was asked
  expect(tools).toMatchObject([
    { function: { name: 'search_2' } },
    { function: { name: 'search' } },
  ])
  expect(JSON.stringify(messages[0])).toContain('call the search_2 tool')
  expect(calls).toMatchObject([{ name: 'search', arguments: '{"web":"bees"}' }])
  expect(failed).toEqual([expect.stringContaining('search_2: AppError: query')])
})

test('retrieval, text, usage, citations and the answer come in this order', async () => {
  const { ask } = await setUpAssistant([{ text: ['You get ', '"24 days of leave" [1].'] }])
  const events = await eventsOf(ask('How many days of leave?'))
  expect(events.map(event => event.type)).toEqual([
    'retrieval',
    'text-delta',
    'text-delta',
    'usage',
    'citation',
    'finish',
  ])
  expect(events.at(-1)).toMatchObject({
    result: {
      question: 'How many days of leave?',
      text: 'You get "24 days of leave" [1].',
      abstained: false,
      mode: 'model',
      usage: { totalTokens: 15 },
    },
  })
})

test('the first words arrive while the model still speaks', async () => {
  const { ask, server } = await setUpAssistant([silentAfter('You')])
  for await (const event of ask('How many days of leave?').events)
    if (event.type === 'text-delta') break
  await server.requests[0]?.closed
})

test('a citation names document, page, span and the words of the document', async () => {
  const { citations } = await answerWhen(
    'A certificate is needed "from day three" [1].',
    'When is a certificate needed?',
  )
  expect(citations).toEqual([
    {
      marker: 1,
      documentId: 'doc_1',
      source: '/inline/1/leave.md',
      doc: 'leave.md',
      headings: ['Leave', 'Sickness'],
      page: 2,
      pages: [2, 2],
      boxes: [],
      charStart: expect.any(Number),
      charEnd: expect.any(Number),
      text: 'from day three',
      quoteVerified: true,
      verified: true,
      support: 'stated',
    },
  ])
})

test('quoted words are found in the source', () =>
  checkCited('It says "24 days of leave" [1].', [[1, '24 days of leave']]))
test('Chinese quotation marks quote, too', () =>
  checkCited('资料写明「保修期为三年」[1]。', [[1, '保修期为三年']], '水泵保修期多久？'))
test('a marker without a quote is narrowed to the sentence that it rests on', () =>
  checkCited('Leave is lost when it is unused: it expires in March [1].', [
    [1, 'Unused leave expires in March.'],
  ]))
test('a quote with another number is no proof of anything, and the answer says so', async () => {
  const { answer, citations, unsupported } = await answerWhen('It says "25 days of leave" [1].')
  expect({ answer, citations, unsupported }).toEqual({
    answer: 'It says "25 days of leave".',
    citations: [],
    unsupported: ['It says "25 days of leave".'],
  })
})
describe('what no source supports can be taken out', () => {
  const supported = 'You get "24 days of leave" [1].'
  const invented = 'The chairman owns three yellow submarines [1].'
  const options = { removesUnsupported: true }
  const told = async (...script: readonly ScriptedReply[]) => {
    const { ask } = await setUpAssistant(script, { options })
    return await eventsOf(ask('How many days of leave?'))
  }

  test('and nothing of it is told on the way', async () => {
    const search = {
      text: [invented],
      reasoning: [invented],
      calls: [{ name: 'search', arguments: { query: 'x' } }],
    }
    const events = await told(search, { text: [supported, ' ', invented], reasoning: [invented] })
    expect(events.flatMap(event => (event.type === 'text-delta' ? [event.text] : []))).toEqual([
      supported,
    ])
    expect(JSON.stringify(events)).not.toContain('submarines')
    expect(events.map(({ type }) => type)).toEqual([
      ...['retrieval', 'usage', 'tool-call', 'tool-start', 'retrieval', 'tool-result'],
      ...['usage', 'text-delta', 'citation', 'finish'],
    ])
  })
  test('where nothing is left of an answer, the documents do not say', async () => {
    for (const text of [invented, `Here is what I found: ${invented}`]) {
      const events = await told({ text: [text] })
      expect(events.at(-1)).toMatchObject({
        result: {
          text: 'The answer was not found in the documents.',
          abstained: true,
          citations: [],
        },
      })
      expect(events.find(({ type }) => type === 'text-delta')).toMatchObject({
        text: 'The answer was not found in the documents.',
      })
    }
  })
  test("and a call of the caller's comes after what was said with it", async () => {
    const { ask } = await setUpAssistant(
      [{ text: [supported], calls: [{ name: 'book', arguments: {} }] }],
      { options },
    )
    const book = {
      name: 'book',
      description: 'Books.',
      parameters: { type: 'object', properties: {} },
    } as const
    const events = await eventsOf(ask('How many days of leave?', { callerTools: [book] }))
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      'text-delta',
      'tool-call',
      'citation',
      'finish',
    ])
  })
})
test('markers of no source are held back while the model speaks', async () => {
  const { ask } = await setUpAssistant([
    { text: ['You get 24 days ', '[', '1', ']', '. So they say', ' [', '7]', '.'] },
  ])
  const events = await eventsOf(ask('How many days of leave?'))
  const streamed = events.flatMap(event => (event.type === 'text-delta' ? [event.text] : []))
  expect(streamed.join('')).toBe('You get 24 days [1]. So they say.')
  expect(streamed.every(text => !/\[\d*$|^\d*\]/.test(text))).toBe(true)
})
test('one source may be cited at two places', () =>
  checkCited('It is "24 days of leave" [1]. Also, "Unused leave expires" [1].', [
    [1, '24 days of leave'],
    [1, 'Unused leave expires'],
  ]))

test('a marker that names no source is taken out', async () => {
  const { answer, citations } = await answerWhen('You get 24 days [1]. So they say [7].')
  expect(answer).toBe('You get 24 days [1]. So they say.')
  expect(citations.map(citation => citation.marker)).toEqual([1])
})

test('words that the stored document no longer has are not cited, and the answer says so', async () => {
  const { ask, memory } = await setUpAssistant([{ text: ['It is "24 days of leave" [1].'] }])
  memory.read = async () => 'something else'
  expect(await collectAnswer(ask('How many days of leave?'))).toMatchObject({
    answer: 'It is "24 days of leave".',
    citations: [],
    unsupported: ['It is "24 days of leave".'],
  })
})

test('a model that finds nothing abstains', async () => {
  expect(await answerWhen('The answer was not found in the documents.')).toMatchObject({
    abstained: true,
    citations: [],
  })
})

test('what the search tool finds can be cited', async () => {
  const { ask, server } = await setUpAssistant([
    { calls: [{ name: 'search', arguments: { query: 'certificate' } }] },
    { text: ['A certificate is due "from day three" [2].'] },
  ])
  const events = await eventsOf(ask('水泵的保修期'))
  expect(events.filter(event => event.type === 'tool-result')).toMatchObject([
    { call: { name: 'search' }, text: expect.stringMatching(/^\[2\]\n```\nleave.md/) },
  ])
  expect(events.at(-1)).toMatchObject({
    result: { citations: [{ marker: 1, text: 'from day three', page: 2 }] },
  })
  expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool' })
})

test('a source found again keeps its number', async () => {
  const { ask, server } = await setUpAssistant([
    { calls: [{ name: 'search', arguments: { query: '水泵' } }] },
    { text: ['Yes [1].'] },
  ])
  await collectAnswer(ask('水泵的保修期'))
  expect(server.requests[1]?.body.messages.at(-1)?.content).toBe('之前已给出：[1]')
})

test('the tool searches where the question may look, whatever the model asks for', async () => {
  const args = { query: 'leave', collectionIds: ['secret'], documentIds: ['other'] }
  const { ask, memory } = await setUpAssistant([
    { calls: [{ name: 'search', arguments: args }] },
    { text: ['Yes [1].'] },
  ])
  await collectAnswer(ask('How many days of leave?', { documentIds: ['doc_1'] }))
  expect(memory.queries[1]).toMatchObject({
    text: 'leave',
    collectionIds: ['default'],
    documentIds: ['doc_1'],
  })
})

test('the conversation goes to the model, and a follow-up is searched as the model writes it out', async () => {
  const { ask, server, memory } = await setUpAssistant([
    { text: ['When does unused leave expire?'] },
    { text: ['Three [1].'] },
  ])
  const history = [
    { role: 'user', content: 'How many days of leave?' },
    { role: 'assistant', content: '24 [1].' },
  ] as const
  const { usage } = await collectAnswer(ask('And when does it expire?', { history }))
  expect(server.requests[1]?.body.messages.map(message => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
  expect(memory.queries.map(({ text }) => text)).toEqual([
    'When does unused leave expire?',
    'How many days of leave?',
    'And when does it expire?',
  ])
  expect(usage?.totalTokens).toBe(30)
})

test('a rewrite of a follow-up that is no question is not searched', async () => {
  const { ask, memory } = await setUpAssistant([
    { text: ['Unused leave expires on 31 March.'] },
    { text: ['Three [1].'] },
  ])
  const history = [
    { role: 'user', content: 'How many days of leave?' },
    { role: 'assistant', content: '24 [1].' },
  ] as const
  await collectAnswer(ask('And when does it expire?', { history }))
  expect(memory.queries.map(({ text }) => text)).toEqual([
    'How many days of leave?\nAnd when does it expire?',
    'How many days of leave?',
    'And when does it expire?',
  ])
})

describe('a short question that can stand alone', () => {
  const history = [
    { role: 'user', content: '青溪全长多少公里？' },
    { role: 'assistant', content: '86 公里 [1]。' },
  ] as const
  const check = (name: string, written: string, expected: readonly string[]) =>
    test(name, async () => {
      const { ask, memory } = await setUpAssistant([{ text: [written] }, { text: ['郭峰 [1]。'] }])
      await collectAnswer(ask('站长是谁？', { history }))
      expect(memory.queries.map(({ text }) => text)).toEqual(expected)
    })

  check('is searched alone if the model leaves it unchanged', '站长是谁', ['站长是谁'])
  check('is searched as the model completes it', '青溪的站长是谁？', [
    '青溪的站长是谁？',
    '青溪全长多少公里？',
    '站长是谁？',
  ])
  check('is searched first, then behind the turn before it, without a rewrite', '不知道。', [
    '站长是谁？',
    '青溪全长多少公里？\n站长是谁？',
  ])
  test('costs linear time behind a rewrite of many signs', async () => {
    const { ask } = await setUpAssistant([
      { text: [`${'?'.repeat(40_000)}!`] },
      { text: ['郭峰 [1]。'] },
    ])
    const start = performance.now()
    await collectAnswer(ask('站长是谁？', { history }))
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

test('a model that never stops calling is stopped, and the answer says so', async () => {
  const { ask } = await setUpAssistant(
    [{ calls: [{ name: 'search', arguments: { query: 'leave' } }] }],
    {
      options: { maxModelCalls: 2 },
    },
  )
  const answer = await collectAnswer(ask('How many days of leave?'))
  expect(answer).toMatchObject({
    incomplete: 'max-model-calls',
    answer: expect.stringContaining('limit of tool calls'),
  })
})

test('an answer cut by the token limit says so', async () => {
  const { ask } = await setUpAssistant([{ text: ['You get 24'], finish: 'length' }])
  expect(await collectAnswer(ask('How many days of leave?'))).toMatchObject({
    incomplete: 'length',
  })
})

test('what goes wrong with the model is thrown to whoever reads', async () => {
  const { ask } = await setUpAssistant([{ status: 500 }])
  const run = ask('How many days of leave?')
  const failed = { code: 'model_unavailable' }
  await expect(eventsOf(run)).rejects.toMatchObject(failed)
  await expect(run.result).rejects.toMatchObject(failed)
})

test('an abort stops the request', async () => {
  const { ask, server } = await setUpAssistant([{ hang: true }])
  const controller = new AbortController()
  const answer = collectAnswer(ask('How many days of leave?', {}, controller.signal))
  const request = await server.request(0)
  controller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  await request.closed
})
