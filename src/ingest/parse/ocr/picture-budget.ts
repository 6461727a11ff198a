import { statSync } from 'node:fs'
import type { ParserInput } from '../parser.ts'
import type { OcrProblem } from './availability.ts'

/** OCR of a dense page takes 4 s of processor time; slow machines and hard pages take more. */
export const DEFAULT_PAGE_TIME_MS = 120_000

/**
 * Bytes that allow one more page time. JBIG2 in a PDF takes 2 bytes a character, other formats 8
 * or more, OCR 1.4 ms a character: less than half the time.
 */
const PAGE_BYTES = { pdf: 64 * 1024, picture: 256 * 1024 }

/** Share of a page time that the smallest file has: LimitWatch stops a file at twice the total. */
const SHARE_OF_SMALLEST = 0.5

export const OCR_TIME_SPENT: OcrProblem = {
  message:
    'The time for the pictures of the file is used up. Save its other pages as a separate file.',
  advice: 'The setting ocr.pageTimeMs raises that time.',
}

export class PictureBudget {
  readonly #maxMs: number
  #usedMs = 0

  constructor({ path, ocr }: Pick<ParserInput, 'path' | 'ocr'>, form: keyof typeof PAGE_BYTES) {
    const { pageTimeMs = DEFAULT_PAGE_TIME_MS } = ocr ?? {}
    const pages = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / PAGE_BYTES[form]
    this.#maxMs = pageTimeMs * (SHARE_OF_SMALLEST + pages)
  }

  get isSpent(): boolean {
    return this.#usedMs >= this.#maxMs
  }

  async spend<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = process.cpuUsage()
    try {
      return await work()
    } finally {
      const { user, system } = process.cpuUsage(before)
      this.#usedMs += (user + system) / 1000
    }
  }
}
