import type { OcrOptions } from '../parser.ts'
import { findOcrPackages, OCR_MODEL } from './ocr-packages.ts'
import { findTesseractData } from './tesseract.ts'

const INSTALL = 'Install Passim without --omit=optional, or run npm install'

/** Reason why pictures are not read, and the command or setting that changes it. */
export type OcrProblem = { readonly message: string; readonly advice: string }

export const OCR_OFF: OcrProblem = {
  message: 'OCR is off.',
  advice: 'To read pictures, use --ocr auto or the setting ocr.mode.',
}

/** Returns why pictures cannot be read, and what to do. */
export function findOcrProblem({
  engine,
  languages,
}: Pick<OcrOptions, 'engine' | 'languages'>): OcrProblem | undefined {
  const { pdfium, sharp, tesseract } = findOcrPackages()
  const missing = [
    ...(pdfium ? [] : ['@hyzyla/pdfium']),
    ...(sharp ? [] : ['sharp']),
    ...(engine === 'tesseract' && !tesseract ? ['tesseract.js'] : []),
    ...(engine !== 'pp-ocr' && tesseract ? listMissingData(languages) : []),
  ]
  if (missing.length === 0) return undefined
  return { message: 'OCR is not installed.', advice: `${INSTALL} ${missing.join(' ')}.` }
}

function listMissingData(languages: readonly string[]): string[] {
  return languages
    .filter(language => !findTesseractData(language))
    .map(language => `@tesseract.js-data/${language}`)
}

export function buildOcrId(options: OcrOptions): string {
  const { mode, engine, languages } = options
  if (mode === 'off') return 'ocr-off'
  if (findOcrProblem(options)) return `ocr-${mode}-missing`
  const { pdfium, sharp, tesseract } = findOcrPackages()
  const parts = [`pdfium@${pdfium}`, `sharp@${sharp}`]
  if (engine !== 'pp-ocr' && tesseract) parts.push(`tesseract@${tesseract}:${languages.join('+')}`)
  if (engine !== 'tesseract') parts.push(OCR_MODEL)
  return `ocr-${mode}@2(${parts.join(',')})`
}
