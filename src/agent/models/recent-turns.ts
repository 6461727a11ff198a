import { type Message, textContent } from '../message.ts'

/** Qwen-Agent's default of 58,000. */
export const DEFAULT_MAX_INPUT_TOKENS = 58_000

/** Above any language's mean (o200k: 4.5 for English, 4 for Chinese), so that enough is read. */
const BYTES_PER_TOKEN = 8

/** Overhead of a message; protects the estimate. */
const MESSAGE_BYTES = 64

/** Characters of a cut text, so that it stays recognisable. */
const MIN_CHARS = 200

/** Returns 0 for no limit. */
export function estimateReadableBytes(maxInputTokens = DEFAULT_MAX_INPUT_TOKENS): number {
  return maxInputTokens > 0 ? maxInputTokens * BYTES_PER_TOKEN : Number.POSITIVE_INFINITY
}

export function fitSources(tokens: number, maxInputTokens = 0): number {
  return maxInputTokens > 0 ? Math.min(tokens, Math.floor(maxInputTokens / 2)) : tokens
}

/**
 * Returns the last turns within about `maxBytes`, and system messages. Cuts the first turn that
 * does not fit, from its oldest text.
 */
export function selectRecentTurns(
  messages: readonly Message[],
  maxBytes: number,
): readonly Message[] {
  const recent: Message[] = []
  let remainingBytes = maxBytes
  let isFull = false
  for (const message of messages.toReversed()) {
    if (message.role === 'system') recent.push(message)
    if (message.role === 'system' || isFull) continue
    const bytes = measureBytes(message)
    recent.push(
      bytes <= remainingBytes ? message : cutText(message, Math.max(0, remainingBytes / bytes)),
    )
    remainingBytes -= bytes
    isFull = remainingBytes <= 0 && message.role === 'user'
  }
  return recent.toReversed()
}

function measureBytes(message: Message): number {
  const { functionCall, reasoningOrigin, reasoningContent = '' } = message
  const thoughts = reasoningOrigin ? Buffer.byteLength(reasoningContent) : 0 // thoughts without an origin are not sent
  return (
    MESSAGE_BYTES +
    Buffer.byteLength(textContent(message)) +
    Buffer.byteLength(functionCall?.arguments ?? '') +
    thoughts
  )
}

function cutText(message: Message, share: number): Message {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: cutHead(content, share) }
  return {
    ...message,
    content: content.map(item => ('text' in item ? { text: cutHead(item.text, share) } : item)),
  }
}

function cutHead(text: string, share: number): string {
  const head = text
    .slice(0, Math.max(MIN_CHARS, Math.floor(text.length * share)))
    .replace(/[\ud800-\udbff]$/, '') // never half a surrogate pair
  return structuredClone(head) // a slice would keep the complete text in memory
}
