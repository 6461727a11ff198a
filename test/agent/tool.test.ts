import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DiskCache, MemoryCache } from '../../src/agent/models/text-cache.ts'
import { callTool, closeTools, type Tool } from '../../src/agent/tool.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import { withCache, withRetries, withTimeout } from '../../src/agent/tools/tool-limits.ts'
import { ToolRegistry } from '../../src/agent/tools/tool-registry.ts'
import { AppError } from '../../src/errors.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  parameters: [
    { name: 'city', required: true, description: 'Where.' },
    { name: 'days', type: 'integer' },
  ],
  call: async args => ({ asked: args }),
})

function tool(call: Tool['call']): Tool {
  return defineTool({ name: 't', description: '', parameters: [], call })
}

/** What the model is told when it writes these arguments. */
async function checkAnswer(made: Tool, args: string, expected: string | RegExp) {
  expect(await callTool([made], toolCall(made.name, args))).toMatch(expected)
}

describe('a definition', () => {
  test('in the list form is a schema', () =>
    expect(weather.parameters).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where.' }, days: { type: 'integer' } },
      required: ['city'],
    }))
  test('in the list form has the defaults that it states', async () => {
    const made = defineTool({
      name: 'rooms',
      description: '',
      parameters: [
        { name: 'city', required: true },
        { name: 'days', type: 'integer', default: 3 },
        { name: 'with', type: 'array', default: ['bath'] },
      ],
      call: async args => args,
    })
    expect(made.parameters.properties).toMatchObject({ days: { type: 'integer', default: 3 } })
    await checkAnswer(made, '{"city":"Ulm"}', '{"city":"Ulm","days":3,"with":["bath"]}')
    await checkAnswer(made, '{"city":"Ulm","days":1}', '"days":1')
  })
  test('reads lists and objects that the model wrote as JSON text', async () => {
    const parameters = z.object({
      files: z.array(z.string()).optional(),
      where: z.record(z.string(), z.string()).optional(),
      name: z.string().optional(),
    })
    const made = defineTool({ name: 'read', description: '', parameters, call: async a => a })
    await checkAnswer(
      made,
      JSON.stringify({ files: '["a.pdf"]', where: '{"year":"2026"}', name: '["x"]' }),
      '{"files":["a.pdf"],"where":{"year":"2026"},"name":"[\\"x\\"]"}',
    )
    await checkAnswer(made, JSON.stringify({ files: "['a.pdf',]" }), '{"files":["a.pdf"]}')
    await checkAnswer(made, '{"files":"[broken"}', /files: has to be a list/)
    await checkAnswer(made, '{"files":"{}"}', /files: has to be a list/)
  })
  test('with zod has its schema', () => {
    const parameters = z.object({ a: z.number().describe('A.'), b: z.string().default('x') })
    const made = defineTool({
      name: 'z',
      description: '',
      parameters,
      call: async ({ a, b }) => `${a}${b}`,
    })
    expect(made.parameters).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
    })
    return checkAnswer(made, '{"a": 1}', /^1x$/)
  })
  test('with another schema than an object, no schema, or a name that no model takes, is refused', () => {
    const make = (name: string, parameters: object) => () =>
      defineTool({
        name,
        description: '',
        parameters: parameters as Tool['parameters'],
        call: async () => '',
      })
    expect(make('t', { type: 'array' })).toThrow(/JSON Schema of type object/)
    expect(make('t', { type: 'object', properties: { a: { type: 'sting' } } })).toThrow(
      /no JSON Schema/,
    )
    expect(make('my tool', { type: 'object', properties: {} })).toThrow(/"my tool" must be/)
  })
})

