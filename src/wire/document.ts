import { z } from 'zod'
import { failureSchema, warningSchema } from './error.ts'
import { placeShape } from './hit.ts'
import { attributesSchema, type Json, unixMilliseconds } from './schema.ts'

const boxSchema = z
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
  page: z.int().describe('From 1.'),
  characters: z.int(),
  images: z.int(),
  garbled: z.number().describe('Share of characters that are no text, 0 to 1.'),
  label: z.string().optional().describe('What the document calls the page, such as `iv`.'),
  ocr: z
    .object({
      engine: z.enum(['tesseract', 'pp-ocr']),
      confidence: z.number().describe('Mean of the page, 0 to 1.'),
    })
    .optional()
    .describe('Of a page that was read by OCR.'),
})

export const documentSchema = z.object({
  id: z.string(),
  collectionId: z.string(),
  fileId: z.string(),
  source: z.string().describe('Absolute path, URL, or `upload:NAME`.'),
  parentId: z.string().optional().describe('The document that it is attached to.'),
  name: z.string().describe('Base name of the source.'),
  title: z.string(),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  searchable: z
    .enum(['words', 'all'])
    .optional()
    .describe('Found by its words alone, or by its meaning too; absent while it cannot be found.'),
  mediaType: z.string(),
  bytes: z.int(),
  pages: z.int().optional().describe('Number of pages, in formats that have pages.'),
  chunks: z.int(),
  tokens: z.int(),
  attributes: attributesSchema.describe("A user's own facts about it."),
  metadata: z
    .object({
      title: z.string().optional(),
      author: z.string().optional(),
      created: z.string().optional().describe('ISO 8601.'),
      modified: z.string().optional().describe('ISO 8601.'),
      language: z.string().optional().describe('A BCP 47 tag.'),
      charset: z.string().optional(),
      pages: z.int().optional(),
    })
    .describe('Facts that the document itself states.'),
  warnings: z.array(warningSchema),
  error: failureSchema.optional().describe('Why indexing failed.'),
  createdAt: unixMilliseconds,
  indexedAt: unixMilliseconds.optional(),
})
export type DocumentJson = Json<typeof documentSchema>

/** A document of its own, with its extraction report. */
export const reportedDocumentSchema = documentSchema.extend({
  collection: z.string().describe('Name of the collection.'),
  characters: z.int().optional().describe('Length of the parsed text in UTF-16 units.'),
  report: z.array(pageReportSchema).optional().describe('What was found on each page.'),
})
export type ReportedDocumentJson = Json<typeof reportedDocumentSchema>

export const documentPageSchema = z.object({
  collection: z.string(),
  documents: z.array(documentSchema).describe('In the order of their sources.'),
  has_more: z.boolean(),
  last: z.string().optional().describe('What `after` of the next page is.'),
})
export type DocumentPageJson = Json<typeof documentPageSchema>

const blockSchema = z.object({
  kind: z.enum(['heading', 'paragraph', 'list', 'table', 'code', 'caption', 'listing']),
  text: z.string(),
  level: z.int().optional().describe('Of a heading, 1 (top) to 6.'),
  page: z.int().optional().describe('From 1, in formats that have pages.'),
  box: boxSchema.optional(),
  lines: z
    .array(z.object({ start: z.int(), end: z.int(), box: boxSchema }))
    .optional()
    .describe('Printed lines, with their places in the text of the block.'),
  rows: z
    .array(z.array(z.string()))
    .optional()
    .describe('Of a table, header first; merged cells are repeated.'),
  isContinued: z.boolean().optional().describe('Of a table: it continues the one before.'),
  numbers: z
    .enum(['native', 'semicolons'])
    .optional()
    .describe('Of a table: its numbers are typed values, or semicolons separate its cells.'),
  textNumbers: z
    .array(z.tuple([z.int(), z.int()]))
    .optional()
    .describe('Of a table of typed numbers: row and column of cells that are text.'),
  linkShare: z.number().optional().describe('Share of its characters that are in links, 0 to 1.'),
  charStart: z.int(),
  charEnd: z.int(),
})
export type BlockJson = Json<typeof blockSchema>

export const readPageSchema = z.object({
  document: z.string().describe('Its id.'),
  doc: z.string().describe('Its name.'),
  page: z.int().describe('From 1.'),
  pages: z.int().optional().describe('Number of pages of the document.'),
  size: z
    .object({ width: z.number(), height: z.number() })
    .optional()
    .describe('In the unit of the boxes, if the page can be drawn.'),
  picture: z.string().optional().describe('Path of its picture, if the page can be drawn.'),
  text: z.string(),
  blocks: z.array(blockSchema),
  report: pageReportSchema.optional(),
  warnings: z.array(warningSchema).describe('Of this page.'),
})
export type ReadPageJson = Json<typeof readPageSchema>

export const blocksSchema = z.object({
  blocks: z.array(blockSchema),
  next: z.int().optional().describe('`start` of what follows.'),
})
export type BlocksJson = Json<typeof blocksSchema>

export const passageSchema = z.object({
  ...placeShape,
  doc: z.string().describe('The base name of the source.'),
  title: z.string(),
  boxes: z
    .array(placedBoxSchema)
    .describe('Every line that has some of the words, in formats that have pages.'),
})
export type PassageJson = Json<typeof passageSchema>
