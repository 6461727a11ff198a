import { z } from 'zod'
import type { Json } from './schema.ts'

const kindSchema = z.enum(['number', 'date', 'time', 'flag', 'text'])

const columnSchema = z.object({
  name: z.string().describe('As the header states it; empty without a header.'),
  kind: kindSchema,
  unit: z.string().nullable().describe('Of numbers, if header, caption or all cells give one.'),
  scale: z.number().describe('Factor of its cells, such as 10000 for `万元`; 1 without.'),
  measure: z.string().nullable().describe('What its numbers measure, such as `length`.'),
  isAmbiguous: z
    .literal(true)
    .optional()
    .describe('It has numbers that can be read in two ways, such as `1.234`.'),
})

const dateSchema = z.object({
  year: z.int().optional(),
  month: z.int().optional(),
  day: z.int().optional(),
  quarter: z.int().optional(),
  half: z.int().optional(),
})

const cellSchema = z.object({
  charStart: z.int().describe('First character, in UTF-16 units of the parsed text.'),
  charEnd: z.int(),
  page: z.int().optional(),
  box: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe('x0, y0, x1 and y1 in PDF points from the top left of the page.'),
  value: z
    .union([z.number(), z.boolean(), dateSchema])
    .optional()
    .describe('Of the kind of its column; of a time, minutes after midnight.'),
  upTo: z.number().optional().describe('End of a range that begins with the value.'),
  isInexact: z.literal(true).optional().describe('Near the value, or on one side of it.'),
  unit: z.string().optional().describe("Its own unit, in place of its column's."),
})
export type CellJson = Json<typeof cellSchema>

export const tableSchema = z.object({
  name: z.string().describe('Name of the table in SQL.'),
  caption: z.string().nullable(),
  headings: z.array(z.string()).describe('Outermost first.'),
  page: z.int().nullable().describe('From 1, in formats that have pages.'),
  charStart: z.int().describe('First character, in UTF-16 units of the parsed text.'),
  charEnd: z.int(),
  isCut: z.boolean().describe('Rows were left out: the document has too many cells.'),
  key: z.string().nullable().describe('Column that tells the rows apart.'),
  columns: z.array(columnSchema),
  rows: z.array(z.array(z.string())).describe('Text of the cells, without the header.'),
  cells: z.array(z.array(cellSchema)).describe('Place and value of each cell of `rows`.'),
  summaryRows: z.array(z.int()).describe('Rows that sum up others, from 0.'),
})
export type TableJson = Json<typeof tableSchema>
