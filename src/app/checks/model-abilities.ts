import type { Message } from '../../agent/message.ts'
import { collectResponse } from '../../agent/messages/model-response.ts'
import type { ChatModel, ToolDefinition } from '../../agent/model.ts'
import { type LocalizableMessage, localizable } from '../../errors/localizable.ts'

type ModelAbilities = {
  readonly callsTools: boolean
  readonly thinks: boolean
  readonly reportsUsage: boolean
}

const echo: ToolDefinition = {
  name: 'echo',
  description: 'Returns the word.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
}

const functionId = 'call_of_another_server'
const foreign: readonly Message[] = [
  { role: 'assistant', content: '', functionCall: { name: 'echo', arguments: '{}' }, functionId },
  { role: 'function', name: 'echo', content: 'No word was given.', functionId },
]

const next: readonly Message[] = [
  { role: 'user', content: 'Thank you.' },
  { role: 'user', content: 'Call the tool echo with the word: done' },
]

const forced = {
  toolChoice: { name: echo.name },
  config: { topP: 0.9, maxTokens: 2000, stop: ['END OF DOCTOR'] },
} as const

/** Sends two short requests, with all that servers refuse: a tool, settings, calls of others. */
export async function probeModel(model: ChatModel, signal: AbortSignal): Promise<ModelAbilities> {
  const config = { temperature: 0, parallelFunctionCalls: false }
  const word = `doctor ${performance.now()}` // no cache has an answer
  const question: Message = { role: 'user', content: `Call the tool echo with the word: ${word}` }
  const request = { messages: [question], tools: [echo], toolChoice: 'auto', config } as const
  const first = await collectResponse(model, request, signal)
  const calls = first.messages.filter(({ functionCall }) => functionCall?.name === echo.name)
  const results = calls.map(
    ({ functionId }): Message => ({
      role: 'function',
      name: echo.name,
      content: word,
      ...(functionId !== undefined && { functionId }),
    }),
  )
  const answer: Message = { role: 'assistant', content: word }
  const history = results.length > 0 ? [...calls, ...results] : [answer]
  const messages = [question, ...history, ...next, ...foreign]
  const second = await collectResponse(model, { ...request, ...forced, messages }, signal)
  return {
    callsTools: calls.length > 0,
    thinks: [...first.messages, ...second.messages].some(message =>
      Boolean(message.reasoningContent),
    ),
    reportsUsage: first.usage !== undefined,
  }
}

export function describeAbilities(
  { callsTools, thinks, reportsUsage }: ModelAbilities,
  adaptations: readonly LocalizableMessage[],
): LocalizableMessage {
  const abilities = localizable`${
    callsTools
      ? localizable`calls tools`
      : localizable`did not call a tool: enable tools on its server, or set model.functionCalling`
  }; ${thinks ? localizable`returns its reasoning` : localizable`returns no reasoning`}; ${
    reportsUsage ? localizable`reports tokens` : localizable`reports no tokens`
  }`
  return adaptations.length > 0
    ? localizable`${abilities}. Requests are adapted: ${adaptations}`
    : abilities
}
