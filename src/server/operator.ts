import type { AskOptions } from '../app/answering.ts'
import { allows, DEFAULT_TENANT } from '../app/keys.ts'
import type { RequestContext } from './context.ts'

/** Whoever runs this machine asks: nobody else may use its folders, nor the servers that it is set to use. */
export function isOperator(c: RequestContext): boolean {
  const { key } = c.var
  return !key || (key.tenant === DEFAULT_TENANT && allows(key.scope, 'write'))
}

/** The tools of configured MCP servers are the operator's; with a key that reads, only those that read. */
export function outsideTools(c: RequestContext): NonNullable<AskOptions['outsideTools']> {
  if (isOperator(c)) return 'all'
  return c.var.key?.tenant === DEFAULT_TENANT ? 'read-only' : 'none'
}
