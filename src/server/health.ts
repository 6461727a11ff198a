import { AppError } from '../errors.ts'
import type { RequestContext } from './context.ts'

/** `GET /healthz`: the process answers. */
export function answerHealth(c: RequestContext): Response {
  return c.json({ status: 'ok' })
}

/** `GET /readyz`: the server is not about to stop. It has opened its store before it listens. */
export function answerReadiness(c: RequestContext): Response {
  if (c.var.closing.aborted) throw new AppError('cancelled', 'The server is shutting down.')
  return c.json({ status: 'ready' })
}
