import type { Segment } from './lines.ts'

/** A few lines set as code are code; one alone may be a name. */
const MIN_LINES = 2

export type CodeRun = { readonly code: readonly Segment[][] } | { readonly rows: readonly Segment[][] }

/** Part the rows of a column into code and the rest. */
export function codeRuns(rows: readonly Segment[][]): CodeRun[] {
  const runs: Segment[][][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && isCode(run[0]!) === isCode(row)) run.push(row)
    else runs.push([row])
  }
  return runs.map(run => (isCode(run[0]!) && run.length >= MIN_LINES ? { code: run } : { rows: run }))
}

function isCode(row: readonly Segment[]): boolean {
  return row.every(segment => segment.isMono)
}

/** The printed lines of code with the indents that their places mean. */
export function codeLines(rows: readonly Segment[][]): string[] {
  const left = Math.min(...rows.map(row => row[0]!.x0))
  const characters = rows.flat().reduce((sum, segment) => sum + segment.text.length, 0)
  const unit = rows.flat().reduce((sum, segment) => sum + segment.x1 - segment.x0, 0) / Math.max(1, characters)
  return rows.map(row => {
    let line = ''
    for (const segment of row) {
      const column = Math.round((segment.x0 - left) / unit)
      line = line.padEnd(Math.max(column, line === '' ? 0 : line.length + 1)) + segment.text
    }
    return line
  })
}
