import type { OcrMode } from '../parser.ts'
import { findOcrPackages, OCR_MODEL } from './ocr-packages.ts'

const INSTALL = 'Install Passim without --omit=optional, or run npm install'

export type OcrProblem = { readonly message: string; readonly advice: string }

export const OCR_OFF: OcrProblem = {
  message: 'OCR is off.',
  advice: 'To read pictures, use --ocr auto or the setting ocr.mode.',
}

export function findOcrProblem(): OcrProblem | undefined {
  const { pdfium, sharp } = findOcrPackages()
  const missing = [...(pdfium ? [] : ['@hyzyla/pdfium']), ...(sharp ? [] : ['sharp'])]
  if (missing.length === 0) return undefined
  return { message: 'OCR is not installed.', advice: `${INSTALL} ${missing.join(' ')}.` }
}

export function buildOcrId(mode: OcrMode): string {
  if (mode === 'off') return 'ocr-off'
  if (findOcrProblem()) return `ocr-${mode}-missing`
  const { pdfium, sharp } = findOcrPackages()
  return `ocr-${mode}@4(pdfium@${pdfium},sharp@${sharp},${OCR_MODEL})`
}
