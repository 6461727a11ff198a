/**
 * Measures how often `find` names the place of a quotation or of a picture of a page, and refuses texts that no document has.
 * usage: npx tsx bench/find.ts DOCS STRANGERS.jsonl [--quotations N] [--pages N] [--at-once N] [--tokens N] [--seed N] [--home FOLDER]
 *
 * DOCS is a folder to index. STRANGERS.jsonl has lines with `text`, of which none may stand in DOCS. Quotations are spans of the
 * documents with slips, lost and added line ends, hyphens, wide forms and Traditional characters; pages are their pictures, turned,
 * blurred, shaded and cropped, read by OCR, `--at-once` of them beside each other. `--tokens` is the size of a passage. `--home`
 * keeps the index for other runs. `legible` pages have letters that the OCR model has; the others count in `first`, too.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Passim } from '../src/app/passim.ts'
import { open } from '../src/app.ts'
import { AppError } from '../src/errors.ts'
import { resolveModelFile } from '../src/ingest/parse/ocr/ocr-packages.ts'
import type { Document } from '../src/ingest/store/catalog/document.ts'
import { computePercentile } from '../src/search/evaluation/metrics.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quotations: { type: 'string', default: '1000' },
    pages: { type: 'string', default: '40' },
    'at-once': { type: 'string', default: '1' },
    home: { type: 'string' },
    tokens: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
  },
})
const [docs, strangers] = positionals
if (!docs || !strangers) throw new Error('usage: find.ts DOCS STRANGERS.jsonl')

/** Gives numbers from 0 to below 1 (Park and Miller 1988). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
const random = createRandom(Number(values.seed))
const choose = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

const { Converter } = createRequire(import.meta.url)('opencc-js/cn2t')
const toTraditional: (text: string) => string = Converter({ from: 'cn', to: 't' })

/** Pages between two messages: reading a page takes seconds. */
const PROGRESS_PAGES = 10

/** Share of characters that are replaced, lost or doubled. */
const SLIPS = 0.04

/** Changes a quotation as typing, copying and converting do. */
function garble(text: string): string {
  const letters = [...text]
  const typed = letters.map(letter => mistype(letter, letters)).join('')
  const converted = random() < 0.3 ? toTraditional(typed) : typed
  return random() < 0.2 ? converted.replace(/[0-9a-z]/gi, widen) : converted
}

function mistype(letter: string, letters: readonly string[]): string {
  const chance = random()
  if (letter === ' ') return chance < 0.1 ? '\n' : letter
  if (!/\p{L}/u.test(letter)) return letter
  if (chance < SLIPS / 3) return choose(letters)
  if (chance < (SLIPS * 2) / 3) return ''
  if (chance < SLIPS) return letter + letter
  return /[a-z]/.test(letter) && chance > 0.99 ? `-\n${letter}` : letter
}

function widen(unit: string): string {
  return String.fromCodePoint(unit.charCodeAt(0) + 0xfee0)
}

/** Draws a page turned by up to 2 degrees, blurred, in a shadow, and without up to a fifth of each side. */
async function degrade(png: Uint8Array, random: () => number): Promise<Buffer> {
  const image = await loadImage(Buffer.from(png))
  const { width, height } = image
  const small = createCanvas(Math.round(width * (0.6 + random() * 0.4)), Math.round(height * 0.8))
  small.getContext('2d').drawImage(image, 0, 0, small.width, small.height)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#999'
  context.fillRect(0, 0, width, height)
  context.translate(width / 2, height / 2)
  context.rotate(((random() - 0.5) * 4 * Math.PI) / 180)
  context.drawImage(small, -width / 2, -height / 2, width, height)
  context.resetTransform()
  const shadow = context.createLinearGradient(0, 0, width, height)
  shadow.addColorStop(0, 'rgba(0,0,0,0)')
  shadow.addColorStop(1, `rgba(0,0,0,${(random() * 0.5).toFixed(2)})`)
  context.fillStyle = shadow
  context.fillRect(0, 0, width, height)
  const [left, top] = [random() * 0.2 * width, random() * 0.2 * height]
  const cropped = createCanvas(Math.round(width * 0.8), Math.round(height * 0.8))
  cropped.getContext('2d').drawImage(canvas, -left, -top)
  return await cropped.encode('jpeg', 70)
}

