import type { Box } from '../../block.ts'

export type OcrLine = {
  readonly text: string
  readonly box: Box
  /** Size of the text in pixels, from the feet of `g` to the top of `l`. */
  readonly size: number
  /** Mean probability of the characters. */
  readonly confidence: number
}

export const OCR_ENGINE = 'pp-ocr'

/** Mean confidence below which the text may differ from the picture. */
const UNSURE = 0.85

/** Share of the text's area; pages in known scripts have .00, half a page in another one .3. */
const MAX_UNREAD = 0.1

export function isPartlyUnread(unreadShare: number) {
  return unreadShare > MAX_UNREAD
}

export function isUnsure({ confidence }: { readonly confidence: number }) {
  return confidence < UNSURE
}
