import { z } from 'zod'
import { errorSchema, failureSchema, warningSchema } from './error.ts'
import { placeShape } from './hit.ts'
import { attributesSchema, type Json, pageEnd, pageRange, time } from './schema.ts'

export const boxSchema = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('x0, y0, x1 and y1 in PDF points from the top left of the page.')
export type BoxJson = Json<typeof boxSchema>

export const placedBoxSchema = z.object({
  page: z.int(),
  charStart: z.int(),
  charEnd: z.int(),
  box: boxSchema,
})

const pageReportSchema = z.object({
  page: z.int().describe('Number of the page, from 1.'),
  characters: z.int(),
  images: z.int(),
  garbled: z.number().describe('Share of characters that are unreadable (0 to 1).'),
  label: z.string().optional().describe('Page label that the document states, such as `iv`.'),
  ocr: z
    .object({
      engine: z.enum(['tesseract', 'pp-ocr']),
      confidence: z.number().describe('Mean confidence of OCR on the page (0 to 1).'),
    })
    .optional()
    .describe('Present if the page was read by OCR.'),
})

const statedMetadataSchema = z
  .object({
    title: z.string().optional(),
    author: z.string().optional(),
    subject: z.string().optional(),
    keywords: z.string().optional(),
    created: z.string().optional().describe('Date or time in ISO 8601.'),
    modified: z.string().optional().describe('Date or time in ISO 8601.'),
    language: z.string().optional().describe('Language as a BCP 47 tag, such as `en`.'),
    charset: z.string().optional(),
    pages: z.int().optional(),
  })
  .describe('Metadata that the document itself states.')

export const documentSchema = z.object({
  id: z.string(),
  collectionId: z.string(),
  fileId: z.string(),
  source: z
    .string()
    .describe(
      'Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document.',
    ),
  externalId: z
    .string()
    .optional()
    .describe('Id that the caller gave the document, unique in its collection.'),
  hash: z.string().describe("SHA-256 of the document's bytes, in hex."),
  parentId: z.string().optional().describe('Id of the document that this one is attached to.'),
  name: z.string().describe('Base name of the source.'),
  title: z.string(),
  url: z.string().optional().describe('Address where people read it, as the caller stated it.'),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  searchable: z
    .enum(['words', 'all'])
    .optional()
    .describe(
      '`words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it.',
    ),
  mediaType: z.string(),
  bytes: z.int(),
  pages: z.int().optional().describe('Number of pages, in formats that have pages.'),
  chunks: z.int(),
  tokens: z.int(),
  attributes: attributesSchema.describe('Attributes that the user set, to filter by.'),
  metadata: statedMetadataSchema,
  warnings: z.array(warningSchema),
  error: failureSchema.optional().describe('Reason why indexing failed.'),
  createdAt: time,
  indexedAt: time.optional(),
})
export type DocumentJson = Json<typeof documentSchema>

const chunkEditsSchema = z
  .object({
    excluded: z.int().describe('Number of chunks that are switched off.'),
    notes: z.int().describe('Number of chunks with a note.'),
    unmatched: z
      .int()
      .describe('Number of changed chunks whose text is no chunk any more. They have no effect.'),
  })
  .describe('Chunks that users switched off or added notes to. Absent if there are none.')
export type ChunkEditsJson = Json<typeof chunkEditsSchema>

export const reportedDocumentSchema = documentSchema.extend({
  collection: z.string().describe('Name of the collection of the document.'),
  characters: z.int().optional().describe('Length of the parsed text in UTF-16 units.'),
  report: z.array(pageReportSchema).optional().describe('Extraction report of each page.'),
  chunkEdits: chunkEditsSchema.optional(),
})
export type ReportedDocumentJson = Json<typeof reportedDocumentSchema>

const putShape = {
  collection: z.string().describe('Name of the collection of the document.'),
  result: z
    .enum(['created', 'replaced', 'updated', 'unchanged'])
    .describe(
      '`replaced`: the new content is being indexed. `updated`: only attributes changed. `unchanged`: nothing changed.',
    ),
}

/** A document that was put, before it is indexed. */
export const putDocumentSchema = documentSchema.extend(putShape)
export type PutDocumentJson = Json<typeof putDocumentSchema>

export const externalDocumentPageSchema = z.object({
  collection: z.string().describe('Name of the collection.'),
  documents: z
    .array(
      z.object({
        id: z.string().describe('Your id of the document.'),
        documentId: z.string().describe('Id for the routes below `/api/documents`.'),
        hash: documentSchema.shape.hash,
        status: documentSchema.shape.status,
      }),
    )
    .describe('Documents that have an id of yours, ordered by it.'),
  ...pageEnd,
})
export type ExternalDocumentPageJson = Json<typeof externalDocumentPageSchema>

export const deletedDocumentsSchema = z.object({
  matched: z.int().describe('Number of selected documents. Without `dryRun` it stops at 1,001.'),
  deleted: z.int().describe('Number of deleted documents.'),
  missing: z.array(z.string()).describe('Ids of the request without a document.'),
  warnings: z.array(warningSchema).describe('Attributes of the filter that no document has.'),
  hasMore: z.boolean().describe('True if more documents match: send the request again.'),
})
export type DeletedDocumentsJson = Json<typeof deletedDocumentsSchema>

/** Short, because a client may read it late. */
export const putDocumentLineSchema = z.object({
  line: z.int().describe('Number of the line, from 1.'),
  id: z.string().optional().describe('Your id of the document, or the new one.'),
  documentId: z.string().optional().describe('Id for the routes below `/api/documents`.'),
  hash: documentSchema.shape.hash.optional(),
  result: putShape.result.optional(),
  error: errorSchema.shape.error.optional().describe('Reason why this line was refused.'),
})
export type PutDocumentLineJson = Json<typeof putDocumentLineSchema>

