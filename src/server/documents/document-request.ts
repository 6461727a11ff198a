import { z } from 'zod'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import { MAX_EXTERNAL_ID_CHARS } from '../../ingest/store/catalog/external-id.ts'
import { attributesInputSchema } from './attributes.ts'

/** Protects the list of documents, which shows them. */
const MAX_TITLE_CHARS = 500
const MAX_URL_CHARS = 2_000
const MAX_LANGUAGE_CHARS = 35

const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TITLE_CHARS)
  .describe(
    'Title of the document (1 to 500 characters). Default: the title that its text states, else its id.',
  )

const languageSchema = z
  .string()
  .max(MAX_LANGUAGE_CHARS)
  .refine(isLanguageTag, { error: 'A language is a BCP 47 tag, such as en or zh-Hans' })
  .describe(
    'Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text.',
  )

const urlSchema = z
  .string()
  .max(MAX_URL_CHARS)
  .refine(looksLikeUrl, { error: 'The address must begin with http:// or https://' })
  .describe('Address where people read the document (at most 2,000 characters). It is not fetched.')

const factsShape = {
  title: titleSchema.optional(),
  attributes: attributesInputSchema
    .optional()
    .describe('Attributes of the document, to filter by (at most 16).'),
  language: languageSchema.optional(),
  url: urlSchema.optional(),
}

const recordSchema = z.record(
  z.string().min(1).max(256),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
)

/** Exactly one is given. */
const contentShape = {
  text: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`.',
    ),
  markdown: z.string().min(1).optional().describe('Content as Markdown, in place of `text`.'),
  html: z.string().min(1).optional().describe('An HTML page, or a part of one.'),
  records: z
    .array(recordSchema)
    .min(1)
    .optional()
    .describe('Flat objects, which become the rows of one table. Their keys are its columns.'),
}

export const addDocumentSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(MAX_EXTERNAL_ID_CHARS)
    .optional()
    .describe(
      'Your own id of the document (1 to 512 characters), unique in the collection: the same id again replaces the document. Default: a new id.',
    ),
  ...contentShape,
  ...factsShape,
})

export const putDocumentSchema = z.strictObject({ ...contentShape, ...factsShape })

export const putFormSchema = z.strictObject(factsShape)

export const putQuerySchema = z.object({
  name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'File name of a body that is the file itself (at most 255 characters). Default: the id.',
    ),
  ...factsShape,
})

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false // RangeError: no tag
  }
}
