import { z } from 'zod'

const skillSchema = z.strictObject({
  name: z.string().min(1),
  instructions: z.string().optional(),
  /** Name or `{ name, ...settings }`. */
  tools: z
    .array(z.union([z.string().min(1), z.looseObject({ name: z.string().min(1) })]))
    .default([]),
})

export const conversationsSchema = z
  .strictObject({
    /** After the last use; 0 keeps it. */
    keepDays: z.number().min(0).max(36_500).default(0),
    /** Stores the last answer of `passim ask`. */
    keepAsked: z.boolean().default(true),
    /** Named by `input_skill_id` of `/api/threads`. */
    skills: z
      .record(z.string().regex(/^\d{1,9}$/, 'has to name each skill by its number'), skillSchema)
      .default({}),
    /** Refused if nobody can give approval. */
    approve: z.array(z.string().min(1)).default([]),
    /** Module with `check` and `charge`, relative to the home. */
    hooks: z.string().min(1).optional(),
  })
  .prefault({})
