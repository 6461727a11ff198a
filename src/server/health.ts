import type { Stores } from '../app/tenants.ts'
import { AppError } from '../errors.ts'
import type { RequestContext } from './context.ts'

/** `GET /healthz`: the process answers. */
export function answerHealth(c: RequestContext): Response {
  return c.json({ status: 'ok' })
}

/** `GET /readyz`: the server is not about to stop, and the stores that it has open can be used. It has opened one before it listens. */
export function readiness(stores: Pick<Stores, 'opened'>) {
  return async (c: RequestContext): Promise<Response> => {
    if (c.var.closing.aborted) throw new AppError('cancelled', 'The server is shutting down.')
    await Promise.all(stores.opened.map(passim => passim.requireUsable()))
    return c.json({ status: 'ready' })
  }
}
