import type { RequestContext } from './context.ts'

export function runWhenSent({ env }: RequestContext, end: () => void): void {
  const response = env?.outgoing
  if (!response || response.closed) end()
  else response.once('close', end)
}
