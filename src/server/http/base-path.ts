import type { MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import type { ServerEnv } from './context.ts'

/** Leaves other paths as they are, for health checks beside the proxy. */
export function createPathReader(basePath: string | undefined): (request: Request) => string {
  if (basePath === undefined) return getPath
  return request => {
    const path = getPath(request)
    if (path === basePath) return '/'
    return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  }
}

/** Sends browsers to the folder that relative URLs start from. */
export function addSlash(basePath: string): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (c.req.method === 'GET' && getPath(c.req.raw) === basePath)
      return c.redirect(`${basePath}/`, 308)
    return await next()
  }
}