describe('arguments', () => {
  test('that fit reach the tool, and what is no text comes back as JSON', () =>
    checkAnswer(weather, "{city: 'Ulm', days: 2}", /^\{"asked":\{"city":"Ulm","days":2\}\}$/))
  test('that do not fit are told field by field, so that the model can mend them', () =>
    checkAnswer(
      weather,
      '{"days": "two"}',
      /weather: The arguments do not fit: .*'city'.*; days: must be integer\. Correct/,
    ))
  test('that are no object are told', () =>
    checkAnswer(weather, '[1]', /arguments: must be object/))
  test('with a number that is not finite are broken', () =>
    Promise.all(
      ['{city: "Ulm", days: Infinity}', '{"city": "Ulm", "days": 1e400}', '{city: NaN}'].map(args =>
        checkAnswer(weather, args, /not valid JSON/),
      ),
    ))
  test('that are broken are told', () =>
    checkAnswer(weather, '{"city": ', /not valid JSON: \{"city":/))
  test('with a value outside of a choice are told the choice', () => {
    const parameters = { type: 'object', properties: { a: { enum: ['x', 'y'] } } } as const
    return checkAnswer(
      defineTool({ name: 't', description: '', parameters, call: async () => '' }),
      '{"a": "z"}',
      /a: .*x, y/,
    )
  })
})

describe('what a model is told of a failure', () => {
  const secrets: readonly (readonly [string, string])[] = [
    [
      "ENOENT: no such file or directory, open '/home/ada/secret/plan.txt'",
      "ENOENT: no such file or directory, open 'plan.txt'",
    ],
    ['Cannot read C:\\Users\\ada\\plan.txt', 'Cannot read plan.txt'],
    ["open '/home/ada/My Documents (old), 2024/the plan.txt'", "open 'the plan.txt'"],
    ['Cannot read:/home/ada/My Documents/plan (1).txt', 'Cannot read:plan (1).txt'],
    ['Cannot read C:/Users/Ada Lovelace/plan.txt', 'Cannot read plan.txt'],
    ['Cannot read \\\\server\\share\\plan.txt', 'Cannot read plan.txt'],
    ['see http://localhost:8080/a/b, or it', 'see http://localhost:8080/a/b, or it'],
    ['refused: Bearer abcdefgh12345678', 'refused: Bearer ***'],
    ['bad key sk-abcdefgh12345678', 'bad key ***'],
    ['bad key github_pat_11AAAA_bbbbbbbb', 'bad key ***'],
    ['bad token eyJhbGciOi.eyJzdWIiOi.SflKxwRJ', 'bad token ***'],
    ['refused: x-api-key: abc123, api_key=abc123', 'refused: x-api-key: ***, api_key=***'],
    ['see https://ada:secret1@example.org/a', 'see https://***@example.org/a'],
    ['failed\n    at run (/srv/app/dist/x.js:1:2)\n    at /srv/y.js:3:4', 'failed'],
    ['see https://example.org/a/b.html', 'see https://example.org/a/b.html'],
  ]
  test.each(secrets)('%j', async (message, shown) => {
    const failing = tool(async () => {
      throw new RangeError(message)
    })
    const logged: unknown[] = []
    const answer = await callTool([failing], toolCall('t'), {
      onError: (_, error) => logged.push(error),
    })
    expect(answer).toBe(`An error occurred when calling tool t: RangeError: ${shown}`)
    expect(logged).toEqual([expect.objectContaining({ message })])
  })
})

test('a failure of many lines is told without holding the thread', async () => {
  const lines = '\n'.repeat(100_000)
  const failing = tool(async () => {
    throw new Error(`${lines}at last`)
  })
  expect(await callTool([failing], toolCall('t'))).toBe(
    `An error occurred when calling tool t: Error: ${lines}at last`,
  )
})

test.each([
  ['a text', 'no', 'no'],
  ['nothing', undefined, 'undefined'],
  ['an object', { reason: 'no' }, "{ reason: 'no' }"],
  ['what is nobody’s child', Object.create(null), '[Object: null prototype] {}'],
])('a tool that throws %s fails like any other', async (_, thrown, told) => {
  const failing = tool(async () => {
    throw thrown
  })
  expect(await callTool([failing], toolCall('t'))).toBe(
    `An error occurred when calling tool t: ${told}`,
  )
})

test('what JSON has no form for is told all the same', async () => {
  const odd = {
    big: 10n,
    map: new Map([['a', 1]]),
    set: new Set([1]),
    error: new RangeError('too far'),
  }
  expect(await callTool([tool(async () => odd)], toolCall('t'))).toBe(
    '{"big":"10","map":[["a",1]],"set":[1],"error":"RangeError: too far"}',
  )
  const circular: { self?: object } = {}
  circular.self = circular
  expect(await callTool([tool(async () => circular)], toolCall('t'))).toBe(
    '<ref *1> { self: [Circular *1] }',
  )
})

test('a model is told of a fault of the machine by its code alone', async () => {
  const failing = tool(() => readFile('/nowhere/at all'))
  expect(await callTool([failing], toolCall('t'))).toBe(
    'An error occurred when calling tool t: The machine could not do it (ENOENT).',
  )
})

describe('limits', () => {
  test('a tool that takes too long is given up, though it minds no signal', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const stuck = tool((_, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    await expect(withTimeout(stuck, 10).call({})).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/longer than 0.01 s/),
    })
    expect(signals[0]?.aborted).toBe(true)
  })
  test('an abort ends a tool at once', async () => {
    const controller = new AbortController()
    const call = withTimeout(
      tool(() => new Promise(() => {})),
      3_600_000,
    ).call({}, controller.signal)
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
  test('a failing tool is tried again, one that was called wrongly is not', async () => {
    const waits: number[] = []
    let tries = 0
    const failing = (error: Error) =>
      withRetries(
        tool(async () => {
          tries++
          throw error
        }),
        { maxRetries: 2, delayMs: 100, wait: async delayMs => void waits.push(delayMs) },
      )
    await expect(failing(new Error('busy')).call({})).rejects.toThrow('busy')
    expect([tries, waits]).toEqual([3, [100, 200]])
    tries = 0
    await expect(failing(new AppError('invalid_input', 'no')).call({})).rejects.toThrow('no')
    expect(tries).toBe(1)
  })
  test('a result is repeated for its time, whatever the order of the arguments; a failure is not', async () => {
    let now = 0
    let runs = 0
    const counted = withCache(
      tool(async args => {
        runs++
        if ('fail' in (args as object)) throw new Error('no')
        return { runs }
      }),
      new MemoryCache({ ttlMs: 1000, now: () => now }),
    )
    expect(await counted.call({ a: 1, b: 2 })).toEqual({ runs: 1 })
    expect(await counted.call({ b: 2, a: 1 })).toEqual({ runs: 1 })
    now = 1001
    expect(await counted.call({ a: 1, b: 2 })).toEqual({ runs: 2 })
    await expect(counted.call({ fail: true })).rejects.toThrow('no')
    await expect(counted.call({ fail: true })).rejects.toThrow('no')
    expect(runs).toBe(4)
  })
  test('a result is kept on disk for another process', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-tool-cache-'))
    const counted = (text: string) =>
      withCache(
        tool(async () => text),
        new DiskCache({ folder, ttlMs: 60_000, maxBytes: 1_000_000 }),
      )
    expect([await counted('first').call({ a: 1 }), await counted('second').call({ a: 1 })]).toEqual(
      ['first', 'first'],
    )
    expect(await counted('second').call({ a: 2 })).toBe('second')
    await rm(folder, { recursive: true })
  })
  test('closing closes all, also when one fails, and through what is wrapped around them', async () => {
    const closed: string[] = []
    const closing = (name: string, error?: Error) =>
      withTimeout(
        {
          ...tool(async () => ''),
          async close() {
            closed.push(name)
            if (error) throw error
          },
        },
        1000,
      )
    await expect(
      closeTools([closing('a', new Error('stuck')), closing('b'), weather]),
    ).rejects.toThrow(AggregateError)
    expect(closed).toEqual(['a', 'b'])
  })
})

