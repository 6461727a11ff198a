/**
 * Peak memory over all processes (the sum of their RSS, in which pages that they share count once for each) of indexing
 * a large text and a long PDF by keywords; and the time that a folder of unchanged files takes to check again.
 * By default upkeep takes a share of the machine's memory, the more the more passages there are; UPKEEP_MIB bounds it.
 * usage: npx tsx bench/memory.ts [TEXT_MIB 1024] [PDF_PAGES 2000] [FILES 10000] [UPKEEP_MIB]       (after npm run build; Linux)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PdfText, pdf } from '../test/fixtures/pdf.ts'
import { generatedText } from './generated-text.ts'
import { writeLargeText } from './large-text.ts'
import { childrenOf, commandOf, residentBytesOfTree } from './process-tree.ts'

const [textMib = 1024, pdfPages = 2000, files = 10_000, upkeepMib] = process.argv.slice(2).map(Number)
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const folder = await mkdtemp(path.join(tmpdir(), 'passim-memory-'))
const settings = path.join(folder, 'settings.json')
await writeFile(settings, JSON.stringify(upkeepMib ? { upkeep: { memoryBytes: upkeepMib * 2 ** 20 } } : {}))
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)

if (textMib > 0) await measure(`a text of ${textMib} MiB`, 'text', await largeText())
if (pdfPages > 0) await measure(`a PDF of ${pdfPages} pages`, 'pdf', await longPdf())
if (files > 0) {
  const docs = await manyFiles()
  await measure(`${files} small files`, 'files', docs)
  await measure(`${files} unchanged files`, 'files', docs)
}
await rm(folder, { recursive: true })

async function largeText(): Promise<string> {
  const file = path.join(folder, 'large.txt')
  await writeLargeText(file, textMib * 2 ** 20)
  return file
}

async function longPdf(): Promise<string> {
  const file = path.join(folder, 'long.pdf')
  const pages = Array.from({ length: pdfPages }, (_, page) => linesOf(generatedText(page * 2, 300)))
  await writeFile(file, pdf(pages))
  return file
}

/** A page of text: 11 points, 14 apart. */
function linesOf(text: string): readonly PdfText[] {
  const lines = text.replace(/[^\x20-\x7e]/g, ' ').match(/.{1,80}( |$)/g) ?? []
  return lines.map((line, index) => ({ text: line.trim(), x: 72, y: 72 + index * 14, size: 11 }))
}

async function manyFiles(): Promise<string> {
  const docs = path.join(folder, 'files')
  await mkdir(docs)
  for (let seed = 0; seed < files; seed++) await writeFile(path.join(docs, `${seed}.txt`), generatedText(seed, 40))
  return docs
}

async function measure(what: string, home: string, source: string): Promise<void> {
  const started = performance.now()
  const place = ['--home', path.join(folder, `home-${home}`), '--config', settings]
  const args = [CLI, ...place, '--quiet', 'index', source, '--no-vectors']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', text => (output += text))
  let peak = 0
  let shares = ''
  const look = () => {
    const bytes = residentBytesOfTree(child.pid ?? 0)
    if (bytes <= peak) return
    peak = bytes
    shares = childrenOf(child.pid ?? 0)
      .map(shareOf)
      .join(', ')
  }
  const timer = setInterval(look, 100)
  await once(child, 'close')
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${what}: ${seconds.toFixed(1)} s, peak ${Math.round(peak / 2 ** 20)} MiB over all processes (${shares}); ${output.trim()}`,
  )
}

function shareOf(pid: number): string {
  const script = commandOf(pid).match(/([\w-]+)\.js/)?.[1]
  return `${script ?? pid} ${Math.round(residentBytesOfTree(pid) / 2 ** 20)}`
}
