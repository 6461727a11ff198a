import type { TextTokens } from '../../src/agent/tokens/text-tokens.ts'

/** Cuts the texts of the golden cases as the peer's vocabulary does: a digit, a word with the space before it, the dots. */
function tokensOf(text: string): readonly string[] {
  return text.match(/\.\.\.|\d| ?[a-z]+|[\s\S]/g) ?? []
}

export const goldenTokens: TextTokens = {
  count: async text => tokensOf(text).length,
  cutHead: async (text, maxTokens) => tokensOf(text).slice(0, maxTokens).join(''),
  cutTail: async (text, maxTokens) =>
    maxTokens <= 0 ? '' : tokensOf(text).slice(-maxTokens).join(''),
}
