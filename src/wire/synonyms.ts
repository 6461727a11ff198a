import { z } from 'zod'
import type { Json } from './schema.ts'

export const synonymsSchema = z.object({
  collection: z.string().describe('Name of the collection.'),
  id: z.string(),
  text: z
    .string()
    .describe(
      'Synonyms, one group per line: terms with commas between them, or `a => b` for one direction. Empty if there are none.',
    ),
  groups: z.int().describe('Number of groups.'),
})
export type SynonymsJson = Json<typeof synonymsSchema>
