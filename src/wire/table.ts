import { z } from 'zod'
import type { Json } from './schema.ts'

const kindSchema = z.enum(['number', 'date', 'time', 'flag', 'text'])

const columnSchema = z.object({
  name: z.string().describe('Name that the header states; empty if there is no header.'),
  kind: kindSchema,
  unit: z
    .string()
    .nullable()
    .describe('Unit of the numbers, if the header, the caption or all cells state one.'),
  scale: z.number().describe('Factor of the cells, such as 10000 for `万元`. Default 1.'),
  measure: z.string().nullable().describe('Quantity that the numbers measure, such as `length`.'),
  isAmbiguous: z
    .literal(true)
    .optional()
    .describe('True if the column has numbers that can be read in two ways, such as `1.234`.'),
})

const dateSchema = z.object({
  year: z.int().optional(),
  month: z.int().optional(),
  day: z.int().optional(),
  quarter: z.int().optional(),
  half: z.int().optional(),
})

const cellSchema = z.object({
  charStart: z.int().describe('Offset of the first character in the parsed text, in UTF-16 units.'),
  charEnd: z.int(),
  page: z.int().optional(),
  box: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe('x0, y0, x1 and y1 in PDF points from the top left of the page.'),
  value: z
    .union([z.number(), z.boolean(), dateSchema])
    .optional()
    .describe("Value of the column's kind. A time is in minutes after midnight."),
  upTo: z.number().optional().describe('End of a range that starts with `value`.'),
  isInexact: z
    .literal(true)
    .optional()
    .describe('True if the cell states an approximate value or a bound.'),
  unit: z.string().optional().describe("Unit of this cell, if it differs from the column's unit."),
})
export type CellJson = Json<typeof cellSchema>

const tableSchema = z.object({
  name: z.string().describe('Name of the table in SQL.'),
  caption: z.string().nullable(),
  headings: z.array(z.string()).describe('Headings above the table, outermost first.'),
  page: z.int().nullable().describe('Number of the page, from 1, in formats that have pages.'),
  charStart: z.int().describe('Offset of the first character in the parsed text, in UTF-16 units.'),
  charEnd: z.int(),
  isCut: z
    .boolean()
    .describe('True if rows were left out because the document has too many cells.'),
  key: z.string().nullable().describe('Name of the column that identifies the rows.'),
  columns: z.array(columnSchema),
  rows: z.array(z.array(z.string())).describe('Rows of cell texts, without the header.'),
  cells: z.array(z.array(cellSchema)).describe('Place and value of each cell of `rows`.'),
  summaryRows: z.array(z.int()).describe('Indexes of rows that summarize other rows, from 0.'),
})
export type TableJson = Json<typeof tableSchema>

export const tableListSchema = z.object({ tables: z.array(tableSchema) })
export type TableListJson = Json<typeof tableListSchema>
