import type { FileResult } from './result.ts'

/** A file with this many times the other reader's words has grown: headings of slides and sheets explain less. */
const GROWN = 1.2

/** Fewer words are too few to tell growth or loss by. */
const MIN_WORDS = 50

/** A file that lost more than this share of the other's words without a warning has lost it silently. */
const MAX_SILENT_LOSS = 0.05

/** Files this far above the median of their format are listed as outliers. */
const OUTLIER_TIMES = 10

/** Below these nothing is an outlier, whatever the median. */
const MIN_OUTLIER = { cpuSeconds: 2, peakBytes: 400 * 2 ** 20 }

const MAX_LISTED = 20

/** One row of the table: figures of the files of one format. */
export type FormatRow = {
  readonly format: string
  readonly files: number
  readonly completed: number
  readonly failed: string
  readonly emptyBesideText: number
  readonly compared: number
  readonly grown: number
  readonly found: number | undefined
  readonly order: number | undefined
  readonly silentLoss: number
  readonly cpuOutliers: number
  readonly memoryOutliers: number
}

/** Summarises results by format, the most frequent format first. */
export function summarise(results: readonly FileResult[]): readonly FormatRow[] {
  const byFormat = groupBy(results, ({ format }) => format)
  const rows = [...byFormat].map(([format, files]) => summariseFormat(format, files))
  return rows.toSorted((a, b) => b.files - a.files || a.format.localeCompare(b.format))
}

function summariseFormat(format: string, files: readonly FileResult[]): FormatRow {
  const failures = files.filter(({ outcome }) => outcome !== 'completed')
  const codes = groupBy(failures, ({ outcome }) => outcome)
  const compared = files.filter(isCompared)
  return {
    format,
    files: files.length,
    completed: files.length - failures.length,
    failed: [...codes].map(([code, { length }]) => `${code} ${length}`).join(', '),
    emptyBesideText: files.filter(isEmptyBesideText).length,
    compared: compared.length,
    grown: files.filter(hasGrown).length,
    found: median(compared.map(({ found }) => found ?? 0)),
    order: median(compared.map(({ order }) => order ?? 0)),
    silentLoss: files.filter(hasSilentLoss).length,
    cpuOutliers: findOutliers(files, 'cpuSeconds').length,
    memoryOutliers: findOutliers(files, 'peakBytes').length,
  }
}

function isCompared({ outcome, otherWords }: FileResult): boolean {
  return outcome === 'completed' && (otherWords ?? 0) >= MIN_WORDS
}

function isEmptyBesideText({ words, otherWords }: FileResult): boolean {
  return words === 0 && (otherWords ?? 0) > 0
}

function hasGrown(result: FileResult): boolean {
  return isCompared(result) && result.words > GROWN * (result.otherWords ?? 0)
}

function hasSilentLoss(result: FileResult): boolean {
  return (
    isCompared(result) && result.warnings.length === 0 && (result.found ?? 1) < 1 - MAX_SILENT_LOSS
  )
}

function findOutliers(
  files: readonly FileResult[],
  figure: 'cpuSeconds' | 'peakBytes',
): readonly FileResult[] {
  const usual = median(files.map(result => result[figure])) ?? 0
  return files.filter(
    result => result[figure] > Math.max(MIN_OUTLIER[figure], OUTLIER_TIMES * usual),
  )
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function groupBy(
  results: readonly FileResult[],
  key: (result: FileResult) => string,
): Map<string, FileResult[]> {
  const groups = new Map<string, FileResult[]>()
  for (const result of results)
    groups.set(key(result), [...(groups.get(key(result)) ?? []), result])
  return groups
}

/** Writes the table, and below it the files that somebody should look at. */
export function writeReport(results: readonly FileResult[]): string {
  const lists = [
    listFiles('Empty although another reader finds text', results.filter(isEmptyBesideText)),
    listFiles(`More than ${GROWN} times the other reader's words`, results.filter(hasGrown)),
    listFiles('Words lost without a warning', results.filter(hasSilentLoss)),
    listFiles('Long in the processor', findByFormat(results, 'cpuSeconds')),
    listFiles('Large in memory', findByFormat(results, 'peakBytes')),
  ]
  return [writeTable(summarise(results)), ...lists.filter(Boolean)].join('\n\n')
}

function findByFormat(
  results: readonly FileResult[],
  figure: 'cpuSeconds' | 'peakBytes',
): readonly FileResult[] {
  return [...groupBy(results, ({ format }) => format).values()].flatMap(files =>
    findOutliers(files, figure),
  )
}

function writeTable(rows: readonly FormatRow[]): string {
  const head = [
    ...[
      'format',
      'files',
      'completed',
      'failed',
      'empty',
      'compared',
      'grown',
      'words found',
      'order',
    ],
    ...['silent loss', 'CPU outliers', 'memory outliers'],
  ]
  const cells = rows.map(row => [
    ...[
      row.format,
      row.files,
      row.completed,
      row.failed,
      row.emptyBesideText,
      row.compared,
      row.grown,
    ],
    ...[
      writeShare(row.found),
      writeShare(row.order),
      row.silentLoss,
      row.cpuOutliers,
      row.memoryOutliers,
    ],
  ])
  return [head, head.map(() => '---'), ...cells].map(line => `| ${line.join(' | ')} |`).join('\n')
}

function writeShare(share: number | undefined): string {
  return share === undefined ? '' : share.toFixed(3)
}

function listFiles(title: string, files: readonly FileResult[]): string {
  if (files.length === 0) return ''
  const lines = files
    .slice(0, MAX_LISTED)
    .map(({ file, words, otherWords, found, cpuSeconds, peakBytes }) => {
      const beside =
        otherWords === undefined ? '' : ` of ${otherWords} words, ${writeShare(found)} found`
      return `- ${file}: ${words}${beside}; ${cpuSeconds.toFixed(1)} s, ${Math.round(peakBytes / 2 ** 20)} MiB`
    })
  const rest = files.length > MAX_LISTED ? [`- and ${files.length - MAX_LISTED} more`] : []
  return [`${title}:`, ...lines, ...rest].join('\n')
}

/** Lists the files whose outcome or share of words found differs between two runs. */
export function writeComparison(
  before: readonly FileResult[],
  after: readonly FileResult[],
): string {
  const earlier = new Map(before.map(result => [result.file, result]))
  const lines = after.flatMap(result => {
    const old = earlier.get(result.file)
    return old && differs(old, result)
      ? [`- ${result.file}: ${writeState(old)} -> ${writeState(result)}`]
      : []
  })
  const both = after.filter(({ file }) => earlier.has(file)).length
  return [`${lines.length} of ${both} files read by both runs differ`, ...lines].join('\n')
}

/** Shares of words closer than this are the same. */
const SAME_SHARE = 0.005

function differs(before: FileResult, after: FileResult): boolean {
  const shares = Math.abs((before.found ?? 0) - (after.found ?? 0)) > SAME_SHARE
  return before.outcome !== after.outcome || shares || hasGrown(before) !== hasGrown(after)
}

function writeState({ outcome, words, found }: FileResult): string {
  return `${outcome}, ${words} words${found === undefined ? '' : `, ${writeShare(found)} found`}`
}
