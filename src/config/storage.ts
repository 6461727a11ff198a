import { z } from 'zod'

/** An S3 store, for what several machines read. */
const s3Schema = z.strictObject({
  /** Of the service, as `https://s3.eu-central-1.amazonaws.com`. */
  url: z.url({ protocol: /^https?$/ }),
  bucket: z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a bucket'),
  region: z.string().min(1).default('us-east-1'),
  /** Before all keys; ends with a slash. */
  prefix: z
    .string()
    .regex(/^([\w.-]+\/)*$/, 'must be words with a slash after each, as in passim/')
    .default(''),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).optional(),
})

/** A Weaviate, for the index of collections that outgrow a machine. */
const weaviateSchema = z.strictObject({
  /** Of its nodes, as `http://10.0.0.7:8080`: where one does not answer, the next one is asked. */
  urls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  key: z.string().min(1).optional(),
  /** Nodes that each chunk lies on. */
  replicas: z.int().min(1).max(15).default(1),
})

/** Where the catalog is, if not in a file of the home. */
const catalogSchema = z
  .strictObject({
    /** Of a PostgreSQL database, as `postgres://passim:secret@10.0.0.5/passim`. */
    url: z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be an address as postgres://passim:secret@10.0.0.5/passim',
      })
      .optional(),
    /** Which has a schema of this name; those of tenants and keys begin with it. */
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,15}$/, 'must be at most 16 small letters, digits and underscores')
      .default('passim'),
  })
  .prefault({})

/** On this machine's disk, or in the S3 store. */
const placeSchema = z.enum(['folder', 's3']).default('folder')

/** Where originals and what is derived from them lie. */
const contentSchema = z
  .strictObject({
    place: placeSchema,
    /** Most that the copies on this machine's disk may take, in bytes. */
    cacheBytes: z
      .int()
      .min(64 * 2 ** 20)
      .default(10 * 2 ** 30),
  })
  .prefault({})

/** Where the index lies. */
const indexSchema = z.strictObject({ place: placeSchema }).prefault({})

export const storageSettings = {
  catalog: catalogSchema,
  s3: s3Schema.optional(),
  index: indexSchema,
  content: contentSchema,
  weaviate: weaviateSchema.optional(),
}
