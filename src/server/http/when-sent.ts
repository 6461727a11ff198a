import type { RequestContext } from './context.ts'

/** Runs after the last byte or the client's departure; at once without a connection. */
export function runWhenSent({ env }: RequestContext, end: () => void): void {
  const response = env?.outgoing
  if (!response || response.closed) end()
  else response.once('close', end)
}
