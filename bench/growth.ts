/**
 * What a service of a million to a billion chunks takes, from unit costs that were measured on the small: nodes, bytes and requests
 * to S3, with index and contents in S3. Prints the table of docs/cluster.md; with FILE, writes its plot. A model: nothing is run.
 * usage: npx tsx bench/growth.ts [FILE.svg]
 */
import { writeFileSync } from 'node:fs'

/** Measured, one by one; two cores of an AMD EPYC, Node 20.20. */
const UNITS = {
  /** CPU of a hybrid question, its embedding counted: 9.8 ms over 9,798 chunks, 27.3 over 97,885 (docs/benchmarks.md, `bench/query-cost.ts`). */
  queryMs: (chunks: number) => 9.8 + ((27.3 - 9.8) / (97_885 - 9_798)) * (chunks - 9_798),
  /** CPU to embed a chunk of 380 tokens with the shipped model: 113 chunks, with and without vectors (`passim index`, 2026-11-23). */
  embedMs: 148,
  /** CPU to parse, cut and index a chunk by its words: 5.9 s for 7,036 (docs/benchmarks.md, `bench/keyword-indexing.ts`). */
  wordsMs: 0.84,
  /** In memory, for a table that is warm: its vectors, and its words at 413 MiB for 124,110 (docs/operations.md). */
  memoryBytes: 1_536 + 3_490,
  /** In S3: a table of 60,000 (`bench/index-places.ts`); original, text and vectors (docs/benchmarks.md: 2.6 GB of 1,059,775, 1 KB, 1.5 KiB). */
  indexBytes: 8_588,
  contentBytes: 2_450 + 1_024 + 1_536,
  /** Requests for a document of 7 chunks: 3 puts and 4 lists of its content, 2.8 of the index (200 documents, counted by a proxy, 2026-11-23). */
  documentRequests: 9.8,
  /** Of the first question to a table of 60,000 that is not in memory, and how much it reads (`bench/index-places.ts`). */
  coldRequests: 421,
  coldBytes: 160 * 2 ** 20,
} as const

/** What is asked of the service: chosen, not measured. */
const LOAD = {
  queriesPerMillion: 10,
  documentsPerMillion: 1,
  chunksOfDocument: 7,
  /** Share of the collections that are in use at a time, and of questions that come to another. */
  warmShare: 0.2,
  coldShare: 0.01,
  cores: 8,
  memoryBytes: 24 * 2 ** 30,
  busy: 0.6,
} as const

/** The largest collection that hybrid questions were measured over, and the largest at all (by words). */
const MEASURED_COLLECTION = 97_885
const MEASURED_TOTAL = 1_059_775

const TWO_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const TOTALS = [1e6, 1e7, 1e8, 1e9]
const COLLECTIONS = [1e5, 1e6]

type Point = ReturnType<typeof needs>

function needs(total: number, collection: number) {
  const queries = (LOAD.queriesPerMillion * total) / 1e6
  const documents = (LOAD.documentsPerMillion * total) / 1e6
  const queryCores = (queries * UNITS.queryMs(collection)) / 1_000
  const workCores = (documents * LOAD.chunksOfDocument * (UNITS.embedMs + UNITS.wordsMs)) / 1_000
  const memory = total * LOAD.warmShare * UNITS.memoryBytes
  const apiNodes = Math.max(nodesFor(queryCores), Math.ceil(memory / LOAD.memoryBytes))
  const cold = queries * LOAD.coldShare
  return {
    ...{ total, collection, queries, documents, apiNodes, workNodes: nodesFor(workCores) },
    isByMemory: memory / LOAD.memoryBytes > queryCores / (LOAD.cores * LOAD.busy),
    storedBytes: total * (UNITS.indexBytes + UNITS.contentBytes),
    requests: documents * UNITS.documentRequests + cold * UNITS.coldRequests,
    readBytes: cold * UNITS.coldBytes * (collection / 60_000),
    isMeasured: collection <= MEASURED_COLLECTION * 1.1 && total <= MEASURED_TOTAL,
  }
}

