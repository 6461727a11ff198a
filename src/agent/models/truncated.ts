import { localizable, withMessage } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import { type Message, textContent } from '../message.ts'
import { type ChatModel, type ModelEvent, type ModelRequest, REQUEST_SHORTENED } from '../model.ts'
import { shortenText, type TextTokens } from '../tokens/text-tokens.ts'
import { DEFAULT_MAX_INPUT_TOKENS } from './recent-turns.ts'

const OMITTED = 'omit'

/** Shortens requests to `maxInputTokens`; 0 is no limit. */
export class TruncatedModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #tokens: TextTokens

  constructor(inner: ChatModel, tokens: TextTokens) {
    this.id = inner.id
    this.#inner = inner
    this.#tokens = tokens
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const { maxInputTokens = DEFAULT_MAX_INPUT_TOKENS } = request.config ?? {}
    const counting = { tokens: this.#tokens, signal }
    const messages =
      maxInputTokens > 0
        ? await truncateMessages(request.messages, maxInputTokens, counting)
        : request.messages
    const loss = findLoss(request.messages, messages, maxInputTokens)
    let read = 0
    for await (const event of this.#inner.stream({ ...request, messages }, signal)) {
      if (event.type === 'usage') read = event.usage.promptTokens
      if (event.type === 'finish') {
        const found = [loss, await findSilentLoss(messages, read, counting)]
        const warnings = found.filter(warning => warning !== undefined)
        yield warnings.length > 0
          ? { ...event, warnings: [...(event.warnings ?? []), ...warnings] }
          : event
      } else yield event
    }
  }
}

/** Smaller than the context of any server; less is no count of the request. */
const MIN_CONTEXT_TOKENS = 1_024

/** More than the average of prose, so that few requests are counted. */
const BYTES_PER_TOKEN = 5

/** Tokenizers differ by less on prose. */
const MAX_COUNT_RATIO = 1.3

/** Describes what the server read of a request if it cut it, as Ollama does, without an error. */
async function findSilentLoss(
  messages: readonly Message[],
  read: number,
  { tokens, signal }: Counting,
): Promise<Warning | undefined> {
  if (read < MIN_CONTEXT_TOKENS) return undefined
  const texts = messages.map(textContent)
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes < read * BYTES_PER_TOKEN) return undefined
  let sent = 0
  for (const text of texts) sent += await tokens.count(text, signal)
  if (sent < read * MAX_COUNT_RATIO) return undefined
  const message = localizable`The model's server read ${read} of about ${sent} tokens and cut the rest of the request.`
  const advice = localizable`Raise the context length of the server (Ollama: OLLAMA_CONTEXT_LENGTH), or set model.maxInputTokens below ${read}.`
  return withMessage({ code: REQUEST_SHORTENED }, message, advice)
}

function findLoss(
  before: readonly Message[],
  after: readonly Message[],
  maxTokens: number,
): Warning | undefined {
  const texts = new Set(before.map(textContent))
  const omitted = before.length - after.length
  const shortened = after.filter(message => !texts.has(textContent(message))).length
  const losses = [
    ...(omitted > 0 ? [localizable`earlier messages left out: ${omitted}`] : []),
    ...(shortened > 0 ? [localizable`messages shortened: ${shortened}`] : []),
  ]
  if (losses.length === 0) return undefined
  const message = localizable`The request exceeded the ${maxTokens} tokens of model.maxInputTokens: ${losses}.`
  return withMessage({ code: REQUEST_SHORTENED }, message)
}

type Counting = { readonly tokens: TextTokens; readonly signal?: AbortSignal }

type Draft = { readonly message: Message; tokens: number; text: string; isDropped: boolean }

/**
 * Shortens like Qwen-Agent: earlier thoughts, whole turns (oldest first), old tool results,
 * steps, last results, then text. Throws `too_large` if system messages or the last turn do not
 * fit.
 */
export async function truncateMessages(
  messages: readonly Message[],
  maxTokens: number,
  counting: Counting,
): Promise<readonly Message[]> {
  if (isShort(messages, maxTokens)) return messages
  const drafts: Draft[] = []
  for (const message of messages) drafts.push(await toDraft(message, counting))
  const excess = drafts.reduce((sum, draft) => sum + draft.tokens, 0) - maxTokens
  if (excess <= 0) return messages
  const bare = clearOldThoughts(messages)
  if (bare.some((message, index) => message !== messages[index]))
    return await truncateMessages(bare, maxTokens, counting)
  const system = drafts.filter(({ message }) => message.role === 'system')
  if (system.reduce((sum, draft) => sum + draft.tokens, 0) >= maxTokens)
    throw createTooLargeError('system message', maxTokens)
  const turns = splitTurns(drafts)
  let over = excess
  for (const turn of turns) {
    if (over > 0)
      over = await shrinkTurn(turn, over, { ...counting, isLast: turn === turns.at(-1) })
  }
  if (over > 0) throw createTooLargeError('last message', maxTokens)
  return drafts.filter(draft => !draft.isDropped).map(toMessage)
}

