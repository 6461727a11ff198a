import { AppError } from '../errors.ts'
import { type Message, textContent } from './message.ts'
import { shorten, type TextTokens } from './text-tokens.ts'

/** In place of a text that had to go whole. */
const OMITTED = 'omit'

/** An index of a message in its conversation; what is dropped has no text any more. */
type Draft = { readonly message: Message; tokens: number; text: string; isDropped: boolean }

/**
 * The conversation in at most `maxTokens`, as Qwen-Agent shortens it: from the oldest turn on, whole turns leave while
 * that is not too much, then old results of tools are shortened, then steps between leave, then the last results, then
 * what was said. System messages stay whole; a call and its result leave together. Throws `too_large` when the system
 * messages alone, or the last turn, cannot be made to fit.
 */
export function truncateMessages(
  messages: readonly Message[],
  maxTokens: number,
  tokens: TextTokens,
): readonly Message[] {
  if (surelyFits(messages, maxTokens) || easilyFits(messages, maxTokens, tokens)) return messages
  const drafts = messages.map(message => toDraft(message, tokens))
  const excess = drafts.reduce((sum, draft) => sum + draft.tokens, 0) - maxTokens
  if (excess <= 0) return messages
  const system = drafts.filter(({ message }) => message.role === 'system')
  if (system.reduce((sum, draft) => sum + draft.tokens, 0) >= maxTokens) throw tooLarge('system message', maxTokens)
  const left = turnsOf(drafts).reduce((over, turn, at, turns) => {
    return over > 0 ? shrinkTurn(turn, over, { tokens, isLast: at === turns.length - 1 }) : over
  }, excess)
  if (left > 0) throw tooLarge('last message', maxTokens)
  return drafts.filter(draft => !draft.isDropped).map(toMessage)
}

/** No vocabulary has tokens of less than one byte: most conversations need no counting. */
function surelyFits(messages: readonly Message[], maxTokens: number): boolean {
  let bytes = 0
  for (const message of messages) {
    bytes += Buffer.byteLength(textContent(message)) + Buffer.byteLength(message.functionCall?.arguments ?? '') + 64
    if (bytes > maxTokens) return false
  }
  return true
}

/** Texts longer than this, in UTF-16 units, are judged by samples. */
const SAMPLED_FROM = 20_000
const SAMPLES = 8
const SAMPLE_CHARS = 500

/** Far from the limit, by samples of the long texts: counting them whole would take longer than all else. */
function easilyFits(messages: readonly Message[], maxTokens: number, tokens: TextTokens): boolean {
  const texts = messages.map(message => textContent(message) + (message.functionCall?.arguments ?? ''))
  if (texts.every(text => text.length < SAMPLED_FROM)) return false
  const estimate = texts.reduce((sum, text) => sum + estimatedTokens(text, tokens), 0)
  return 2 * estimate <= maxTokens
}

function estimatedTokens(text: string, tokens: TextTokens): number {
  if (text.length < SAMPLED_FROM) return tokens.count(text)
  const step = Math.floor((text.length - SAMPLE_CHARS) / (SAMPLES - 1))
  const samples = Array.from({ length: SAMPLES }, (_, at) => text.slice(at * step, at * step + SAMPLE_CHARS))
  return (tokens.count(samples.join('')) / (SAMPLES * SAMPLE_CHARS)) * text.length
}

function toDraft(message: Message, tokens: TextTokens): Draft {
  const text = textContent(message)
  const { functionCall } = message
  const call = functionCall ? tokens.count(`${functionCall.name} ${functionCall.arguments}`) : 0
  return { message, text, tokens: tokens.count(text) + call, isDropped: false }
}

function toMessage({ message, text }: Draft): Message {
  if (text === textContent(message)) return message
  if (typeof message.content === 'string') return { ...message, content: text }
  return { ...message, content: [{ text }, ...message.content.filter(item => !('text' in item))] }
}

function turnsOf(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const turns: Draft[][] = []
  for (const draft of drafts) {
    if (draft.message.role === 'system') continue
    if (draft.message.role === 'user' || turns.length === 0) turns.push([draft])
    else turns.at(-1)!.push(draft) // there is one
  }
  return turns
}

type ShrinkOptions = { readonly tokens: TextTokens; readonly isLast: boolean }

/** Makes the turn smaller by so many tokens, if it can; what is still over is returned. */
function shrinkTurn(turn: readonly Draft[], excess: number, { tokens, isLast }: ShrinkOptions): number {
  const size = turn.reduce((sum, draft) => sum + draft.tokens, 0)
  if (size <= excess && !isLast) {
    for (const draft of turn) draft.isDropped = true
    return excess - size
  }
  const steps = stepsOf(turn)
  const lastWithResults = steps.findLastIndex(step => step.some(isResult))
  const old = steps.slice(0, Math.max(0, lastWithResults)).flat().filter(isResult)
  let over = old.reduce((left, draft) => cut(draft, left, tokens, 'both'), excess)
  over = steps.slice(0, -1).reduce((left, step) => (left > 0 ? drop(step, left) : left), over)
  const results = turn.filter(draft => !draft.isDropped && isResult(draft))
  over = results.reduce((left, draft) => cut(draft, left, tokens, 'both'), over)
  const spoken = turn.filter(draft => !draft.isDropped && !isResult(draft))
  const keep = spoken.length === 1 ? 'both' : 'head'
  const inOrder = isLast ? spoken.toReversed() : spoken // the question of the last turn goes last
  return inOrder.reduce((left, draft) => cut(draft, left, tokens, keep), over)
}

/** What the assistant said and called at once, with the results of it. */
function stepsOf(turn: readonly Draft[]): readonly (readonly Draft[])[] {
  const steps: Draft[][] = []
  for (const [at, draft] of turn.entries()) {
    if (draft.message.role === 'user') continue
    const before = turn[at - 1]?.message
    const isNew = draft.message.role === 'assistant' && !(before?.role === 'assistant' && before.functionCall)
    if (isNew || steps.length === 0) steps.push([draft])
    else steps.at(-1)!.push(draft) // there is one
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

/** Shortens one text; the few tokens of what stands in its place are not counted, as in Qwen-Agent. */
function cut(draft: Draft, excess: number, tokens: TextTokens, keep: 'head' | 'both'): number {
  const size = tokens.count(draft.text)
  if (excess <= 0 || size === 0) return excess
  const isOmitted = size <= excess
  draft.text = isOmitted ? OMITTED : shorten(draft.text, size - excess, tokens, keep)
  draft.tokens -= Math.min(size, excess)
  return excess - Math.min(size, excess)
}

function tooLarge(what: string, maxTokens: number): AppError {
  const advice = 'Shorten it, or raise model.maxInputTokens if the model takes more.'
  return new AppError('too_large', `The ${what} alone is longer than the ${maxTokens} tokens of a request. ${advice}`)
}
