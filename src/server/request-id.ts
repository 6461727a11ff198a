import { randomUUID } from 'node:crypto'

/** What a client and the log call a request by. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
