import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'
import type { Settings } from '../../config.ts'
import { localizable, type Sentence } from '../../errors/localizable.ts'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import { AppError } from '../../errors.ts'
import { checkFilter } from '../../search/filter-text.ts'
import { hashParts } from '../../system/digest.ts'
import type { Key } from './keys.ts'

type TokenSettings = NonNullable<Settings['server']['tokens']>

/** Keeps a header of a request small. */
const MAX_TOKEN_CHARS = 8_192
const MAX_NAME_CHARS = 256
const MAX_NAMES = 256

const nameSchema = z.string().min(1).max(MAX_NAME_CHARS)

const headerSchema = z.object({ alg: z.string(), crit: z.undefined().optional() })

const claimsSchema = z.object({
  sub: nameSchema,
  exp: z.number(),
  nbf: z.number().optional(),
  iat: z.number().optional(),
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  groups: z.array(nameSchema).max(MAX_NAMES).default([]),
  collections: z.array(nameSchema).max(MAX_NAMES).optional(),
  filter: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
})

type Claims = z.infer<typeof claimsSchema>

/** A JSON Web Token in its compact form (RFC 7519). */
export function isToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}

/**
 * Returns the read key of a user whose gateway signed the token. Throws `unauthorized` with the
 * reason.
 */
export function readToken(token: string, settings: TokenSettings): Key {
  const [head = '', body = '', signature = ''] = token.split('.')
  if (token.length > MAX_TOKEN_CHARS)
    throw createRefusal(localizable`it has more than ${MAX_TOKEN_CHARS} characters`)
  const { alg } = parsePart(headerSchema, head)
  if (alg !== settings.algorithm)
    throw createRefusal(localizable`its algorithm is ${alg}, not ${settings.algorithm}`)
  if (!isSigned(`${head}.${body}`, Buffer.from(signature, 'base64url'), settings))
    throw createRefusal('its signature is wrong')
  const claims = parsePart(claimsSchema, body)
  requireValid(claims, settings)
  return toKey(claims, settings)
}

function isSigned(
  text: string,
  signature: Buffer,
  { algorithm, key }: Pick<TokenSettings, 'algorithm' | 'key'>,
): boolean {
  if (algorithm === 'EdDSA') return verify(null, Buffer.from(text), createPublicKey(key), signature)
  const expected = createHmac('sha256', key).update(text).digest()
  return expected.length === signature.length && timingSafeEqual(expected, signature)
}

function parsePart<Part>(schema: z.ZodType<Part>, part: string): Part {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    throw createRefusal('it is not JSON')
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const { field, what } = describeSchemaFault(parsed.error)
  throw createRefusal(localizable`${field} ${what}`)
}

function requireValid({ exp, nbf, iss, aud }: Claims, { issuer, audience }: TokenSettings): void {
  const now = Date.now()
  if (exp * 1000 <= now) throw createRefusal('it has expired')
  if (nbf !== undefined && nbf * 1000 > now) throw createRefusal('it is not valid yet')
  if (issuer !== undefined && iss !== issuer) throw createRefusal('its issuer is another')
  if (audience !== undefined && ![aud].flat().includes(audience))
    throw createRefusal('it is for another audience')
}

/** The id depends on all rights, so that nobody gets an answer stored for others. */
function toKey(
  { sub, groups, exp, iat, collections, filter }: Claims,
  settings: TokenSettings,
): Key {
  const readers = [`user:${sub}`, ...groups.map(group => `group:${group}`)]
  const access = { collections, filter: filter === undefined ? filter : checkFilter(filter) }
  return {
    id: `user_${hashParts(JSON.stringify([readers, access]))}`,
    name: sub,
    tenant: settings.tenant,
    scope: 'read',
    createdAt: (iat ?? exp) * 1000,
    expiresAt: exp * 1000,
    readers,
    ...access,
  }
}

function createRefusal(reason: Sentence): AppError {
  return new AppError('unauthorized', localizable`The token is refused: ${reason}.`)
}
