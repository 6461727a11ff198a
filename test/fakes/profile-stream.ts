import type { ModelProfile } from './model-profiles.ts'
import type { ScriptedReply } from './scripted-model-server.ts'

type StreamedCall = { readonly id?: string; readonly name: string; readonly json: string }

/** Answer of a model, which the profile's server writes in its own form. */
export type StreamedAnswer = {
  /** Pieces of its thoughts and of its text, in order. */
  readonly pieces: readonly { readonly thought?: string; readonly text?: string }[]
  readonly calls?: readonly StreamedCall[]
  readonly finish?: string
  /** Tokens of the request and of the answer, if the server reports them. */
  readonly tokens?: readonly [prompt: number, completion: number]
  readonly cost?: number | undefined
}

/** Encodes an answer as the stream of a server with these habits. */
export function encodeAnswer(
  profile: ModelProfile,
  {
    pieces,
    calls = [],
    tokens,
    cost,
    finish = calls.length > 0 ? 'tool_calls' : 'stop',
  }: StreamedAnswer,
): ScriptedReply {
  const deltas = [
    { role: 'assistant', content: '' },
    ...pieces.map(({ thought, text }) =>
      thought === undefined
        ? { content: text }
        : { [profile.thoughts ?? 'reasoning_content']: thought },
    ),
    ...calls.flatMap((call, index) => {
      const hasOwnId = !calls.slice(0, index).some(({ id }) => id !== undefined && id === call.id)
      return toDeltas(profile, call, { index, hasOwnId })
    }),
  ]
  const choices = [
    ...deltas.map(delta => ({ delta, finish_reason: null })),
    { delta: {}, finish_reason: finish },
  ]
  const events = choices.map(choice => JSON.stringify({ choices: [{ index: 0, ...choice }] }))
  const usage = tokens && [JSON.stringify({ choices: [], usage: { ...toUsage(tokens), cost } })]
  const all = [...events, ...(usage ?? []), '[DONE]']
  return { raw: (profile.opening ?? '') + all.map(event => `data: ${event}\n\n`).join('') }
}

function toUsage([prompt, completion]: readonly [number, number]) {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
}

/** Position among the calls of an answer, whose ids some scripts repeat. */
type CallPlace = { readonly index: number; readonly hasOwnId: boolean }

type CallDelta = { readonly tool_calls: readonly object[] }

function toDeltas(
  profile: ModelProfile,
  call: StreamedCall,
  { index, hasOwnId }: CallPlace,
): readonly CallDelta[] {
  const { callId = 'call_kTq2Wf9Xb1', toCallDeltas = sendInPieces, isIndexRepeated } = profile
  const id = call.id ?? (index === 0 ? callId : `${callId.slice(0, -1)}${index + 1}`)
  return toCallDeltas(id, call.name, call.json).map(({ tool_calls: parts }) => ({
    tool_calls: parts.map(part => (isIndexRepeated && hasOwnId ? part : { ...part, index })),
  }))
}

/** Some servers send a call in one piece. */
export function sendAtOnce(id: string, name: string, json: string): readonly CallDelta[] {
  return [{ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: json } }] }]
}

/** OpenAI and others stream the arguments. */
function sendInPieces(id: string, name: string, json: string): readonly CallDelta[] {
  const pieces = json.match(/[\s\S]{1,4}/g) ?? []
  return [
    { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] },
    ...pieces.map(piece => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ]
}
