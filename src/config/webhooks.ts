import { z } from 'zod'
import { localizable } from '../errors/localizable.ts'
import { EVENT_TYPES } from '../wire/event.ts'

/** Shorter ones can be guessed (Standard Webhooks 1.0). */
const MIN_SECRET_BYTES = 24
/** Standard Webhooks 1.0. */
const MAX_SECRET_BYTES = 64

const SECRET_FORM = localizable`it has to be whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`

const secretSchema = z.string().refine(
  text => {
    const [, base64 = ''] = /^whsec_([\w+/-]+={0,2})$/.exec(text) ?? []
    const bytes = Buffer.from(base64, 'base64').length
    return bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES
  },
  { error: `${SECRET_FORM}`, params: { reason: SECRET_FORM } },
)

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  secret: secretSchema,
  /** Default: all. */
  events: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  tenant: z.string().min(1).default('default'),
})

export const webhooksSchema = z
  .array(webhookSchema)
  .max(16)
  .refine(
    hooks => new Set(hooks.map(({ url, tenant }) => `${tenant} ${url}`)).size === hooks.length,
    'it names the same URL twice',
  )
  .default([])
