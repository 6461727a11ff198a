import { type Message, textContent } from '../message.ts'

/** Qwen-Agent's. */
export const DEFAULT_MAX_INPUT_TOKENS = 58_000

/** More than a token has in any language: o200k takes 4.5 bytes of English for one, and 4 of Chinese. */
const BYTES_PER_TOKEN = 8

/** What a message has besides its text, roughly. */
const MESSAGE_BYTES = 64

/** What is left of a text that is cut, at least. */
const MIN_CHARS = 200

/** How much of a conversation is worth reading for a model that takes so many tokens, 0 for any length. */
export function estimateReadableBytes(maxInputTokens = DEFAULT_MAX_INPUT_TOKENS): number {
  return maxInputTokens > 0 ? maxInputTokens * BYTES_PER_TOKEN : Number.POSITIVE_INFINITY
}

/**
 * The last turns of a conversation, in about `maxBytes` of text, oldest first, so that what no model will see is not counted
 * and not sent on. The turn that does not fit any more has its texts cut, the newest last; those before it are left out.
 * System messages stay whole.
 */
export function selectRecentTurns(
  messages: readonly Message[],
  maxBytes: number,
): readonly Message[] {
  const kept: Message[] = []
  let left = maxBytes
  let isFull = false
  for (const message of messages.toReversed()) {
    if (message.role === 'system') kept.push(message)
    if (message.role === 'system' || isFull) continue
    const bytes = measureBytes(message)
    kept.push(bytes <= left ? message : cutText(message, Math.max(0, left / bytes)))
    left -= bytes
    isFull = left <= 0 && message.role === 'user'
  }
  return kept.toReversed()
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

/** The first part of every text, as large a share of it as is said, and in any case a few words. */
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
    .replace(/[\ud800-\udbff]$/, '') // never half a character
  return structuredClone(head) // a slice would hold the whole text in memory while the model answers
}
