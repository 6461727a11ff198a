import { z } from 'zod'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

export const s3Schema = z.strictObject({
  /** Endpoint such as `https://s3.eu-central-1.amazonaws.com`. */
  url: z.url({ protocol: /^https?$/ }),
  bucket: z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a bucket'),
  region: z.string().min(1).default('us-east-1'),
  /** Prefix of all keys, with a final slash. */
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*$/, 'must be words with a slash after each, as in passim/')
    .default(''),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).optional(),
})

const weaviateSchema = z.strictObject({
  /** Nodes such as `http://10.0.0.7:8080`; the next one is tried on failure. */
  urls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  key: z.string().min(1).optional(),
  /** Copies of each chunk. */
  replicas: z.int().min(1).max(15).default(1),
})

const catalogSchema = z
  .strictObject({
    /** URL such as `postgres://passim:secret@10.0.0.5/passim`. */
    url: z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be an address as postgres://passim:secret@10.0.0.5/passim',
      })
      .optional(),
    /** Prefix of the schemas of tenants and keys. */
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,15}$/, 'must be at most 16 small letters, digits and underscores')
      .default('passim'),
  })
  .prefault({})

/** Local disk or S3. */
const placeSchema = z.enum(['folder', 's3']).default('folder')

const contentSchema = z
  .strictObject({
    place: placeSchema,
    /** Local copies. */
    cacheBytes: z
      .int()
      .min(64 * 2 ** 20)
      .default(10 * 2 ** 30),
  })
  .prefault({})

const indexSchema = z.strictObject({ place: placeSchema }).prefault({})

export const storageSettings = {
  catalog: catalogSchema,
  s3: s3Schema.optional(),
  index: indexSchema,
  content: contentSchema,
  weaviate: weaviateSchema.optional(),
}

/** Between the schema of the service and the name of a tenant. */
export const TENANT_INFIX = '_tenant_'

/** Length of a schema name: the limit of PostgreSQL. */
const MAX_SCHEMA_NAME = 63

type Catalog = z.infer<typeof catalogSchema>

/** Throws `invalid_input` if the name is too long for a schema. */
export function selectTenantCatalog({ url, schema }: Catalog, tenant: string): Catalog {
  const prefix = `${schema}${TENANT_INFIX}`
  const maxChars = MAX_SCHEMA_NAME - prefix.length
  if (url !== undefined && tenant.length > maxChars)
    throw new AppError(
      'invalid_input',
      localizable`Tenant ${tenant}: its name can have at most ${maxChars} characters in this database.`,
    )
  return { url, schema: `${prefix}${tenant}` }
}
