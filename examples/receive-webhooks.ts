/**
 * Receive events of a service, whose settings name the address and the secret under `webhooks`:
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx examples/receive-webhooks.ts 8080
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { components } from '../client/api.ts'

type StoreEvent = components['schemas']['Event']

/** Older requests may be copies of another sender. */
const MAX_AGE_SECONDS = 300

/** Checks a signature of Standard Webhooks. */
export function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) < MAX_AGE_SECONDS)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest()
  return String(signatures)
    .split(' ')
    .map(signature => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some(actual => actual.length === expected.length && timingSafeEqual(actual, expected))
}

/** Answers 2xx once an event is handled; an id that comes again is not handled again. */
export function createReceiver(
  secret: string,
  handle: (event: StoreEvent) => Promise<void> | void,
): Server {
  const handled = new Set<string>() // a program of several processes stores them
  return createServer(async (request, response) => {
    try {
      const body = await text(request)
      if (!isSigned(request.headers, body, secret)) return response.writeHead(401).end()
      const event = JSON.parse(body) as StoreEvent // signed by the service
      if (!handled.has(event.id)) await handle(event)
      handled.add(event.id)
      return response.writeHead(204).end()
    } catch {
      return response.writeHead(500).end() // it is sent again
    }
  })
}

if (process.argv[1] === import.meta.filename) {
  const secret = process.env.WEBHOOK_SECRET
  if (secret === undefined) throw new Error('Set WEBHOOK_SECRET.')
  const show = ({ type, data }: StoreEvent) => console.log(type, data)
  createReceiver(secret, show).listen(Number(process.argv[2] ?? 8080), '127.0.0.1')
}