async function* readStrangers(file: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { text } = JSON.parse(line)
    if (typeof text === 'string' && text.length > 60) yield text
  }
}

type Text = { readonly document: Document; readonly text: string }

async function measureQuotations(passim: Passim, texts: readonly Text[], count: number) {
  const seconds: number[] = []
  let first = 0
  const missed: string[] = []
  for (let at = 0; at < count; at++) {
    const { document, text } = choose(texts)
    const length = 40 + Math.floor(random() * 260)
    const start = Math.floor(random() * Math.max(1, text.length - length))
    const quotation = text.slice(start, start + length)
    if ((quotation.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 20) continue
    const given = garble(quotation)
    const found = await passim.find({ text: given })
    seconds.push(found.seconds)
    const [place] = found.places
    const isRight = place?.text
      .replace(/\s/g, '')
      .includes(quotation.slice(10, 20).replace(/\s/g, ''))
    const isHere =
      place?.documentId === document.id && place.charStart < start + length && start < place.charEnd
    if (isHere || isRight) first++
    else
      missed.push(
        JSON.stringify({
          document: document.name,
          given,
          found: place && [place.doc, place.text, place.similarity],
        }),
      )
  }
  return {
    count: seconds.length,
    first: first / seconds.length,
    p50: computePercentile(seconds, 0.5),
    p95: computePercentile(seconds, 0.95),
    missed,
  }
}

async function measureStrangers(passim: Passim, file: string, count: number) {
  let refused = 0
  let total = 0
  const accepted: string[] = []
  for await (const text of readStrangers(file)) {
    const start = Math.floor(random() * (text.length - 50))
    const found = await passim.find({
      text: text.slice(start, start + 40 + Math.floor(random() * 260)),
    })
    if (found.places.length === 0) refused++
    else
      accepted.push(
        JSON.stringify([
          text.slice(start, start + 80),
          found.places[0]?.text,
          found.places[0]?.similarity,
        ]),
      )
    if (++total >= count) break
  }
  return { total, refused: refused / total, accepted }
}

/** Letters of which a copy of a page has most in the same order. */
const SHINGLE = 12
const MIN_SHARED = 0.5

/** Returns whether another document has the text of a page. */
function isCopy(found: string, page: string): boolean {
  const [copy, original] = [found, page].map(text => text.replace(/[^\p{L}\p{N}]/gu, ''))
  const starts = Array.from({ length: Math.floor((original?.length ?? 0) / SHINGLE) })
  const shared = starts.filter((_, index) =>
    copy?.includes(original?.slice(index * SHINGLE, (index + 1) * SHINGLE) ?? ''),
  )
  return shared.length >= starts.length * MIN_SHARED
}

type Found = Awaited<ReturnType<Passim['find']>>
type Place = Found['places'][number]
/** `seed` degrades a page alike whatever else is read beside it. */
type Page = Text & { readonly page: number; readonly seed: number }

/** Counts a copy of the page in another document, too. */
function isRight(place: Place | undefined, { document, page, text }: Page): boolean {
  if (place?.documentId === document.id) return place.page === page
  return place !== undefined && isCopy(place.text, text)
}

function describeMiss(found: Found | AppError, page: Page): string | undefined {
  if (found instanceof AppError) return found.message
  const [place] = found.places
  return isRight(place, page) ? undefined : `${place?.doc} ${place?.page} ${place?.similarity}`
}

/** Leaves out pages with little text, and PDF files that cannot be drawn. */
async function choosePages(passim: Passim, texts: readonly Text[], count: number) {
  const paged = texts.filter(
    ({ document }) => (document.pages ?? 0) > 0 && document.mediaType === 'application/pdf',
  )
  const pages: Page[] = []
  for (let at = 0; at < count * 3 && pages.length < count; at++) {
    const { document } = choose(paged)
    const page = 1 + Math.floor(random() * (document.pages ?? 1))
    const text = await passim.pages.read(document, page).then(
      read => read.text,
      () => '',
    )
    if ((text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 200)
      pages.push({ document, page, text, seed: 1 + Math.floor(random() * 2_147_483_645) })
  }
  return pages
}

/** Returns the refusal of a page that cannot be drawn, or in which OCR reads nothing, or for too long. */
async function findPicture(passim: Passim, page: Page, file: string) {
  try {
    const picture = await passim.pages.drawPicture(page.document, page.page, 1400)
    await writeFile(file, await degrade(await readFile(picture), createRandom(page.seed)))
    return await passim.find({ file })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Returns the pages whose letters the OCR model mostly has. */
async function listLegible(pages: readonly Page[]): Promise<ReadonlySet<Page>> {
  const known = new Set(await readFile(resolveModelFile('characters.txt'), 'utf8'))
  const isLegible = ({ text }: Page) => {
    const letters = text.match(/\p{L}/gu) ?? []
    return letters.filter(letter => known.has(letter)).length * 2 >= letters.length
  }
  return new Set(pages.filter(isLegible))
}

async function measurePages(passim: Passim, pages: readonly Page[], folder: string) {
  const seconds: number[] = []
  const missed = new Set<Page>()
  const waiting = [...pages.entries()]
  let total = 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, page] = next
      const found = await findPicture(passim, page, path.join(folder, `page-${index}.jpg`))
      if (!(found instanceof AppError)) seconds.push(found.seconds)
      const reason = describeMiss(found, page)
      if (reason !== undefined) missed.add(page)
      const note = reason && `${page.document.name} ${page.page}: ${reason}`
      if (++total % PROGRESS_PAGES === 0 || note)
        console.log(`  ${total - missed.size} of ${total} pages`, note ?? '')
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values['at-once'])) }, work))
  const times = { p50: computePercentile(seconds, 0.5), p95: computePercentile(seconds, 0.95) }
  const legible = await listLegible(pages)
  const firstOfLegible = 1 - [...missed].filter(page => legible.has(page)).length / legible.size
  const counts = { total, missed: missed.size, legible: legible.size }
  return { ...counts, first: 1 - missed.size / total, firstOfLegible, ...times }
}

