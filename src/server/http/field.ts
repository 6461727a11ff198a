import type { RequestContext } from './context.ts'

/** Returns the name of the path parameter, the query parameter or the body field that has this value. */
export function findField(c: RequestContext, value: unknown): string | undefined {
  if (value === undefined) return undefined
  return (
    findIn(c.req.param(), value) ?? findIn(c.req.query(), value) ?? findIn(c.get('received'), value)
  )
}

/** Returns the path of a value. A body is bounded when it is read. */
function findIn(owner: unknown, value: unknown): string | undefined {
  if (typeof owner !== 'object' || owner === null) return undefined
  for (const [key, inner] of Object.entries(owner)) {
    if (inner === value) return key
    const rest = findIn(inner, value)
    if (rest !== undefined) return `${key}.${rest}`
  }
  return undefined
}
