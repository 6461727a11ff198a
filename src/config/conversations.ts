import { z } from 'zod'

const skillSchema = z.strictObject({
  name: z.string().min(1),
  /** What the model is told before a conversation. */
  instructions: z.string().optional(),
  /** Built-in tools by name, or `{ name, ...settings }`, beside the search for documents. */
  tools: z
    .array(z.union([z.string().min(1), z.looseObject({ name: z.string().min(1) })]))
    .default([]),
})

/** How conversations are kept, and what happens in them. */
export const conversationsSchema = z
  .strictObject({
    /** A conversation is deleted for good so many days after its last use; with 0 it is kept. */
    keepDays: z.number().min(0).max(36_500).default(0),
    /** `passim ask` keeps its last answer for `--continue`. */
    keepAsked: z.boolean().default(true),
    /** What `input_skill_id` of `/api/threads` chooses, by number. */
    skills: z
      .record(z.string().regex(/^\d{1,9}$/, 'name a skill by its number'), skillSchema)
      .default({}),
    /** Tools whose calls wait for the user's approval, where a client can give it; elsewhere they are refused. */
    approve: z.array(z.string().min(1)).default([]),
    /** A module whose `check` and `charge` are asked of what is said and called; its place counts from the home. */
    hooks: z.string().min(1).optional(),
  })
  .prefault({})