const folder = await mkdtemp(path.join(tmpdir(), 'passim-find-'))
const passim = await open({
  home: values.home ?? path.join(folder, 'home'),
  settings: { chunking: { tokens: Number(values.tokens) } },
})
try {
  await passim.index([docs], { withoutVectors: true })
  const documents = (await passim.list('default')).filter(
    ({ status, chunks }) => status === 'completed' && chunks > 0 && chunks < 500,
  )
  const texts: Text[] = []
  for (const document of documents) {
    const { characters } = await passim.library.report(document.id)
    const text = await passim.library.read(document.id, 0, characters)
    if (text.length > 200) texts.push({ document, text })
  }
  const passages = documents.reduce((sum, { chunks }) => sum + chunks, 0)
  console.log(
    `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  )
  console.log(`${texts.length} documents, ${passages} passages`)
  const quotations = await measureQuotations(passim, texts, Number(values.quotations))
  console.log('quotations', { ...quotations, missed: undefined })
  for (const line of quotations.missed.slice(0, 20)) console.log('  missed', line)
  const foreign = await measureStrangers(passim, strangers, Number(values.quotations))
  console.log('strangers', { ...foreign, accepted: undefined })
  for (const line of foreign.accepted.slice(0, 10)) console.log('  accepted', line)
  const pages = await choosePages(passim, texts, Number(values.pages))
  console.log('pages', await measurePages(passim, pages, folder))
} finally {
  await passim.close()
  await rm(folder, { recursive: true, force: true })
}
