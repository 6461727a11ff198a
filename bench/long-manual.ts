/**
 * How soon a long manual answers once it is parsed: a generated PDF, asked about as `passim ask --file` does, and indexed with vectors
 * beside small texts, where each document is to be found by its words. By the clock, and in CPU of the main process, from
 * the end of a document's parse. The marks: a cited answer in at most 10 s, found by words within 1 s.
 * usage: npx tsx bench/long-manual.ts [PAGES 1000] [TEXTS 20]      (after npm run build)
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import type { IndexEvent } from '../src/app/index-documents.ts'
import { type PdfText, pdf } from '../test/fixtures/pdf.ts'
import { generatedText } from './generated-text.ts'

const { open } = (await import(new URL('../dist/app.js', import.meta.url).href)) as typeof import('../src/app.ts') // as it ships
const [pages = 1000, texts = 20] = process.argv.slice(2).map(Number)
const FACT = 'The warranty of the circulation pump lasts 37 months.'
const QUESTION = 'How long does the warranty of the circulation pump last?'
const LINE_CHARACTERS = 85

const folder = await mkdtemp(path.join(tmpdir(), 'passim-manual-'))
const manual = path.join(folder, 'manual.pdf')
await writeFile(manual, pdf(Array.from({ length: pages }, (_, page) => pageOf(page))))
for (let seed = 0; seed < texts; seed++) await writeFile(path.join(folder, `${seed}.txt`), generatedText(seed, 400))
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; ${pages} pages`,
)

async function ask(): Promise<void> {
  const passim = await open({ home: path.join(folder, 'asked'), environment: {} })
  const [started, parsed] = [performance.now(), new ParseEnds()]
  for await (const event of passim.ask({ question: QUESTION, files: [manual], onIndex: parsed.note }).events) {
    if (event.type !== 'citation') continue
    const parseMs = parsed.at(manual) - started
    console.log(`asked: parsed after ${seconds(parseMs)} s; a cited answer ${parsed.since(manual)} later`)
    console.log(`  cited: p. ${event.citation.pages?.[0]}, ${event.citation.text.slice(0, 80)}`)
    break
  }
  await passim.close()
}

/** Until all can be found; their vectors are not waited for. */
async function index(): Promise<void> {
  const passim = await open({ home: path.join(folder, 'indexed'), environment: {} })
  const [parsed, stop, waits] = [new ParseEnds(), new AbortController(), [] as number[]]
  const onEvent = (event: IndexEvent) => {
    parsed.note(event)
    if (event.type !== 'searchable') return
    if (event.source === manual)
      console.log(`indexed: the manual is found by its words ${parsed.since(manual)} after its parse`)
    else waits.push(performance.now() - parsed.at(event.source))
    if (parsed.found === texts + 1) stop.abort()
  }
  await passim.index([folder], { exclude: ['asked', 'indexed'], onEvent, signal: stop.signal }).catch(() => {})
  const sorted = waits.toSorted((a, b) => a - b)
  console.log(
    `  ${sorted.length} small texts: median ${seconds(sorted[sorted.length >> 1]!)} s, longest ${seconds(sorted.at(-1)!)} s`,
  )
  await passim.close()
}

function pageOf(page: number): PdfText[] {
  const words = `${page === Math.floor(pages * 0.7) ? `${FACT} ` : ''}${generatedText(page * 2, 420)}`.replace(
    /\s+/g,
    ' ',
  )
  const lines = words.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?= |$)`, 'g')) ?? []
  return lines.slice(0, 44).map((line, at) => ({ text: line.trim(), x: 72, y: 72 + at * 15 }))
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

/** When the parse of each document ended: with the last that was told of it before its chunks. */
class ParseEnds {
  readonly #ends = new Map<string, { readonly ms: number; readonly cpu: NodeJS.CpuUsage }>()
  found = 0

  readonly note = (event: IndexEvent): void => {
    if (event.type === 'searchable') this.found++
    if (event.type !== 'progress') return
    const isFirstChunk = event.stage === 'chunk' && !this.#ends.has(event.source) // of what has no pages
    if (event.stage === 'parse' || isFirstChunk)
      this.#ends.set(event.source, { ms: performance.now(), cpu: process.cpuUsage() })
  }

  at(source: string): number {
    return this.#ends.get(source)!.ms // it was parsed
  }

  since(source: string): string {
    const { ms, cpu } = this.#ends.get(source)! // as above
    const { user, system } = process.cpuUsage(cpu)
    return `${seconds(performance.now() - ms)} s (${seconds((user + system) / 1000)} s of CPU)`
  }
}

await ask()
await index()
await rm(folder, { recursive: true })