function nodesFor(cores: number): number {
  return Math.ceil(cores / (LOAD.cores * LOAD.busy))
}

const points = COLLECTIONS.flatMap(collection => TOTALS.map(total => needs(total, collection)))
console.log(
  '| chunks | in collections of | questions a second | documents a second | api nodes | work nodes | in S3 | requests a second | read a second |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const point of points) console.log(row(point))
const [file] = process.argv.slice(2)
if (file !== undefined) writeFileSync(file, plot())

function row({ total, collection, queries, documents, apiNodes, isByMemory, workNodes, ...rest }: Point): string {
  const { storedBytes, requests, readBytes, isMeasured } = rest
  const api = `${apiNodes}${isByMemory ? ' (memory)' : ''}`
  const cells = [total, collection, queries, documents].map(value => value.toLocaleString('en'))
  const sizes = [inUnits(storedBytes), Math.round(requests).toLocaleString('en'), inUnits(readBytes)]
  return `| ${[`${cells[0]}${isMeasured ? '' : '*'}`, ...cells.slice(1), api, workNodes, ...sizes].join(' | ')} |`
}

function inUnits(bytes: number): string {
  const power = Math.min(4, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${TWO_DIGITS.format(bytes / 1024 ** power)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}

/** Nodes by chunks, both logarithmic; what lies right of the dashed line is extrapolated. */
function plot(): string {
  const [width, height, left, bottom] = [720, 380, 70, 330]
  const x = (total: number) => left + ((Math.log10(total) - 6) / 3) * (width - left - 150)
  const y = (nodes: number) => bottom - (Math.log10(nodes) / 3.2) * (bottom - 30)
  const line = (collection: number, of: (point: Point) => number) =>
    points
      .filter(point => point.collection === collection)
      .map(point => `${x(point.total).toFixed(0)},${y(of(point)).toFixed(0)}`)
  const series = [
    ...COLLECTIONS.map((collection, at) => {
      const name = `api, collections of ${collection.toLocaleString('en')}`
      return { name, colour: ['#2563eb', '#9333ea'][at], of: line(collection, point => point.apiNodes) }
    }),
    { name: 'work', colour: '#ea580c', of: line(COLLECTIONS[0]!, point => point.workNodes) },
  ]
  const text = (at: readonly [number, number], said: string, more = '') =>
    `<text x="${at[0]}" y="${at[1]}" ${more}>${said}</text>`
  const edge = x(MEASURED_TOTAL)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...[1, 10, 100, 1_000].flatMap(nodes => [
      `<path d="M${left} ${y(nodes)}H${width - 150}" stroke="#ddd"/>`,
      text([left - 8, y(nodes) + 4], nodes.toLocaleString('en'), 'text-anchor="end"'),
    ]),
    ...TOTALS.map((total, at) =>
      text([x(total), bottom + 18], ['1M', '10M', '100M', '1B'][at]!, 'text-anchor="middle"'),
    ),
    text([(width - 80) / 2, bottom + 40], 'chunks'),
    text([left, 18], `nodes of ${LOAD.cores} cores and ${LOAD.memoryBytes / 2 ** 30} GiB of cache`),
    `<path d="M${edge} 30V${bottom}" stroke="#888" stroke-dasharray="4 3"/>`,
    text([edge + 6, 44], 'extrapolated from here on', 'fill="#888"'),
    ...series.flatMap(({ name, colour, of }) => [
      `<polyline points="${of.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      text(
        [Number(of.at(-1)!.split(',')[0]) + 6, Number(of.at(-1)!.split(',')[1]) + 4],
        name.replace('collections', 'coll.'),
        `fill="${colour}" font-size="10"`,
      ),
    ]),
    '</svg>\n',
  ].join('\n')
}
