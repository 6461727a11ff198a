import { z } from 'zod'
import type { Passim } from '../app/passim.ts'
import { getDetail } from '../errors/localizable.ts'
import type { Check, DoctorReport } from '../wire/checks.ts'
import { localize, type RequestContext } from './http/context.ts'
import { toFailureJson } from './http/errors.ts'
import { readQuery } from './http/query.ts'
import type { Routes } from './route.ts'

const checksSchema = z.object({
  model: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      '`true` also sends two short requests to the chat model, to see what it can do. Default: `false`.',
    ),
})

export const checkRoutes: Routes = {
  'GET /api/checks': {
    summary: 'Check the models and the storage of the service',
    description: 'Needs the scope `admin`. The settings are those in effect, without secrets.',
    query: checksSchema,
    answer: 'DoctorReport',
    reply: async c => c.json<DoctorReport>(await runChecks(c)),
  },
}

/** Checks under way, which requests share: each opens the models. */
const RUNNING = { true: new WeakMap<Passim, Checks>(), false: new WeakMap<Passim, Checks>() }
type Checks = Promise<DoctorReport>

function shareChecks(passim: Passim, model: 'true' | 'false'): Checks {
  const running = RUNNING[model].get(passim)
  if (running) return running
  const started = passim
    .doctor({ model: model === 'true' })
    .finally(() => RUNNING[model].delete(passim))
  RUNNING[model].set(passim, started)
  return started
}

async function runChecks(c: RequestContext): Promise<DoctorReport> {
  const { model } = readQuery(c, checksSchema)
  const report = await shareChecks(c.var.passim, model)
  const checks = report.checks.map(check => describeCheck(c, check))
  return { ...report, checks }
}

function describeCheck(c: RequestContext, check: Check): Check {
  const { error } = check
  return {
    ...check,
    detail: localize(c, getDetail(check)),
    ...(error && { error: { ...toFailureJson(error, c), code: error.code } }),
  }
}