/** Compares bytes: tokens have at least one. */
function isShort(messages: readonly Message[], maxTokens: number): boolean {
  let bytes = 0
  for (const message of messages) {
    bytes +=
      Buffer.byteLength(textContent(message)) +
      Buffer.byteLength(message.functionCall?.arguments ?? '') +
      64
    bytes += Buffer.byteLength(getReturnedThoughts(message))
    if (bytes > maxTokens) return false
  }
  return true
}

async function toDraft(message: Message, { tokens, signal }: Counting): Promise<Draft> {
  const text = textContent(message)
  const { functionCall } = message
  const call = functionCall
    ? await tokens.count(`${functionCall.name} ${functionCall.arguments}`, signal)
    : 0
  const thoughts = getReturnedThoughts(message)
  const besides = call + (thoughts === '' ? 0 : await tokens.count(thoughts, signal))
  return { message, text, tokens: (await tokens.count(text, signal)) + besides, isDropped: false }
}

/** Empties earlier thoughts. Servers require the field, and mostly ignore it. */
function clearOldThoughts(messages: readonly Message[]): readonly Message[] {
  const question = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    const { reasoningOrigin: origin } = message
    if (index > question || !origin || (getReturnedThoughts(message) === '' && !origin.details))
      return message
    const { details: _, ...form } = origin
    return { ...message, reasoningContent: '', reasoningOrigin: form }
  })
}

function getReturnedThoughts({ reasoningOrigin, reasoningContent = '' }: Message): string {
  return reasoningOrigin ? reasoningContent : ''
}

function toMessage({ message, text }: Draft): Message {
  if (text === textContent(message)) return message
  if (typeof message.content === 'string') return { ...message, content: text }
  return { ...message, content: [{ text }, ...message.content.filter(item => !('text' in item))] }
}

function splitTurns(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const turns: Draft[][] = []
  for (const draft of drafts) {
    if (draft.message.role === 'system') continue
    if (draft.message.role === 'user' || turns.length === 0) turns.push([draft])
    else turns.at(-1)!.push(draft)
  }
  return turns
}

type ShrinkOptions = Counting & { readonly isLast: boolean }

async function shrinkTurn(
  turn: readonly Draft[],
  excess: number,
  options: ShrinkOptions,
): Promise<number> {
  const { isLast } = options
  const size = turn.reduce((sum, draft) => sum + draft.tokens, 0)
  if (size <= excess && !isLast) {
    for (const draft of turn) draft.isDropped = true
    return excess - size
  }
  const steps = splitSteps(turn)
  const lastWithResults = steps.findLastIndex(step => step.some(isResult))
  const old = steps.slice(0, Math.max(0, lastWithResults)).flat().filter(isResult)
  let over = await cutAll(old, excess, 'both', options)
  over = steps
    .slice(0, -1)
    .reduce((remaining, step) => (remaining > 0 ? drop(step, remaining) : remaining), over)
  const results = turn.filter(draft => !draft.isDropped && isResult(draft))
  over = await cutAll(results, over, 'both', options)
  const spoken = turn.filter(draft => !draft.isDropped && !isResult(draft))
  const keep = spoken.length === 1 ? 'both' : 'head'
  const inOrder = isLast ? spoken.toReversed() : spoken // the last question goes last
  return await cutAll(inOrder, over, keep, options)
}

function splitSteps(turn: readonly Draft[]): readonly (readonly Draft[])[] {
  const steps: Draft[][] = []
  for (const [index, draft] of turn.entries()) {
    if (draft.message.role === 'user') continue
    const before = turn[index - 1]?.message
    const isNew =
      draft.message.role === 'assistant' && !(before?.role === 'assistant' && before.functionCall)
    if (isNew || steps.length === 0) steps.push([draft])
    else steps.at(-1)!.push(draft)
  }
  return steps
}

function isResult(draft: Draft): boolean {
  return draft.message.role === 'function'
}

function drop(step: readonly Draft[], excess: number): number {
  for (const draft of step) draft.isDropped = true
  return excess - step.reduce((sum, draft) => sum + draft.tokens, 0)
}

/** Ignores placeholders, as Qwen-Agent does. */
async function cutAll(
  drafts: readonly Draft[],
  excess: number,
  keep: 'head' | 'both',
  { tokens, signal }: Counting,
) {
  let over = excess
  for (const draft of drafts) {
    if (over <= 0) break
    const size = await tokens.count(draft.text, signal)
    if (size === 0) continue
    const maxTokens = size - over
    draft.text =
      maxTokens <= 0 ? OMITTED : await shortenText(draft.text, { maxTokens, tokens, keep, signal })
    draft.tokens -= Math.min(size, over)
    over -= Math.min(size, over)
  }
  return over
}

function createTooLargeError(what: string, maxTokens: number): AppError {
  return new AppError(
    'too_large',
    localizable`The ${what} alone is longer than the ${maxTokens} tokens of a request. Shorten it.`,
    { advice: 'If the model accepts more, raise model.maxInputTokens.' },
  )
}
