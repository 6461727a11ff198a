import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../../errors.ts'
import { getLast } from '../../../system/items.ts'
import type { OcrEngine, OcrLine } from './ocr.ts'
import { importOptional, resolvePackageFile } from './ocr-packages.ts'
import type { Raster } from './raster.ts'

type Tesseract = {
  createWorker(
    languages: readonly string[],
    engineMode: number,
    options: {
      langPath: string
      gzip: boolean
      cacheMethod: string
      errorHandler: (error: unknown) => void
    },
  ): Promise<Worker>
}
type Worker = {
  setParameters(parameters: Readonly<Record<string, string>>): Promise<unknown>
  recognize(
    image: Buffer,
    options: object,
    output: { blocks: true },
  ): Promise<{ data: { blocks: Part[] | null } }>
  terminate(): Promise<unknown>
}
type Part = { readonly paragraphs: readonly { readonly lines: readonly TesseractLine[] }[] }
type Place = { readonly bbox: { x0: number; y0: number; x1: number; y1: number } }
type Word = Place & { readonly text: string; readonly confidence: number }
type TesseractLine = Place & {
  readonly words: readonly Word[]
  readonly rowAttributes?: { readonly rowHeight: number }
}

const LSTM_ONLY = 1
/** Finds blocks and columns, but not which way is up: that needs another 4 MB of data. */
const AUTO_LAYOUT = '3'
/** Heights of a line, so that columns and cells are parted and words are not. */
const WIDE_GAP = 1.1
/** Weight of lines read sideways, so that a page on its side is turned. */
const SIDEWAYS = 0.5
const TALL = 1.5
/** Percent, so that specks and ornaments are not text. */
const MIN_CONFIDENCE = 20

/**
 * Prefers the integer version of the best models; 4.0.0 adds the old engine, at six times the
 * size.
 */
export function findTesseractData(language: string): string | undefined {
  return resolvePackageFile(
    `@tesseract.js-data/${language}`,
    `4.0.0_best_int/${language}.traineddata.gz`,
  )
}

/** Uses data from npm packages; nothing is fetched. */
export async function openTesseract(languages: readonly string[]): Promise<OcrEngine> {
  const worker = await startWorker(languages)
  await worker.setParameters({ tessedit_pageseg_mode: AUTO_LAYOUT, user_defined_dpi: '200' })
  return {
    name: 'tesseract',
    read: async (raster, signal) => {
      signal?.throwIfAborted()
      const { data } = await worker.recognize(encodeGreyMap(raster), {}, { blocks: true })
      const lines = (data.blocks ?? []).flatMap(block =>
        block.paragraphs.flatMap(paragraph => paragraph.lines),
      )
      return lines.flatMap(splitRuns)
    },
    close: async () => void (await worker.terminate()),
  }
}

/** Collects all languages in one folder, as Tesseract requires. */
async function startWorker(languages: readonly string[]): Promise<Worker> {
  const files = languages.map(getDataPath)
  const { createWorker } = await importOptional<Tesseract>('tesseract.js')
  const langPath = mkdtempSync(path.join(tmpdir(), 'passim-ocr-'))
  const remove = () => rmSync(langPath, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    await Promise.all(files.map(file => copyFile(file, path.join(langPath, path.basename(file)))))
    const options = { langPath, gzip: true, cacheMethod: 'none', errorHandler: () => {} } // its promises reject as well
    return await createWorker(languages, LSTM_ONLY, options)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function getDataPath(language: string): string {
  const file = findTesseractData(language)
  if (file) return file
  throw new AppError('invalid_input', `There is no OCR data for the language ${language}.`, {
    advice: `Run npm install @tesseract.js-data/${language}, or change the setting ocr.languages.`,
  })
}

function encodeGreyMap({ width, height, pixels }: Raster): Buffer {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), pixels])
}

function splitRuns(line: TesseractLine): OcrLine[] {
  const height = line.rowAttributes?.rowHeight || line.bbox.y1 - line.bbox.y0
  const runs: Word[][] = []
  for (const word of line.words.filter(
    word => word.text.trim() !== '' && word.confidence >= MIN_CONFIDENCE,
  )) {
    const run = runs.at(-1)
    if (run && word.bbox.x0 - getLast(run).bbox.x1 < height * WIDE_GAP) run.push(word)
    else runs.push([word])
  }
  return runs.map(run => toLine(run, height))
}

function toLine(words: readonly Word[], size: number): OcrLine {
  const text = words.map(word => word.text).join(' ')
  const characters = words.reduce((sum, word) => sum + word.text.length, 0)
  const sum = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  const box = [
    Math.min(...words.map(({ bbox }) => bbox.x0)),
    Math.min(...words.map(({ bbox }) => bbox.y0)),
    Math.max(...words.map(({ bbox }) => bbox.x1)),
    Math.max(...words.map(({ bbox }) => bbox.y1)),
  ] as const
  const isSideways = text.length > 2 && box[3] - box[1] > (box[2] - box[0]) * TALL
  const confidence = (sum / Math.max(1, characters) / 100) * (isSideways ? SIDEWAYS : 1)
  return { text: removeIdeographSpaces(text), box, size, confidence }
}

const IDEOGRAPH =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]'
const SPACE_AFTER = new RegExp(`(?<=${IDEOGRAPH}) +(?=${IDEOGRAPH})`, 'gu')

/** Tesseract reads every ideograph as a word. */
function removeIdeographSpaces(text: string): string {
  return text.replace(SPACE_AFTER, '')
}
