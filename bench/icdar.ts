/**
 * Compares the tables that Passim reads from the PDFs of the ICDAR 2013 table competition with their ground truth, by relations
 * of neighbouring cells (Göbel et al., "A Methodology for Evaluating Algorithms for Table Understanding in PDF Documents", 2012).
 * The dataset is in tabula-java, src/test/resources/technology/tabula/icdar2013-dataset.
 * usage: npx tsx bench/icdar.ts FOLDER [--worst N] [--tables FILE.jsonl]     (after npm run build)
 * `--tables` takes the tables of another reader, such as those that `bench/icdar-pdfplumber.py` prints.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { FileParser } from '../src/app/indexing/parse-file.ts'

const PARSE_FILE = new URL('../dist/app/indexing/parse-file.js', import.meta.url)

const OTHER_TABLES = z.object({
  file: z.string(),
  tables: z.array(z.array(z.array(z.string()))),
})

type Cell = {
  readonly text: string
  readonly rows: readonly [first: number, last: number]
  readonly columns: readonly [first: number, last: number]
}

type Score = {
  readonly name: string
  readonly expected: number
  readonly found: number
  readonly right: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { worst: { type: 'string', default: '10' }, tables: { type: 'string' } },
})
const [folder] = positionals
if (!folder) throw new Error('usage: npx tsx bench/icdar.ts FOLDER')
const scores = await measure(folder)
const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole)
const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const recall = mean(scores.map(({ right, expected }) => share(right, expected)))
const precision = mean(scores.map(({ right, found }) => share(right, found)))
for (const { name, right, expected, found } of scores
  .toSorted((a, b) => b.expected + b.found - 2 * b.right - (a.expected + a.found - 2 * a.right))
  .slice(0, Number(values.worst)))
  console.log(`${name}: ${right} right of ${expected} expected and ${found} found`)
console.log(
  `${scores.length} documents: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}, F ${((2 * recall * precision) / (recall + precision)).toFixed(3)}`,
)

async function measure(root: string): Promise<readonly Score[]> {
  const others = values.tables === undefined ? undefined : loadTables(values.tables)
  const built: typeof import('../src/app/indexing/parse-file.ts') = await import(PARSE_FILE.href)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.pdf'))
    .toSorted()
  return await built.withFileParser({}, async ({ parser }) => {
    const scores: Score[] = []
    for (const file of files) {
      const truth = listTruth(
        readFileSync(path.join(root, file.replace(/\.pdf$/, '-str.xml')), 'utf8'),
      )
      const expected = truth.flatMap(listRelations)
      const tables =
        others?.get(file) ?? (others ? [] : await readTables(parser, path.join(root, file)))
      const found = tables.flatMap(listRelations)
      scores.push({
        name: file,
        expected: expected.length,
        found: found.length,
        right: countCommon(expected, found),
      })
    }
    return scores
  })
}

async function readTables(
  parser: FileParser['parser'],
  file: string,
): Promise<readonly (readonly Cell[])[]> {
  return await parser.run(file, { ocr: 'off' }, async (_, blocks) => {
    const tables: (readonly Cell[])[] = []
    for await (const { rows } of blocks) if (rows) tables.push(mergeRepeated(rows))
    return tables
  })
}

function loadTables(file: string): ReadonlyMap<string, readonly (readonly Cell[])[]> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map(line => {
      const other = OTHER_TABLES.parse(JSON.parse(line))
      return [other.file, other.tables.map(mergeRepeated)]
    }),
  )
}

/** A text in letters that several cells repeat is one merged cell. */
function mergeRepeated(rows: readonly (readonly string[])[]): readonly Cell[] {
  const taken = new Set<string>()
  const isLike = (text: string, row: number, column: number) =>
    rows[row]?.[column] === text && !taken.has(`${row} ${column}`)
  const findEnd = (from: number, isSame: (at: number) => boolean) => {
    let end = from
    while (isSame(end + 1)) end++
    return end
  }
  const toCell = (text: string, row: number, column: number): Cell => {
    const isName = /\p{L}{2}/u.test(text)
    const right = isName ? findEnd(column, at => isLike(text, row, at)) : column
    const low = isName ? findEnd(row, at => isLike(text, at, column)) : row
    for (let r = row; r <= low; r++)
      for (let c = column; c <= right; c++) if (isLike(text, r, c)) taken.add(`${r} ${c}`)
    return { text, rows: [row, low], columns: [column, right] }
  }
  return rows.flatMap((cells, row) =>
    cells.flatMap((text, column) =>
      text.trim() === '' || taken.has(`${row} ${column}`) ? [] : [toCell(text, row, column)],
    ),
  )
}

function listTruth(xml: string): readonly (readonly Cell[])[] {
  return [...xml.matchAll(/<region\b.*?<\/region>/gs)].map(([region]) =>
    [...region.matchAll(/<cell\b([^>]*)>(.*?)<\/cell>/gs)].flatMap(([, attributes, inside]) => {
      const numbers = new Map(
        [...(attributes ?? '').matchAll(/([\w-]+)=["'](\d+)["']/g)].map(
          ([, name, number]) => [name, Number(number)] as const,
        ),
      )
      const text = /<content>(.*?)<\/content>/s.exec(inside ?? '')?.[1] ?? ''
      const row = numbers.get('start-row') ?? 0
      const column = numbers.get('start-col') ?? 0
      if (text.trim() === '') return []
      const rows = [row, numbers.get('end-row') ?? row] as const
      return [{ text: decode(text), rows, columns: [column, numbers.get('end-col') ?? column] }]
    }),
  )
}

function decode(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    amp: '&',
    quot: '"',
    apos: "'",
  }
  return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}

/** Each cell with the next one to its right and below, over empty cells. */
function listRelations(cells: readonly Cell[]): readonly string[] {
  const overlap = (a: readonly [number, number], b: readonly [number, number]) =>
    a[0] <= b[1] && b[0] <= a[1]
  return cells.flatMap(cell => {
    const right = cells.filter(
      other => overlap(cell.rows, other.rows) && other.columns[0] > cell.columns[1],
    )
    const below = cells.filter(
      other => overlap(cell.columns, other.columns) && other.rows[0] > cell.rows[1],
    )
    const from = normalize(cell.text)
    return [
      ...listNearest(right, 'columns', 'rows').map(({ text }) => `${from} > ${normalize(text)}`),
      ...listNearest(below, 'rows', 'columns').map(({ text }) => `${from} v ${normalize(text)}`),
    ]
  })
}

/** Cells that no other of them stands before. */
function listNearest(
  cells: readonly Cell[],
  along: 'rows' | 'columns',
  across: 'rows' | 'columns',
): readonly Cell[] {
  return cells.filter(
    cell =>
      !cells.some(
        other =>
          other[along][1] < cell[along][0] &&
          other[across][0] <= cell[across][1] &&
          cell[across][0] <= other[across][1],
      ),
  )
}

function normalize(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase() || text.replace(/\s/g, '')
  )
}

function countCommon(expected: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>()
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1)
  return found.filter(one => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0
  }).length
}
