import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api, type Body } from '../server/api.ts'
import { eventsIn } from '../server/sse.ts'
import { findContract, OpenAIContract } from './openai-contract.ts'

const file = findContract()

/** What is not served, and why: docs/http.md says the same. */
const NOT_SERVED = [
  'GET /chat/completions',
  'GET /chat/completions/{completion_id}',
  'POST /chat/completions/{completion_id}',
  'DELETE /chat/completions/{completion_id}',
  'GET /chat/completions/{completion_id}/messages',
  'DELETE /responses/{response_id}',
  'POST /responses/compact',
]

describe.skipIf(!file)(
  'answers as OpenAI publishes them (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    const script: ScriptedReply[] = []
    let contract: OpenAIContract
    let sandbox: Sandbox
    let model: ScriptedModel
    let api: Api
    let store: string

    beforeAll(async () => {
      contract = new OpenAIContract(file!) // the suite is skipped without it
      sandbox = await Sandbox.make()
      model = await startScriptedModel(script)
      api = new Api(
        await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } }),
      )
      store = (await api.store({ 'hotel.md': 'Hotels cost at most 120 euros.' })).id
    })
    afterAll(async () => {
      await sandbox.remove()
      await model.close()
    })

    const answerWith = (...replies: readonly ScriptedReply[]) => script.push(...replies)
    const search = () => ({ type: 'file_search', vector_store_ids: [store], max_num_results: 3 })
    const lookUp = {
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'object', properties: {} },
    }
    const ask = () => ({ model: 'scripted', input: 'What do hotels cost?', tools: [search()] })

    async function post(route: string, body: object): Promise<Body> {
      const response = await api.json('POST', `/v1${route}`, body)
      expect(contract.problems('POST', route, response)).toEqual([])
      return response
    }
    async function stream(route: string, body: object): Promise<readonly string[]> {
      const response = await api.request('POST', `/v1${route}`, { ...body, stream: true })
      const events = eventsIn(await response.text())
      for (const { data } of events)
        expect(contract.problemsOfEvent('POST', route, data)).toEqual([])
      return events.map(({ event }) => event)
    }

    test('of a response', async () => {
      answerWith({ text: ['At most 120 euros [1].'] })
      const { id } = await post('/responses', {
        ...ask(),
        ...{
          include: ['file_search_call.results'],
          metadata: { a: 'b' },
          instructions: 'Be brief.',
          temperature: 0,
        },
      })
      const found = await api.json('GET', `/v1/responses/${id}`)
      expect(contract.problems('GET', '/responses/{response_id}', found)).toEqual([])
      const items = await api.json('GET', `/v1/responses/${id}/input_items`)
      expect(contract.problems('GET', '/responses/{response_id}/input_items', items)).toEqual([])
    })
    test('of claims that no source confirms', async () => {
      const text = ['At most 120 euros [1]. The company was founded by seven retired sailors [1].']
      answerWith({ text }, { text }, { text }, { text })
      const chat = { model: store, messages: [{ role: 'user', content: 'What do hotels cost?' }] }
      expect(await post('/responses', ask())).toMatchObject({
        metadata: { passim_unconfirmed: '1' },
      })
      expect(await post('/chat/completions', chat)).toMatchObject({
        metadata: { passim_unconfirmed: '1' },
      })
      await stream('/responses', ask())
      await stream('/chat/completions', chat)
    })
    test('of a response by quotation', async () => {
      await post('/responses', { ...ask(), model: 'passim-extractive' })
    })
    test('of a response that calls a function, and of one that goes on from it', async () => {
      answerWith({ calls: [{ name: 'look_up', arguments: {} }] })
      const first = await post('/responses', {
        ...ask(),
        tools: [search(), { type: 'function', ...lookUp }],
      })
      const call = (first.output as { type: string; call_id?: string }[]).find(
        item => item.type === 'function_call',
      )
      answerWith({ text: ['Done.'] })
      const output = {
        type: 'function_call_output',
        call_id: call?.call_id,
        output: '{"found": true}',
      }
      const { id } = await post('/responses', {
        ...ask(),
        input: [output],
        previous_response_id: first.id,
      })
      const items = await api.json('GET', `/v1/responses/${id}/input_items`)
      expect(contract.problems('GET', '/responses/{response_id}/input_items', items)).toEqual([])
    })
    test('of the tokens of an input', async () => {
      const few = await post('/responses/input_tokens', {
        model: 'gpt-4o',
        input: 'What do hotels cost?',
      })
      expect(few).toEqual({ object: 'response.input_tokens', input_tokens: 9 })
      const tools = [{ type: 'function', ...lookUp }]
      const more = await post('/responses/input_tokens', {
        model: 'gpt-4o',
        input: 'What do hotels cost?',
        tools,
      })
      expect(more.input_tokens).toBeGreaterThan(20)
    })
    test('of a response cut short', async () => {
      answerWith({ text: ['At'], finish: 'length' })
      expect(await post('/responses', { ...ask(), max_output_tokens: 16 })).toMatchObject({
        status: 'incomplete',
      })
    })
    test('of a cancelled response', async () => {
      answerWith({ hang: true })
      const { id } = await post('/responses', { ...ask(), background: true })
      await model.request(script.length - 1)
      const cancelled = await api.json('POST', `/v1/responses/${id}/cancel`)
      expect(contract.problems('POST', '/responses/{response_id}/cancel', cancelled)).toEqual([])
      expect(cancelled).toMatchObject({ status: 'cancelled' })
    })
    test('of every event of a streamed response', async () => {
      answerWith({ text: ['At most ', '120 euros [1].'] })
      expect(await stream('/responses', ask())).toContain('response.output_text.annotation.added')
      answerWith({ calls: [{ name: 'look_up', arguments: {} }] })
      const tools = [search(), { type: 'function', ...lookUp }]
      expect(await stream('/responses', { ...ask(), tools })).toContain(
        'response.function_call_arguments.done',
      )
      answerWith({ status: 500 })
      expect((await stream('/responses', ask())).at(-1)).toBe('response.failed')
      answerWith({ text: ['At'], finish: 'length' })
      expect((await stream('/responses', ask())).at(-1)).toBe('response.incomplete')
    })
    test('of a response whose model thinks, whole and streamed', async () => {
      const reasoning = ['Hotels, ', 'hm.']
      answerWith(
        { reasoning, text: ['At most 120 euros [1].'] },
        { reasoning, text: ['At most 120 euros [1].'] },
      )
      const { output } = await post('/responses', ask())
      expect((output as { type: string }[]).map(({ type }) => type)).toEqual([
        'file_search_call',
        'reasoning',
        'message',
      ])
      const types = await stream('/responses', ask())
      expect(types.filter(type => type === 'response.reasoning_text.delta')).toHaveLength(2)
      expect(types).toContain('response.reasoning_text.done')
    })
    test('of chat completions', async () => {
      const chat = {
        model: 'scripted',
        messages: [{ role: 'user', content: 'What do hotels cost?' }],
        tools: [search()],
      }
      answerWith({ text: ['At most 120 euros [1].'] })
      await post('/chat/completions', chat)
      await post('/chat/completions', { ...chat, model: store, tools: [], metadata: { a: 'b' } })
      const functions = [{ type: 'function', function: lookUp }]
      answerWith({ calls: [{ name: 'look_up', arguments: {} }] })
      await post('/chat/completions', { ...chat, tools: functions })
      answerWith({ text: ['At most ', '120 euros [1].'] })
      await stream('/chat/completions', { ...chat, stream_options: { include_usage: true } })
      answerWith({ calls: [{ name: 'look_up', arguments: {} }] })
      await stream('/chat/completions', { ...chat, tools: functions })
    })
    test('for every route of the resources that are served', () => {
      const routes = contract.routes(['/responses', '/chat'])
      expect([...contract.checked].toSorted()).toEqual(
        routes.filter(route => !NOT_SERVED.includes(route)).toSorted(),
      )
    })
  },
)
