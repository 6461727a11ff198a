import { z } from 'zod'
import { placedBoxSchema } from './document.ts'
import { placeShape } from './hit.ts'
import type { Json } from './schema.ts'

const foundPlaceSchema = z.object({
  ...placeShape,
  doc: z.string().describe('Base name of the source.'),
  title: z.string(),
  similarity: z
    .number()
    .describe(
      'Share of the letters and digits of the quotation that the place contains (0 to 1); of a picture with many lines, of a sample of them.',
    ),
  boxes: z
    .array(placedBoxSchema)
    .describe('Boxes of the lines at this place, in formats that have pages.'),
})

export const findSchema = z.object({
  places: z
    .array(foundPlaceSchema)
    .describe('Places, most similar first. Empty if no document contains the text.'),
  seconds: z.number(),
})
export type FindJson = Json<typeof findSchema>
