/**
 * Pages of PDF a CPU second and peak memory, beside Qwen-Agent's parser for the same files in the same run, its text and
 * tables beside ours. Both run in a process of their own, warmed by the first file, ours as Passim starts its parser processes;
 * OCR is off, since the peer has none. Memory is the peak of that process.
 * The marks: three times the pages, half the memory.
 * usage: npx tsx bench/parse-pdf.ts PYTHON [FILE.pdf...]      (after npm run build; without files, those of data/samples
 *        and a generated one of 150 pages, each with running text and a ruled table)
 * PYTHON: of an environment with `pip install 'qwen-agent[rag]' soundfile tqdm`
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PARSER_V8_FLAGS } from '../src/ingest/isolation/parser-worker.ts'
import { type PdfLine, type PdfText, pdf } from '../test/fixtures/pdf.ts'
import { generatedText } from './generated-text.ts'

const MARKS = { speed: 3, memory: 0.5 }
const LONG_PAGES = 150
const LINE_CHARACTERS = 85

type Taken = { readonly pages: number; readonly seconds: number; readonly peakMiB: number }

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const [python, ...given] = process.argv.slice(2)
if (!python) throw new Error('usage: npx tsx bench/parse-pdf.ts PYTHON [FILE.pdf...]')

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
if (given.length > 0)
  compare(
    python,
    'given',
    1,
    given.map(file => path.resolve(file)),
  )
else {
  const samples = place('../data/samples/')
  const shipped = readdirSync(samples).filter(name => name.endsWith('.pdf'))
  compare(
    python,
    'data/samples, three times',
    3,
    shipped.map(name => path.join(samples, name)),
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'passim-parse-'))
  const long = path.join(folder, 'long.pdf')
  writeFileSync(long, pdf(Array.from({ length: LONG_PAGES }, (_, page) => generatedPage(page))))
  compare(python, `generated, ${LONG_PAGES} pages`, 1, [long])
  rmSync(folder, { recursive: true })
}

function compare(python: string, label: string, rounds: number, files: readonly string[]): void {
  console.log(`${label}:`)
  const peer = taken('Qwen-Agent', python, [place('qwen-agent-pdf.py'), String(rounds), ...files])
  const ours = taken('Passim', process.execPath, [
    ...PARSER_V8_FLAGS,
    place('passim-pdf.mjs'),
    String(rounds),
    ...files,
  ])
  const speed = ours.pages / ours.seconds / (peer.pages / peer.seconds)
  console.log(`  pages a CPU second: ${speed.toFixed(1)} times the peer's (mark ${MARKS.speed})`)
  console.log(`  peak memory: ${(ours.peakMiB / peer.peakMiB).toFixed(2)} of the peer's (mark ${MARKS.memory})`)
}

function taken(name: string, program: string, args: readonly string[]): Taken {
  const result = JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as Taken // what the scripts beside this one print
  const { pages, seconds, peakMiB } = result
  const rate = (pages / seconds).toFixed(1)
  console.log(`  ${name}: ${pages} pages in ${seconds.toFixed(1)} s, ${rate} a second; ${peakMiB.toFixed(0)} MiB`)
  return result
}

function generatedPage(page: number): (PdfText | PdfLine)[] {
  const words = generatedText(page * 2, 420).replace(/\s+/g, ' ')
  const lines = words.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?= |$)`, 'g')) ?? []
  const text = lines.slice(0, 38).map((line, index) => ({ text: line.trim(), x: 72, y: 72 + index * 13 }))
  const rules = Array.from(
    { length: 6 },
    (_, row): PdfLine => ({ from: [72, 600 + row * 18], to: [512, 600 + row * 18] }),
  )
  const sides = Array.from({ length: 5 }, (_, column): PdfLine => {
    return { from: [72 + column * 110, 600], to: [72 + column * 110, 690] }
  })
  const cells = Array.from({ length: 20 }, (_, cell) => {
    const [row, column] = [Math.floor(cell / 4), cell % 4]
    return { text: row === 0 ? `Column ${column}` : `${page}.${row}${column}`, x: 76 + column * 110, y: 613 + row * 18 }
  })
  return [...text, ...rules, ...sides, ...cells]
}
