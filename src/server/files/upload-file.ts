import { z } from 'zod'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { receivePart } from '../http/multipart.ts'
import { PURPOSES_SERVED } from '../http/parameters.ts'
import { checkTexts } from '../http/query.ts'

/** Excludes `evals`, which OpenAI accepts but never returns in a file object. */
export const purposeSchema = z
  .enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data'], {
    error: ({ input }) => (input === 'evals' ? PURPOSES_SERVED : undefined),
  })
  .describe(
    'Purpose of the file. Batches need `batch`; otherwise it only matters for listing files by purpose.',
  )

export const fileExpirySchema = z.strictObject({
  anchor: z.literal('created_at').describe('Time from which the seconds count: the creation.'),
  seconds: z
    .int()
    .min(3_600)
    .max(2_592_000)
    .describe('Seconds until the file expires (3,600 to 2,592,000).'),
})

export const uploadFormSchema = z.strictObject({
  purpose: purposeSchema,
  expires_after: fileExpirySchema
    .optional()
    .describe(
      'When the file expires: 3,600 to 2,592,000 seconds after its creation. Default: never.',
    ),
})

export function toLifetimeMs(
  expiry: z.output<typeof fileExpirySchema> | undefined,
): number | undefined {
  return expiry && expiry.seconds * 1000
}

/** Stores the `file` part, or nothing if it throws. */
export async function receiveFile(c: RequestContext): Promise<StoredFile> {
  const { files, settings } = c.var.passim
  const options = { part: 'file', maxBytes: settings.server.maxUploadBytes }
  return await receivePart(c, options, async ({ name, mediaType: declaredType, bytes, fields }) => {
    if (!name) throw createInvalid('The file has no name: give its part a filename.', 'file')
    const describe = async () => {
      const { purpose, expires_after } = checkTexts(uploadFormSchema, nestFields(await fields))
      return { name, purpose, lifetimeMs: toLifetimeMs(expires_after), declaredType }
    }
    return await files.upload(bytes, describe, c.var.signal)
  })
}

/** Nests fields such as `expires_after[seconds]`. Empty fields count as absent. */
function nestFields(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (value === '') continue
    if (!outer || !inner) body[name] = value
    else body[outer] = { ...(body[outer] as object | undefined), [inner]: value }
  }
  return body
}
