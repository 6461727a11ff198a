import { escaped } from '../cite-check/formats/markup.ts'
import {
  presentation,
  slideCell,
  slideTable,
  wordFile,
  wordParagraph,
  workbook,
} from '../cite-check/formats/office.ts'
import { type DrawnLine, type DrawnText, drawnPdf } from './drawn-pages.ts'
import type { Fact } from './facts.ts'

/** A table in which `<` is one cell with that on its left, and `^` one with that above. */
export type MergedTable = {
  readonly name: string
  readonly language: 'en' | 'zh'
  readonly rows: readonly (readonly string[])[]
  /** So many rows and columns of names. */
  readonly headers: number
  readonly keys: number
}

/** Invented; every merged cell counts for all that it spans. */
export const TABLES: readonly MergedTable[] = [
  {
    name: 'en-ferries',
    language: 'en',
    headers: 2,
    keys: 2,
    rows: [
      ['Harbour', 'Ferry', '2024', '<', '2025', '<'],
      ['^', '^', 'Spring', 'Autumn', 'Spring', 'Autumn'],
      ['Carrick', 'Petrel', '1,204', '988', '1,317', '1,041'],
      ['^', 'Gannet', '655', '702', '690', '733'],
      ['Ness', 'Plover', '311', '295', '340', '402'],
      ['^', 'Dunlin', '127', '143', '139', '158'],
    ],
  },
  {
    name: 'en-tariffs',
    language: 'en',
    headers: 2,
    keys: 2,
    rows: [
      ['Zone', 'Parcel', 'Price (EUR)', '<', 'Days'],
      ['^', '^', 'up to 2 kg', 'up to 10 kg', '^'],
      ['Inland', 'standard', '4.90', '8.40', '2'],
      ['^', 'insured', '6.70', '10.20', '3'],
      ['Islands', 'standard', '7.30', '13.60', '4'],
      ['^', 'insured', '9.10', '15.80', '6'],
    ],
  },
  {
    name: 'zh-wards',
    language: 'zh',
    headers: 2,
    keys: 2,
    rows: [
      ['院区', '科室', '门诊人次', '<', '住院人次', '<'],
      ['^', '^', '上半年', '下半年', '上半年', '下半年'],
      ['东院', '骨科', '8,412', '9,036', '517', '548'],
      ['^', '眼科', '6,270', '6,655', '203', '231'],
      ['西院', '儿科', '11,908', '12,744', '864', '902'],
      ['^', '皮肤科', '5,133', '5,471', '88', '97'],
    ],
  },
  {
    name: 'zh-rates',
    language: 'zh',
    headers: 2,
    keys: 2,
    rows: [
      ['区域', '车型', '停车费（元）', '<', '充电功率（千瓦）'],
      ['^', '^', '首小时', '每日封顶', '^'],
      ['地面', '小型车', '5', '40', '7'],
      ['^', '大型车', '12', '96', '60'],
      ['地下', '小型车', '6', '48', '11'],
      ['^', '新能源车', '3', '24', '120'],
    ],
  },
]

type Place = { readonly row: number; readonly column: number }

/** The rows with what a merged cell says in every place that it spans. */
export function filled({ rows }: MergedTable): string[][] {
  const whole: string[][] = []
  for (const row of rows) {
    const own: string[] = []
    for (const [column, text] of row.entries())
      own.push(
        (text === '<' ? own[column - 1] : text === '^' ? whole.at(-1)?.[column] : text) ?? text,
      )
    whole.push(own)
  }
  return whole
}

/** Every value of the table, by the names of its row and of its column. */
export function factsOf(table: MergedTable): Fact[] {
  const whole = filled(table)
  const names = whole.slice(0, table.headers)
  return whole.slice(table.headers).flatMap(row =>
    row.slice(table.keys).map((value, at): Fact => {
      const column = [...new Set(names.map(header => header[table.keys + at]!))] // a row has a cell for each column
      return { kind: 'cell', row: row.slice(0, table.keys), column, value }
    }),
  )
}

