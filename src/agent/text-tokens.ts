import type { TokenCounter } from '../ingest/tokens.ts'

/** Counts tokens as a chat model would, and cuts texts between them. */
export interface TextTokens extends TokenCounter {
  /** The longest beginning of at most so many tokens. */
  head(text: string, maxTokens: number): string
  /** The longest end of at most so many tokens. */
  tail(text: string, maxTokens: number): string
}

const GAP = '...'

/** The beginning of the text, or with `both` its beginning and its end with dots between, in at most `maxTokens`. */
export function shorten(text: string, maxTokens: number, tokens: TextTokens, keep: 'head' | 'both' = 'head'): string {
  if (tokens.count(text) <= maxTokens) return text
  const forEnds = maxTokens - tokens.count(GAP)
  if (keep === 'head' || forEnds <= 0) return tokens.head(text, maxTokens)
  const before = Math.floor(forEnds / 2)
  return tokens.head(text, before) + GAP + tokens.tail(text, forEnds - before)
}
