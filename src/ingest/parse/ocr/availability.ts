import type { OcrMode } from '../parser.ts'
import { findMissingModelFiles, findOcrPackages, OCR_MODEL } from './ocr-packages.ts'

export type OcrProblem = { readonly message: string; readonly advice: string }

export const OCR_OFF: OcrProblem = {
  message: 'OCR is off.',
  advice: 'To read pictures, use --ocr auto or the setting ocr.mode.',
}

export function findOcrProblem(): OcrProblem | undefined {
  const { pdfium, sharp } = findOcrPackages()
  if (!pdfium || !sharp)
    return {
      message: 'OCR is not installed.',
      advice: 'Install Passim without --omit=optional, or run npm install @hyzyla/pdfium sharp.',
    }
  if (findMissingModelFiles().length === 0) return undefined
  return {
    message: 'The model of OCR is missing.',
    advice: 'Install Passim again: its folder data/models/pp-ocrv6-small lacks files.',
  }
}

export function buildOcrId(mode: OcrMode): string {
  if (mode === 'off') return 'ocr-off'
  if (findOcrProblem()) return `ocr-${mode}-missing`
  const { pdfium, sharp } = findOcrPackages()
  return `ocr-${mode}@5(pdfium@${pdfium},sharp@${sharp},${OCR_MODEL})`
}
