import type { RequestContext } from './context.ts'

export function findField(c: RequestContext, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const owners = [c.req.param(), c.req.query(), c.get('received')]
  const [field, ...others] = owners.flatMap(owner => listFields(owner, value))
  return others.length === 0 ? field : undefined
}

export function findFirstField(c: RequestContext, value: unknown): string | undefined {
  return listFields(c.get('received'), value)[0]
}

function listFields(owner: unknown, value: unknown): readonly string[] {
  if (typeof owner !== 'object' || owner === null) return []
  return Object.entries(owner).flatMap(([key, inner]) =>
    inner === value ? [key] : listFields(inner, value).map(rest => `${key}.${rest}`),
  )
}