describe('a registry', () => {
  const registry = new ToolRegistry([['weather', () => weather]])
  test('gives tools by name, by name with settings, and instances as they are', () => {
    const factory = (config: object) => ({
      ...weather,
      name: 'other',
      description: JSON.stringify(config),
    })
    const more = registry.register('other', factory)
    const [named, configured, given] = more.resolve([
      'weather',
      { name: 'other', key: 1 },
      tool(async () => ''),
    ])
    expect([named?.name, configured?.description, given?.name]).toEqual([
      'weather',
      '{"key":1}',
      't',
    ])
  })
  test('is a value: registering leaves it as it was', () => {
    registry.register('other', () => weather)
    expect(registry.names).toEqual(['weather'])
  })
  test('refuses a taken name, or tells of its being overwritten', () => {
    expect(() => registry.register('weather', () => weather)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
    const told: string[] = []
    registry.register('weather', () => weather, { onOverwrite: name => told.push(name) })
    expect(told).toEqual(['weather'])
  })
  test('names what there is for an unknown name, and refuses two tools of one name', () => {
    expect(() => registry.get('whether')).toThrow(/no tool whether. There are: weather/)
    expect(() => registry.resolve(['weather', weather])).toThrow(/Two tools are called weather/)
  })
})

test("a call is taken as OpenAI's clients give it, too", async () => {
  const call = {
    id: 'call_1',
    type: 'function' as const,
    function: { name: 'weather', arguments: '{"city":"Rome"}' },
  }
  expect(await callTool([weather], call)).toBe('{"asked":{"city":"Rome"}}')
  expect(await callTool([weather], { ...call, function: { name: '', arguments: '{}' } })).toContain(
    'has no name',
  )
})

test('options of another library are refused by name', () => {
  const theirs = { name: 'w', description: 'W.', inputSchema: z.object({}), execute: async () => 1 }
  expect(() => defineTool(theirs as never)).toThrow(
    /no option inputSchema.*parameters is called inputSchema/,
  ) // a program without types
  const named = {
    w: defineTool({ name: 'w', description: 'W.', parameters: [], call: async () => 1 }),
  }
  expect(() => new ToolRegistry().resolve(named as never)).toThrow(/tools is a list/) // the same
})