/** Documents of several collections, as `passim list --json` prints them. */
export const documentListSchema = z.object({
  documents: z.array(
    documentSchema.extend({
      collection: z.string().describe('Name of the collection of the document.'),
    }),
  ),
})
export type DocumentListJson = Json<typeof documentListSchema>

/** Written by `passim show --text --json`. */
export const documentTextSchema = z.object({
  id: z.string(),
  source: z.string(),
  text: z.string(),
})
export type DocumentTextJson = Json<typeof documentTextSchema>

export const documentPageSchema = z.object({
  collection: z.string(),
  documents: z.array(documentSchema).describe('Documents, ordered by source.'),
  ...pageEnd,
})
export type DocumentPageJson = Json<typeof documentPageSchema>

const blockSchema = z.object({
  kind: z.enum(['heading', 'paragraph', 'list', 'table', 'code', 'caption', 'listing']),
  text: z.string(),
  level: z.int().optional().describe('Level of a heading (1 to 6, where 1 is the top).'),
  page: z.int().optional().describe('Number of the page, from 1, in formats that have pages.'),
  box: boxSchema.optional(),
  lines: z
    .array(z.object({ start: z.int(), end: z.int(), box: boxSchema }))
    .optional()
    .describe('Printed lines, with their offsets in the text of the block.'),
  rows: z
    .array(z.array(z.string()))
    .optional()
    .describe('Rows of a table, header first. Merged cells are repeated.'),
  isContinued: z.boolean().optional().describe('True if the table continues the previous one.'),
  numbers: z
    .enum(['native', 'semicolons'])
    .optional()
    .describe(
      'Number format of a table. `native`: its numbers are typed values. `semicolons`: semicolons separate its cells.',
    ),
  textNumbers: z
    .array(z.tuple([z.int(), z.int()]))
    .optional()
    .describe('Row and column, from 0, of the cells that are text in a table of typed numbers.'),
  links: z.array(z.string()).optional().describe('Targets of links that the text does not show.'),
  linkShare: z
    .number()
    .optional()
    .describe("Share of the block's characters that are in links (0 to 1)."),
  charStart: z.int(),
  charEnd: z.int(),
})
export type BlockJson = Json<typeof blockSchema>

export const readPageSchema = z.object({
  document: z.string().describe('Id of the document.'),
  doc: z.string().describe("Base name of the document's source."),
  page: z.int().describe('Number of the page, from 1.'),
  pages: z.int().optional().describe('Number of pages of the document.'),
  size: z
    .object({ width: z.number(), height: z.number() })
    .optional()
    .describe('Size of the page in the unit of the boxes, if a picture can be made of it.'),
  picture: z
    .string()
    .optional()
    .describe("Path of the page's picture on this service, if one can be made."),
  text: z.string(),
  blocks: z.array(blockSchema),
  report: pageReportSchema.optional(),
  warnings: z.array(warningSchema).describe('Warnings about this page.'),
})
export type ReadPageJson = Json<typeof readPageSchema>

export const blocksSchema = z.object({
  blocks: z.array(blockSchema),
  hasMore: pageEnd.hasMore,
  last: z.int().optional().describe('Value of `after` for the next page.'),
})
export type BlocksJson = Json<typeof blocksSchema>

export const passageSchema = z.object({
  ...placeShape,
  doc: z.string().describe('Base name of the source.'),
  title: z.string(),
  boxes: z
    .array(placedBoxSchema)
    .describe('Boxes of the lines that contain the words, in formats that have pages.'),
})
export type PassageJson = Json<typeof passageSchema>

/** Written by `passim parse --json`. */
export const parsedFileSchema = z.object({
  file: z.string(),
  mediaType: z.string(),
  title: z.string(),
  pages: z.int().nullable().describe('Number of pages, in formats that have pages.'),
  metadata: statedMetadataSchema,
  warnings: z.array(warningSchema),
  attachments: z.array(z.object({ name: z.string(), bytes: z.int() })),
  report: z.array(pageReportSchema),
  blocks: z.array(blockSchema.omit({ lines: true })),
})
export type ParsedFileJson = Json<typeof parsedFileSchema>

/** Written by `passim parse` and `passim chunks`. */
export const unreadFileSchema = z.object({ file: z.string(), error: failureSchema })
export type UnreadFileJson = Json<typeof unreadFileSchema>

export const chunkSchema = z.object({
  id: z.string(),
  text: z.string(),
  context: z
    .string()
    .describe('Title, headings and table header: indexed and shown to models, never cited.'),
  headings: z.array(z.string()),
  tokens: z.int(),
  pages: pageRange.optional(),
  charStart: z.int(),
  charEnd: z.int(),
  isListing: z.literal(true).optional(),
  isExcluded: z
    .literal(true)
    .optional()
    .describe('Present if a user switched the chunk off: no search or answer finds it.'),
  note: z
    .string()
    .optional()
    .describe('Note that a user added. It is searched, and is no text of the document.'),
})
export type ChunkJson = Json<typeof chunkSchema>

/** Chunks of a file, as `passim chunks --json` prints them. */
export const chunkListSchema = z.object({ chunks: z.array(chunkSchema) })
export type ChunkListJson = Json<typeof chunkListSchema>

export const chunkPageSchema = z.object({
  chunks: z.array(chunkSchema).describe('Chunks in the order of the text.'),
  hasMore: pageEnd.hasMore,
  last: blocksSchema.shape.last,
})
export type ChunkPageJson = Json<typeof chunkPageSchema>
