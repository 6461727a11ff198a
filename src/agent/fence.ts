/** A code fence that is longer than any run of backticks in the text, so that no content can end its own quotation. */
export function createFence(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
}
