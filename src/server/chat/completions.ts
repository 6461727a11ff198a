import { z } from 'zod'
import type { AgentEvent, AgentResult } from '../../agent/event.ts'
import { readResult } from '../../agent/run.ts'
import { getNotice } from '../../errors/localizable.ts'
import { createId } from '../../system/digest.ts'
import type { CompletionJson } from '../../wire/chat-completion.ts'
import { getModelName, toAskOptions } from '../generation/generation.ts'
import { answererSchema, toConfig } from '../generation/generation-request.ts'
import { addCitationNotes } from '../generation/metadata.ts'
import {
  toSupportJson,
  toWarningsJson,
  withResolvableMarkers,
} from '../generation/passim-fields.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { reportError } from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import {
  localParameters,
  markRefused,
  markTolerant,
  NO_LOGPROBS,
  penaltyParameters,
  pickLocalFields,
  samplingParameters,
  selectForwarded,
  sharedParameters,
} from '../http/parameters.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { getTextEnd, NO_TOKENS, toUsageJson, withOneText } from './chat-completions.ts'

const FORWARDED_NAMES = Object.keys(
  penaltyParameters,
) as readonly (keyof typeof penaltyParameters)[]

const TEXT_ONLY = 'send the prompt as text; token numbers are not read here'
const textSchema = z.string({ error: TEXT_ONLY }).min(1)

const completionRequestSchema = markTolerant(
  z.strictObject({
    ...localParameters,
    ...sharedParameters,
    ...penaltyParameters,
    model: answererSchema,
    prompt: z
      .union([textSchema, z.array(textSchema).length(1)])
      .describe('Question or instruction, as text or as a list of one text.'),
    stream: z
      .boolean()
      .nullish()
      .describe('If true, send the answer in pieces while it is written. Default false.'),
    stream_options: z
      .object({
        include_usage: z
          .boolean()
          .nullish()
          .describe('Whether to end with a piece of token counts. Default false.'),
      })
      .nullish()
      .describe(
        'Options of the stream. `include_usage` adds a last piece with the number of tokens.',
      ),
    ...samplingParameters,
    n: z
      .literal(1, { error: 'a prompt has one answer here' })
      .nullish()
      .describe('Number of answers to write. It must be 1, the default.'),
    best_of: z
      .literal(1, { error: 'a prompt has one answer here' })
      .nullish()
      .describe('Number of answers to write. It must be 1, the default.'),
    echo: z
      .literal(false, { error: 'the answer does not repeat the prompt' })
      .nullish()
      .describe('Whether to repeat the prompt. Must be false.'),
    suffix: markRefused('a chat model cannot insert text before a suffix'),
    logprobs: markRefused(NO_LOGPROBS),
  }),
)

type CompletionRequest = z.output<typeof completionRequestSchema>

export const completionRoutes: Routes = {
  'POST /v1/completions': {
    summary: 'Create a text completion',
    description:
      'For older clients. The prompt is answered like a chat completion with one message. New clients should use chat completions.',
    body: completionRequestSchema,
    example: { model: 'travel', prompt: 'What may a hotel cost?' },
    headers: ['spans'],
    answer: 'Completion',
    events: 'Completion',
    mayFailUpstream: true,
    reply: complete,
  },
}

async function complete(c: RequestContext): Promise<Response> {
  const request = await readBody(c, completionRequestSchema)
  const options = await toAskOptions(c, toGeneration(request))
  const signal = c.get('signal')
  const events = withResolvableMarkers(c, c.get('passim').ask({ ...options, signal }).onlyEvents)
  const head = await toHeadJson(c, request)
  if (request.stream) return await streamText(c, request, { head, events: withOneText(events) })
  const answer = await readResult(events)
  return streamJson<CompletionJson>(c, {
    ...head,
    ...toEnd(c, answer, answer.text),
    ...(answer.usage && { usage: toUsageJson(answer.usage) }),
  })
}

function toGeneration(request: CompletionRequest) {
  const [content = ''] = [request.prompt].flat()
  const extraBody = { ...pickLocalFields(request), ...selectForwarded(request, FORWARDED_NAMES) }
  return {
    model: request.model,
    fileSearch: undefined,
    functions: [],
    toolChoice: 'auto' as const,
    names: { conversation: 'prompt', format: 'response_format' },
    messages: [{ role: 'user' as const, content }],
    config: { ...toConfig(request, request.max_tokens), extraBody },
  }
}

type Pieces = Pick<CompletionJson, 'choices' | 'metadata' | 'usage'>
type Head = Omit<CompletionJson, keyof Pieces>

type Streamed = { readonly head: Head; readonly events: AsyncIterable<AgentEvent> }

async function streamText(
  c: RequestContext,
  request: CompletionRequest,
  { head, events }: Streamed,
): Promise<Response> {
  const writePieces = async function* (): AsyncGenerator<SentEvent> {
    for await (const event of events) {
      if (event.type === 'notice') yield { comment: localize(c, getNotice(event)) }
      for (const body of toPieces(c, request, event)) yield { data: { ...head, ...body } }
    }
    yield { data: '[DONE]' }
  }
  return await streamEvents(c, {
    events: writePieces(),
    failure: error => [{ data: reportError(error, c) }],
  })
}

function* toPieces(
  c: RequestContext,
  { stream_options }: CompletionRequest,
  event: AgentEvent,
): Iterable<Pieces> {
  if (event.type === 'text-delta') yield { choices: [toChoice(event.text)] }
  if (event.type !== 'finish') return
  yield toEnd(c, event.result, '')
  const usage = event.result.usage ?? NO_TOKENS
  if (stream_options?.include_usage) yield { choices: [], usage: toUsageJson(usage) }
}

async function toHeadJson(c: RequestContext, { model }: CompletionRequest): Promise<Head> {
  return {
    id: createId('cmpl-'),
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: await getModelName(c, model),
  }
}

function toEnd(c: RequestContext, answer: AgentResult, text: string): Pieces {
  const metadata = addCitationNotes({}, answer)
  const choice = {
    ...toChoice(text),
    finish_reason: getTextEnd(answer),
    ...toSupportJson(c, answer),
    ...toWarningsJson(c, answer),
  }
  return { choices: [choice], ...(Object.keys(metadata).length > 0 && { metadata }) }
}

function toChoice(text: string): Pieces['choices'][number] {
  return { index: 0, text, logprobs: null, finish_reason: null }
}
