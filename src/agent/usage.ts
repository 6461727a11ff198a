/** Tokens spent, and what they cost where the server says so, in its currency. */
export type Usage = {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
  readonly cost?: number
}

/** The sum of two usages, either of which may be missing. */
export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b
  const cost =
    a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    ...(cost !== undefined && { cost }),
  }
}
