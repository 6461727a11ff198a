/**
 * pdf-parse beside Passim's PDF parser, on the PDFs of the development half of the parsing proof: as they are, turned, in columns,
 * with merged cells; without scans, which pdf-parse does not read. Prints the share of facts found (sentences on their page, cells under their headings) and CPU.
 * usage: npx tsx bench/replaced/pdf-parse.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { halfOf, readQuestionSet } from '../cite-check/question-set.ts'
import { parsingCases } from '../parsing/cases.ts'
import { holds, type ReadFile } from '../parsing/facts.ts'
import { readBy } from '../parsing/readers.ts'
import { cpuSecondsOfChildren } from '../process-tree.ts'
import { installPackages, measureCpu } from './peer-package.ts'

const VERSION = 'pdf-parse@2.4.5'
const CITE_CHECK = new URL('../data/cite-check/', import.meta.url)

/** The part of the package's interface that is used here. */
type PdfParse = new (options: {
  readonly data: Uint8Array
}) => {
  getText(): Promise<{ readonly pages: readonly { readonly num: number; readonly text: string }[] }>
  getTable(): Promise<{
    readonly pages: readonly { readonly tables: readonly (readonly (readonly string[])[])[] }[]
  }>
  destroy(): Promise<void>
}

const { documents } = readQuestionSet(CITE_CHECK)
const ids = [...documents.keys()]
const development = [...documents.values()].filter(({ id }) => halfOf(id, ids) === 'development')
const all = await parsingCases(development, new URL('files/', CITE_CHECK))
const cases = all.filter(({ name, kind }) => name.endsWith('.pdf') && kind !== 'scanned')
const folder = mkdtempSync(path.join(tmpdir(), 'passim-pdf-parse-'))
const files = cases.map(({ name, bytes }) => {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
})

const peer = installPackages(VERSION)
const { PDFParse } = (await import(pathToFileURL(peer.entry('pdf-parse')).href)) as {
  readonly PDFParse: PdfParse // its documented export
}
const theirs = await measureCpu(async () => {
  const read: ReadFile[] = []
  for (const file of files) read.push(await readWithPeer(file))
  return read
})
const before = cpuSecondsOfChildren()
const ours = await measureCpu(() =>
  readBy('passim', files, path.join(folder, 'home'), new AbortController().signal),
)
const oursMs = ours.ms + (cpuSecondsOfChildren() - before) * 1000
report('pdf-parse', theirs.result, theirs.ms)
report('Passim', ours.result, oursMs)
peer.remove()
rmSync(folder, { recursive: true })

async function readWithPeer(file: string): Promise<ReadFile> {
  const parser = new PDFParse({ data: new Uint8Array(readFileSync(file)) })
  try {
    const { pages } = await parser.getText()
    const tables = (await parser.getTable()).pages.flatMap(page => page.tables)
    return {
      pages: pages.map(({ num, text }) => ({ page: num, text })),
      tables,
      isToldIncomplete: false,
    }
  } catch (error) {
    console.log(
      `pdf-parse: ${path.basename(file)}: ${error instanceof Error ? error.message : error}`,
    )
    return { pages: [], tables: [], isToldIncomplete: true }
  } finally {
    await parser.destroy()
  }
}

function report(name: string, read: readonly ReadFile[], ms: number): void {
  const count = (isCell: boolean) => {
    const found = cases.flatMap(({ facts }, at) =>
      facts
        .filter(({ kind }) => kind !== 'told' && (kind === 'cell') === isCell)
        .map(fact => holds(fact, read[at] ?? { pages: [], tables: [], isToldIncomplete: true })),
    )
    return `${found.filter(Boolean).length} of ${found.length}`
  }
  const seconds = (ms / 1000).toFixed(1)
  console.log(`${name}: ${count(false)} sentences, ${count(true)} cells, ${seconds} s of CPU`)
}
