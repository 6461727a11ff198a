import { z } from 'zod'
import { MAX_PLACES, MAX_QUOTATION_CHARS } from '../../app/searching/find-quotation.ts'
import { isDataUri } from '../../system/data-uri.ts'
import type { FindJson } from '../../wire/find.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { showSources } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { scopeShape } from '../scope-shape.ts'

const findSchema = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(MAX_QUOTATION_CHARS)
      .optional()
      .describe('Quotation to find (1 to 20,000 characters); or `image`.'),
    image: z
      .string()
      .refine(isDataUri, { error: 'The image must be a data URI: data:image/png;base64,…' })
      .optional()
      .describe('Picture of a page as a data URI, which OCR reads; or `text`.'),
    collections: scopeShape.collections.describe(
      'Names or ids of the collections to search (at most 256). Default: all collections.',
    ),
    limit: z
      .int()
      .min(1)
      .max(MAX_PLACES)
      .optional()
      .describe('Maximum number of places to return (1 to 100, default 5).'),
  })
  .refine(({ text, image }) => (text === undefined) !== (image === undefined), {
    error: 'Give either text or image',
  })

export const findRoutes: Routes = {
  'POST /api/find': {
    summary: 'Find where a quotation or a picture of a page comes from',
    description:
      'Ignores line breaks, hyphens, the width of characters, and Traditional or Simplified Chinese, and tolerates small mistakes such as those of OCR. Returns the same JSON as `passim find --json`.',
    body: findSchema,
    example: { text: 'A hotel costs at most 140 euros a night.', collections: ['travel'] },
    answer: 'Found',
    reply: find,
  },
}

async function find(c: RequestContext): Promise<Response> {
  const { image, ...query } = await readBody(c, findSchema)
  const file = image === undefined ? {} : { file: image }
  const { places, ...found } = await c.var.passim.find({ ...query, ...file, signal: c.var.signal })
  return streamJson<FindJson>(c, { ...found, places: showSources(c, places) })
}
