export function createFence(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
}
