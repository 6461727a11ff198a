/** Yields the thread for long texts. */
export interface TextTokens {
  count(text: string, signal?: AbortSignal): Promise<number>
  cutHead(text: string, maxTokens: number, signal?: AbortSignal): Promise<string>
  cutTail(text: string, maxTokens: number, signal?: AbortSignal): Promise<string>
}

/** Rarely exceeded, so that estimates are high. */
const CHARS_PER_TOKEN = 3

export const GUESSED_TOKENS: TextTokens = {
  count: async text => Math.ceil(text.length / CHARS_PER_TOKEN),
  cutHead: async (text, maxTokens) =>
    text.slice(0, maxTokens * CHARS_PER_TOKEN).replace(/[\ud800-\udbff]$/, ''),
  cutTail: async (text, maxTokens) =>
    text
      .slice(Math.max(0, text.length - maxTokens * CHARS_PER_TOKEN))
      .replace(/^[\udc00-\udfff]/, ''),
}

const GAP = '...'

type ShortenOptions = {
  readonly maxTokens: number
  readonly tokens: TextTokens
  readonly keep?: 'head' | 'both'
  readonly signal?: AbortSignal | undefined
}

/** Returns the beginning, or with `both` beginning and end around dots. */
export async function shortenText(
  text: string,
  { maxTokens, tokens, keep = 'head', signal }: ShortenOptions,
): Promise<string> {
  if ((await tokens.count(text, signal)) <= maxTokens) return text
  const forEnds = maxTokens - (await tokens.count(GAP))
  if (keep === 'head' || forEnds <= 0) return await tokens.cutHead(text, maxTokens, signal)
  const before = Math.floor(forEnds / 2)
  return (
    (await tokens.cutHead(text, before, signal)) +
    GAP +
    (await tokens.cutTail(text, forEnds - before, signal))
  )
}
