export function createFence(text: string): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
}

export function fenceText(text: string): string {
  const fence = createFence(text)
  return `${fence}\n${text}\n${fence}`
}
