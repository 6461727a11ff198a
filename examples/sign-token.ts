/**
 * Sign a token with which a user of your gateway sees the documents whose attribute `readers` names the user or a group.
 * The service has the same key, of 32 bytes or more, and the setting `server.tokens.algorithm: HS256`:
 *
 *   PASSIM_TOKEN_KEY=… npx tsx examples/sign-token.ts ann hr,staff
 */
import { createHmac } from 'node:crypto'

type User = { readonly name: string; readonly groups: readonly string[] }

/** Valid for ten minutes: a user who leaves a group keeps its rights until then. */
const LIFETIME_SECONDS = 600

export function signToken({ name, groups }: User, key: string): string {
  const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS
  const parts = [{ alg: 'HS256' }, { sub: name, groups, exp }]
  const text = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

if (process.argv[1] === import.meta.filename) {
  const [, , name, groups] = process.argv
  const key = process.env.PASSIM_TOKEN_KEY
  if (name === undefined || key === undefined)
    throw new Error('Name a user, and set PASSIM_TOKEN_KEY.')
  console.log(signToken({ name, groups: groups?.split(',') ?? [] }, key))
}
