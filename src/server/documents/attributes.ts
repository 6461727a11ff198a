import { z } from 'zod'

export const attributesInputSchema = z
  .record(z.string().max(64), z.union([z.string().max(512), z.number(), z.boolean()]))
  .refine(attributes => Object.keys(attributes).length <= 16, 'has more than 16 keys')
