/** Returns a longer fence than any in the text, so that no content can end its own quotation. */
export function createFence(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
}
