import type { Stores } from '../app/tenants/tenants.ts'
import { AppError } from '../errors.ts'
import type { RequestContext } from './http/context.ts'
import type { Routes } from './route.ts'

/** Whether the process answers, and whether it may be asked. */
export function healthRoutes(stores: Pick<Stores, 'opened'>): Routes {
  return {
    'GET /healthz': {
      summary: 'Check that the process is alive',
      answer: 'Health',
      reply: c => c.json({ status: 'ok' }),
    },
    'GET /readyz': {
      summary: 'Check that the service accepts requests',
      answer: 'Health',
      reply: c => tellReadiness(c, stores),
    },
  }
}

/** The server is not about to stop, and the stores that it has open can be used. It has opened one before it listens. */
async function tellReadiness(c: RequestContext, stores: Pick<Stores, 'opened'>): Promise<Response> {
  if (c.var.closing.aborted) throw new AppError('cancelled', 'The server is shutting down.')
  await Promise.all(stores.opened.map(passim => passim.requireUsable()))
  return c.json({ status: 'ready' })
}
