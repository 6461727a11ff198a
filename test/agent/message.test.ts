import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ContentItem,
  getItemExtension,
  getItemValue,
  isMultimodal,
  type Message,
  textContent,
} from '../../src/agent/message.ts'
import { parseArguments } from '../../src/agent/messages/function-call.ts'
import { addUsage } from '../../src/agent/model.ts'
import { mergeConfigs } from '../../src/agent/models/generate-config.ts'
import { parseGenerateConfig } from '../../src/qwen/generate-config-json.ts'
import { parseMessage, toMessageJson } from '../../src/qwen/message-json.ts'

function checkRefused(json: unknown, message: RegExp): void {
  expect(() => parseMessage(json)).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
  )
}

describe('a message', () => {
  test('of another role is refused, and the four are named', () =>
    checkRefused(
      { role: 'tool', content: 'x' },
      /"tool" must be one of user, assistant, system, function/,
    ))
  test('without content has an empty text', () => {
    expect(parseMessage({ role: 'assistant', content: null })).toEqual({
      role: 'assistant',
      content: '',
    })
    expect(parseMessage({ role: 'assistant' })).toEqual({ role: 'assistant', content: '' })
  })
  test('of a function needs the name of it', () =>
    checkRefused({ role: 'function', content: 'x' }, /function message needs a name/))
  test('with an unknown field is refused by its name', () =>
    checkRefused({ role: 'user', content: 'x', nmae: 'y' }, /nmae/))
  test('with a call without a name is refused', () =>
    checkRefused(
      { role: 'assistant', function_call: { name: ' ', arguments: '{}' } },
      /call needs a name/,
    ))
  test('keeps arguments that are no JSON', () =>
    expect(
      parseMessage({ role: 'assistant', function_call: { name: 'f', arguments: '{"x": ' } })
        .functionCall,
    ).toEqual({
      name: 'f',
      arguments: '{"x": ',
    }))
  test('cannot be changed, and the JSON that it came from stays as it was', () => {
    const json = { role: 'user', content: [{ text: 'a' }], extra: { page: { number: 1 } } }
    const message = parseMessage(json)
    expect(() => Object.assign((message.content as ContentItem[])[0]!, { text: 'b' })).toThrow(
      TypeError,
    )
    json.extra.page.number = 2
    expect(message.extra).toEqual({ page: { number: 1 } })
  })
})

describe('a content item', () => {
  test.each([[{}], [{ text: 'a', image: 'b' }]])(
    'of %j is refused: exactly one of the five',
    item =>
      checkRefused(
        { role: 'user', content: [item] },
        /exactly one of text, image, file, audio, video/,
      ),
  )
  test('of an unknown type is refused by its name', () =>
    checkRefused({ role: 'user', content: [{ smell: 'roses' }] }, /smell/))
  test('may be an empty text', () =>
    expect(parseMessage({ role: 'user', content: [{ text: '' }] }).content).toEqual([{ text: '' }]))

  const items: readonly (readonly [ContentItem, string, string])[] = [
    [{ text: 'a.pdf' }, 'a.pdf', ''],
    [{ file: 'C:\\papers\\A.PDF' }, 'C:\\papers\\A.PDF', 'pdf'],
    [{ file: 'https://h/x.docx?v=1.2#p' }, 'https://h/x.docx?v=1.2#p', 'docx'],
    [{ file: '/folder.d/readme' }, '/folder.d/readme', ''],
    [{ image: 'data:image/png;base64,AAAA' }, 'data:image/png;base64,AAAA', 'png'],
    [{ audio: { url: 'a.mp3', duration: 2 } }, 'a.mp3', 'mp3'],
    [{ video: ['1.jpg', '2.jpg'] }, '1.jpg', 'jpg'],
  ]
  test.each(items)('%j is told by value and extension', (item, value, extension) => {
    expect([getItemValue(item), getItemExtension(item)]).toEqual([value, extension])
  })
})

