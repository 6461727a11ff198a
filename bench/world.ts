/**
 * Reads every file below a folder of foreign files as the product does (the built parsers, in their processes), beside an
 * independent reader where one is installed: pdftotext, pandoc, openpyxl, Python's zipfile and email; or beside an
 * expected text: `NAME.expected.txt` next to a file, or `expected.html`, `.md` or `.txt` next to a file `source.*`.
 * It prints a table by format and the files that somebody should look at. A run that was interrupted resumes.
 * usage: npm run world -- FOLDER [--results FILE.jsonl]           (after npm run build; Linux; default world-results.jsonl)
 *        npm run world -- --compare BEFORE.jsonl AFTER.jsonl      lists what differs between two runs
 */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import type { FileParser } from '../src/app/indexing/parse-file.ts'
import { compareTexts, splitWords } from './world/compare-texts.ts'
import { writeComparison, writeReport } from './world/report.ts'
import { FILE_RESULT, type FileResult } from './world/result.ts'

const OTHER_READERS = fileURLToPath(new URL('world/other-readers.py', import.meta.url))
const PARSE_FILE = new URL('../dist/app/indexing/parse-file.js', import.meta.url)

/** More than a reader takes for the largest files; it ends itself after 60 s. */
const READER_TIMEOUT_MS = 90_000

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Keeps a comparison in memory: texts beyond this are cut before they are compared. */
const MAX_TEXT_CHARACTERS = 20_000_000

/** Readers of workbooks that give texts only, as they do not format numbers. */
const READERS_OF_TEXTS = new Set(['openpyxl', 'xlrd'])
const NUMBER = /^\p{N}+$/u

const OTHER_TEXT = z.object({ reader: z.string(), text: z.string(), error: z.string() }).partial()

type OtherText = z.infer<typeof OTHER_TEXT>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: 'string', default: 'world-results.jsonl' },
    compare: { type: 'boolean', default: false },
  },
})
if (values.compare) compareRuns(positionals)
else await readFolder(positionals)

function compareRuns([before, after]: readonly string[]): void {
  if (!before || !after)
    throw new Error('usage: npm run world -- --compare BEFORE.jsonl AFTER.jsonl')
  console.log(writeComparison(loadResults(before), loadResults(after)))
}

async function readFolder([folder]: readonly string[]): Promise<void> {
  if (!folder) throw new Error('usage: npm run world -- FOLDER [--results FILE.jsonl]')
  if (!existsSync(PARSE_FILE))
    throw new Error('There is no dist to measure: run npm run build first.')
  const built: typeof import('../src/app/indexing/parse-file.ts') = await import(PARSE_FILE.href)
  if (!existsSync(values.results)) writeFileSync(values.results, '')
  const read = new Set(loadResults(values.results).map(({ file }) => file))
  const files = listForeignFiles(folder).filter(file => !read.has(file))
  console.error(`${files.length} files to read, ${read.size} read before.`)
  await built.withFileParser({}, async ({ parser }) => {
    for (const file of files)
      appendFileSync(values.results, `${JSON.stringify(await measureFile(parser, folder, file))}\n`)
  })
  console.log(writeReport(loadResults(values.results)))
}

function loadResults(file: string): readonly FileResult[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => FILE_RESULT.parse(JSON.parse(line)))
}

/** Lists the files below a folder by relative path, in their order, without hidden ones and expected texts. */
function listForeignFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const names = entries.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)))
  return names.filter(name => !/(?:^|\/)(?:\.|expected\.)|\.expected\.txt$/.test(name)).toSorted()
}

