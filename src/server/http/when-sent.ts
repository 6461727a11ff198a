import type { RequestContext } from './context.ts'

/** Calls once the last byte of the answer is out, or its client gone; at once where no connection is behind it. */
export function whenSent({ env }: RequestContext, end: () => void): void {
  const response = env?.outgoing
  if (!response || response.closed) end()
  else response.once('close', end)
}