/** How many columns and rows a cell spans. */
function spanOf(
  { rows }: MergedTable,
  { row, column }: Place,
): { readonly columns: number; readonly rows: number } {
  let columns = 1
  while (rows[row]?.[column + columns] === '<') columns++
  let down = 1
  while (rows[row + down]?.[column] === '^') down++
  return { columns, rows: down }
}

const isMerged = (text: string): boolean => text === '<' || text === '^'

/** The table in each format that can merge cells, by the ending of its file. */
export const WRITERS: Readonly<Record<string, (table: MergedTable) => string | Buffer>> = {
  html: table => {
    const cells = (texts: readonly string[], row: number) =>
      texts.map((text, column) => {
        if (isMerged(text)) return ''
        const { columns, rows } = spanOf(table, { row, column })
        const tag = row < table.headers ? 'th' : 'td'
        return `<${tag}${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}>${escaped(text)}</${tag}>`
      })
    const body = table.rows.map((row, at) => `<tr>${cells(row, at).join('')}</tr>`).join('\n')
    return `<!doctype html>\n<html lang="${table.language}"><head><meta charset="utf-8"><title>${table.name}</title></head><body>\n<table>\n${body}\n</table>\n</body></html>\n`
  },
  docx: table => {
    const cell = (text: string, row: number, column: number) => {
      if (text === '<') return ''
      const { columns, rows } = spanOf(table, { row, column })
      const down = text === '^' ? '<w:vMerge/>' : rows > 1 ? '<w:vMerge w:val="restart"/>' : ''
      const across = columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : ''
      return `<w:tc><w:tcPr>${across}${down}</w:tcPr>${wordParagraph(text === '^' ? '' : text, '')}</w:tc>`
    }
    const rows = table.rows.map(
      (row, at) => `<w:tr>${row.map((text, column) => cell(text, at, column)).join('')}</w:tr>`,
    )
    const grid = `<w:tblGrid>${table.rows[0]?.map(() => '<w:gridCol w:w="1500"/>').join('')}</w:tblGrid>`
    return wordFile(`<w:tbl><w:tblPr/>${grid}${rows.join('')}</w:tbl>${wordParagraph('', '')}`)
  },
  xlsx: table => {
    const merges = table.rows.flatMap((row, at) =>
      row.flatMap((text, column) => {
        const { columns, rows } = spanOf(table, { row: at, column })
        const last = `${letter(column + columns - 1)}${at + rows}`
        return isMerged(text) || columns * rows === 1 ? [] : [`${letter(column)}${at + 1}:${last}`]
      }),
    )
    return workbook([
      {
        name: table.name,
        rows: table.rows.map(row => row.map(text => (isMerged(text) ? '' : text))),
        merges,
      },
    ])
  },
  pptx: table => {
    const cells = table.rows.map((row, at) =>
      row.map((text, column) => {
        if (isMerged(text)) return slideCell('', text === '<' ? ' hMerge="1"' : ' vMerge="1"')
        const { columns, rows } = spanOf(table, { row: at, column })
        return slideCell(
          text,
          `${columns > 1 ? ` gridSpan="${columns}"` : ''}${rows > 1 ? ` rowSpan="${rows}"` : ''}`,
        )
      }),
    )
    return presentation([slideTable(cells, 2)])
  },
  pdf: table => drawnPdf([ruled(table)]),
}

const letter = (column: number): string => String.fromCharCode(65 + column)

const LEFT = 50
const TOP = 700
const WIDE = 84
const HIGH = 20

/** The table with rules around each cell, a merged one in the middle of what it spans. */
function ruled(table: MergedTable): (DrawnText | DrawnLine)[] {
  return table.rows.flatMap((row, at) =>
    row.flatMap((text, column) => {
      if (isMerged(text)) return []
      const { columns, rows } = spanOf(table, { row: at, column })
      const left = LEFT + column * WIDE
      const top = TOP - at * HIGH
      const right = left + columns * WIDE
      const bottom = top - rows * HIGH
      const corners: [number, number][] = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ]
      const rules = corners.map(
        (from, corner): DrawnLine => ({ from, to: corners[(corner + 1) % 4]! }),
      ) // of four
      return [...rules, { text, x: left + 4, y: (top + bottom) / 2 - 3, size: 9 }]
    }),
  )
}
