import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Message, textContent } from '../../src/agent/message.ts'
import { collectResponse } from '../../src/agent/messages/model-response.ts'
import { labelSources } from '../../src/agent/messages/source-labels.ts'
import { nousTemplate } from '../../src/agent/models/text-calls/nous-template.ts'
import { TextCallModel } from '../../src/agent/models/text-calls/text-calls.ts'
import { ThoughtModel } from '../../src/agent/models/thoughts.ts'
import { truncateMessages } from '../../src/agent/models/truncated.ts'
import { shortenText } from '../../src/agent/tokens/text-tokens.ts'
import { toMessageJson } from '../../src/qwen/message-json.ts'
import { goldenTokens } from '../fakes/golden-tokens.ts'
import { ScriptedChatModel, says } from '../fakes/scripted-chat-model.ts'

/** Outputs of Qwen-Agent 0.0.34, of behaviour that we keep or differ from on purpose. */
const golden = JSON.parse(
  readFileSync(new URL('../fixtures/golden-agent.json', import.meta.url), 'utf8'),
) as {
  readonly truncate: readonly { text: string; max: number; both: boolean; out: string }[]
  readonly truncate_messages: readonly {
    in: readonly [string, number][]
    budget: number
    out: readonly [string, number, string][]
  }[]
  readonly basename: readonly [string, string][]
  readonly nous_parse: readonly { in: string; out: readonly GoldenMessage[] }[]
}

type GoldenMessage = {
  readonly content: readonly { readonly text: string }[]
  readonly function_call?: { readonly name: string; readonly arguments: string }
}

describe('a text is shortened as by the peer', () => {
  test.each(golden.truncate)(
    'to $max tokens, both ends: $both',
    async ({ text, max, both, out }) => {
      expect(
        await shortenText(text, {
          maxTokens: max,
          tokens: goldenTokens,
          keep: both ? 'both' : 'head',
        }),
      ).toBe(out)
    },
  )
})

describe('a source is called as by the peer', () => {
  test.each(golden.basename)('%s', (source, name) =>
    expect(labelSources([source]).get(source)).toBe(name),
  )
})

describe('a conversation is shortened as by the peer', () => {
  test.each(golden.truncate_messages)(
    '$in to $budget tokens',
    async ({ in: sizes, budget, out }) => {
      const messages = sizes.map(([role, size]): Message => {
        const content = Array.from({ length: size }, () => 'w').join(' ')
        return { role: role as Message['role'], content, ...(role === 'function' && { name: 'f' }) }
      })
      const kept = await truncateMessages(messages, budget, { tokens: goldenTokens })
      const sized = kept.map(async message => {
        const text = textContent(message)
        return [message.role, await goldenTokens.count(text), text.slice(0, 20)]
      })
      expect(await Promise.all(sized)).toEqual(out.map(([role, size, text]) => [role, size, text]))
    },
  )
})

/** What we make of the text, in the peer's form: text items, and calls with what they are given. */
async function parse(text: string): Promise<readonly GoldenMessage[]> {
  const model = new TextCallModel(
    new ThoughtModel(new ScriptedChatModel([says(...text)])),
    nousTemplate,
  )
  const tool = {
    name: 'boom',
    description: '',
    parameters: { type: 'object', properties: {} },
  } as const
  const { messages } = await collectResponse(model, {
    messages: [{ role: 'user', content: 'Go' }],
    tools: [tool],
    toolChoice: 'auto',
  })
  return messages.map(message => {
    const { function_call } = toMessageJson(message)
    const said = textContent(message)
    return { content: said ? [{ text: said }] : [], ...(function_call && { function_call }) }
  })
}

const asPeer = ({ content, function_call }: GoldenMessage) => ({
  content,
  ...(function_call && { function_call }),
})

/** Cases where we differ on purpose: why, and what we make of them. */
const DIFFERENT: Readonly<
  Record<string, { readonly reason: string; readonly ours: readonly GoldenMessage[] }>
> = {
  '<tool_call>\n{bad json}\n</tool_call>': {
    reason:
      'a call without a readable name is a problem that the model is told, never a call with an empty name',
    ours: [{ content: [], function_call: { name: 'unreadable_call', arguments: '{bad json}' } }],
  },
  '<think>aaa <tool_call>x</tool_call></think>bbb': {
    reason: 'thoughts at the beginning are reasoning, not part of the answer',
    ours: [{ content: [{ text: 'bbb' }] }],
  },
  'text <tool_call>{"name":"boom","arguments":{"x":"1"}}</tool_call> tail <tool_call>{"name":"b2","arguments":{"x":"2"}}</tool_call>':
    {
      reason: 'the same call; its JSON is written as JavaScript does, without spaces',
      ours: [
        { content: [{ text: 'text ' }] },
        { content: [], function_call: { name: 'boom', arguments: '{"x":"1"}' } },
        { content: [], function_call: { name: 'b2', arguments: '{"x":"2"}' } },
      ],
    },
}

describe('calls in a text are read as by the peer', () => {
  const same = golden.nous_parse.filter(one => !(one.in in DIFFERENT))
  test.each(same)('$in', async ({ in: text, out }) =>
    expect(await parse(text)).toEqual(out.map(asPeer)),
  )

  const different = golden.nous_parse.filter(one => one.in in DIFFERENT)
  test('every difference is of a case that there is', () =>
    expect(different.map(one => one.in).toSorted()).toEqual(Object.keys(DIFFERENT).toSorted()))
  test.each(different.map(one => [DIFFERENT[one.in]!.reason, one] as const))(
    'but: %s',
    async (_, { in: text, out }) => {
      const ours = await parse(text)
      expect(ours).toEqual(DIFFERENT[text]!.ours)
      expect(ours).not.toEqual(out.map(asPeer))
    },
  )
})
