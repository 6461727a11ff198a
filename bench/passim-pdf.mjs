// What Passim's PDF parser takes for files, its start apart: CPU seconds and, of the whole process, peak MiB.
// usage: node bench/passim-pdf.mjs ROUNDS FILE...      (after npm run build)
import path from 'node:path'
import { pdfParser } from '../dist/ingest/parsers/pdf.js'

const [rounds, ...files] = process.argv.slice(2)

async function countPages(file) {
  let pages = 0
  const input = { path: file, name: path.basename(file), mediaType: 'application/pdf' }
  for await (const event of pdfParser.parse(input)) if (event.type === 'page') pages++
  return pages
}

await countPages(files[0])
let pages = 0
const before = process.cpuUsage()
for (let round = 0; round < Number(rounds); round++) for (const file of files) pages += await countPages(file)
const { user, system } = process.cpuUsage(before)
const peakMiB = process.resourceUsage().maxRSS / 1024
process.stdout.write(`${JSON.stringify({ pages, seconds: (user + system) / 1e6, peakMiB })}\n`)