async function measureFile(
  parser: FileParser['parser'],
  folder: string,
  file: string,
): Promise<FileResult> {
  const place = path.join(folder, file)
  resetPeaks()
  const cpuBefore = sumChildCpuSeconds()
  const { text, ...own } = await readByPassim(parser, place)
  const usage = {
    cpuSeconds: Math.max(0, sumChildCpuSeconds() - cpuBefore),
    peakBytes: findPeakBytes(),
  }
  const other = readExpected(place) ?? (await readByAnother(place))
  const isCounted = READERS_OF_TEXTS.has(other.reader ?? '')
    ? (word: string) => !NUMBER.test(word)
    : () => true
  const words = splitWords(text).filter(isCounted).length
  const base = {
    file,
    format: path.extname(place).toLowerCase() || 'none',
    ...own,
    words,
    ...usage,
    ...(other.reader && { reader: other.reader }),
  }
  if (other.error !== undefined) return { ...base, readerError: other.error }
  if (other.text === undefined) return base
  const { otherWords, found, order } = compareTexts(text, other.text.slice(0, MAX_TEXT_CHARACTERS))
  return { ...base, otherWords, found, order }
}

type OwnReading = Pick<FileResult, 'outcome' | 'message' | 'warnings'> & { readonly text: string }

async function readByPassim(parser: FileParser['parser'], place: string): Promise<OwnReading> {
  try {
    return await parser.run(place, {}, async ({ warnings }, blocks) => {
      const texts: string[] = []
      let length = 0
      for await (const { text } of blocks) {
        if (length < MAX_TEXT_CHARACTERS) texts.push(text)
        length += text.length
      }
      const codes = warnings.map(({ code }) => code)
      return { outcome: 'completed', warnings: codes, text: texts.join('\n') }
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'crash'
    const message = error instanceof Error ? error.message : String(error)
    return { outcome: code, message, warnings: [], text: '' }
  }
}

/** Returns the text that somebody wrote down as what a file holds, if there is one. */
function readExpected(place: string): OtherText | undefined {
  const isSource = path.basename(place).startsWith('source.')
  const beside = isSource
    ? ['html', 'md', 'txt'].map(end => path.join(path.dirname(place), `expected.${end}`))
    : []
  const expected = [`${place}.expected.txt`, ...beside].find(existsSync)
  if (!expected) return undefined
  const text = readFileSync(expected, 'utf8')
  return {
    reader: 'expected',
    text: expected.endsWith('.html') ? text.replaceAll(/<[^>]*>/g, ' ') : text,
  }
}

/** A reader that takes too long or ends abnormally has refused the file. */
async function readByAnother(place: string): Promise<OtherText> {
  const options = { timeout: READER_TIMEOUT_MS, maxBuffer: 2 ** 28 }
  const read = await promisify(execFile)('python3', [OTHER_READERS, place], options).catch(
    (error: unknown) => {
      if (error instanceof Error && 'killed' in error) return error.message.slice(0, 300)
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        return 'Python is not installed.'
      throw error
    },
  )
  return typeof read === 'string'
    ? { reader: 'none', error: read }
    : OTHER_TEXT.parse(JSON.parse(read.stdout.trimEnd().split('\n').at(-1) ?? '{}')) // libraries print too
}

/** Returns the ids of this process's children, which are the parsers' processes while no other reader runs. */
function listChildren(): readonly string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
}

/** Sets the peak memory of each child to what it has now (proc(5), clear_refs). */
function resetPeaks(): void {
  for (const child of listChildren()) writeFileSync(`/proc/${child}/clear_refs`, '5')
}

function findPeakBytes(): number {
  const peaks = listChildren().map(
    child => readFileSync(`/proc/${child}/status`, 'utf8').match(/VmHWM:\s*(\d+) kB/)?.[1],
  )
  return Math.max(0, ...peaks.map(peak => Number(peak ?? 0) * 1024))
}

/** CPU time of the children, in seconds: living ones, and those that ended. */
function sumChildCpuSeconds(): number {
  const ended = readCpuTicks('self').slice(2)
  const living = listChildren().flatMap(child => readCpuTicks(child))
  return [...ended, ...living].reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

/** User, system, and both of waited-for children, in ticks of 10 ms (proc(5), stat). */
function readCpuTicks(id: string): readonly number[] {
  const text = readFileSync(`/proc/${id}/stat`, 'utf8')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
}
