import type { Stores } from '../app/tenants/tenants.ts'
import { AppError } from '../errors.ts'
import type { RequestContext } from './http/context.ts'
import type { Routes } from './route.ts'

export function createHealthRoutes(stores: Pick<Stores, 'opened'>): Routes {
  return {
    'GET /healthz': {
      summary: 'Check that the process is alive',
      answer: 'Health',
      reply: c => c.json({ status: 'ok' }),
    },
    'GET /readyz': {
      summary: 'Check that the service accepts requests',
      answer: 'Health',
      reply: c => reportReadiness(c, stores),
    },
  }
}

async function reportReadiness(
  c: RequestContext,
  stores: Pick<Stores, 'opened'>,
): Promise<Response> {
  if (c.var.closing.aborted) throw new AppError('cancelled', 'The server is shutting down.')
  await Promise.all(stores.opened.map(passim => passim.requireUsable()))
  return c.json({ status: 'ready' })
}
