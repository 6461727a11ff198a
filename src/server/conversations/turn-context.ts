import { DEFAULT_TENANT } from '../../app/tenants/keys.ts'
import type { Asker } from '../../conversations/turn-work.ts'
import type { RequestContext } from '../http/context.ts'
import { failureToKeep } from '../http/errors.ts'

/** Who asks, as guardrails and accounts are told, and what is kept of what goes wrong. */
export function turnContext(c: RequestContext) {
  return { asker: askerOf(c), failureOf: (error: unknown) => failureToKeep(error, c) }
}

function askerOf(c: RequestContext): Asker {
  const { key, isAdmitted = async () => true, whenRevoked } = c.var
  return { tenant: key?.tenant ?? DEFAULT_TENANT, key: key?.id, isAdmitted, whenRevoked }
}