test('what goes in as plain JSON comes out as plain JSON', () => {
  const item = fc.oneof(
    fc.record({ text: fc.string() }),
    fc.record({ file: fc.string() }),
    fc.record({ audio: fc.record({ url: fc.string(), format: fc.string() }) }),
    fc.record({ video: fc.array(fc.string(), { minLength: 1 }) }),
  )
  const name = fc.string({ minLength: 1 }).filter(text => text.trim() !== '')
  const json = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(fc.string(), fc.array(item)),
      name,
      function_call: fc.record({ name, arguments: fc.string() }),
      reasoning_content: fc.string({ minLength: 1 }),
      extra: fc.record({
        function_id: fc.string(),
        reasoning_origin: fc.record({
          server: fc.string(),
          fields: fc.array(fc.string()),
          details: fc.array(fc.dictionary(fc.string(), fc.string())),
        }),
        more: fc.array(fc.integer()),
      }),
    },
    { requiredKeys: ['role', 'content'] },
  )
  fc.assert(
    fc.property(json, given => {
      expect(toMessageJson(parseMessage(given))).toEqual(given)
    }),
  )
})

test('the text of a message is its text items, and media are no text', () => {
  const message: Message = { role: 'user', content: [{ text: 'a' }, { image: 'i' }, { text: 'b' }] }
  expect(textContent(message)).toBe('a\nb')
  expect(isMultimodal(message)).toBe(true)
  expect(isMultimodal({ role: 'user', content: [{ text: 'a' }, { file: 'f' }] })).toBe(false)
})

describe('arguments', () => {
  test.each(['{"a": 1}', '{a: 1,}', '```json\n{"a": 1}\n```', '```\n{a: 1}\n```'])(
    '%j are read',
    text => expect(parseArguments(text)).toEqual({ a: 1 }),
  )
  test('none are an empty object', () => expect(parseArguments(' ')).toEqual({}))
})

test('usages add, costs where there are some', () => {
  const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 }
  expect(addUsage(undefined, usage)).toEqual(usage)
  expect(addUsage(usage, { ...usage, cost: 0.5 })).toEqual({
    promptTokens: 2,
    completionTokens: 4,
    totalTokens: 6,
    cost: 0.5,
  })
})

test('later settings win, and stops join', () => {
  const merged = mergeConfigs({ temperature: 1, stop: ['a'] }, undefined, {
    temperature: 0,
    stop: ['b', 'a'],
  })
  expect(merged).toEqual({ temperature: 0, stop: ['a', 'b'] })
})

test('extra fields of layers join', () =>
  expect(mergeConfigs({ extraBody: { top_k: 1, a: 1 } }, { extraBody: { top_k: 2 } })).toEqual({
    extraBody: { top_k: 2, a: 1 },
  }))

describe('settings in JSON', () => {
  test('have the names of Qwen-Agent', () =>
    expect(
      parseGenerateConfig({
        ...{
          temperature: 0.5,
          top_p: 0.9,
          max_tokens: 10,
          max_input_tokens: 100,
          max_retries: 2,
          seed: 7,
          stop: 'END',
        },
        ...{ function_choice: 'look', parallel_function_calls: true, thought_in_content: false },
        ...{ fncall_prompt_type: 'qwen', extra_body: { top_k: 20 } },
      }),
    ).toEqual({
      config: {
        ...{
          temperature: 0.5,
          topP: 0.9,
          maxTokens: 10,
          maxInputTokens: 100,
          maxRetries: 2,
          seed: 7,
          stop: ['END'],
        },
        ...{
          parallelFunctionCalls: true,
          thoughtInContent: false,
          functionCalling: 'qwen',
          extraBody: { top_k: 20 },
        },
      },
      toolChoice: { name: 'look' },
    }))
  test('say nothing of what they do not name', () =>
    expect(parseGenerateConfig({})).toEqual({ config: {} }))
  test.each([
    [{ top_p: 2 }, /^generate_cfg\.top_p has to be at most 1\.$/],
    [
      { fncall_prompt_type: 'xml' },
      /^generate_cfg\.fncall_prompt_type has to be one of native, nous, qwen, react\.$/,
    ],
    [{ topp: 1 }, /^generate_cfg has no field topp\.$/],
    [7, /^generate_cfg has to be an object\.$/],
  ])('that are wrong are refused by name: %j', (json, message) =>
    expect(() => parseGenerateConfig(json)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    ),
  )
})
