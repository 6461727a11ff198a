import type { PDFDocumentProxy } from 'pdfjs-dist'
import { getItem } from '../../../../system/items.ts'
import { toSegments } from './lines.ts'
import type { PageContent } from './page.ts'
import { PrintedWords } from './printed-words.ts'

export type Profile = {
  readonly bodySize: number
  /** Then weight says nothing. */
  readonly isBodyBold: boolean
  /** Then nothing is code. */
  readonly isBodyMono: boolean
  readonly headingSizes: readonly number[]
  /** Keyed by title without white space. */
  readonly outline: ReadonlyMap<string, number>
  readonly words: PrintedWords
}

/** Ratio to the running text, so that rounding makes no heading. */
export const LARGER = 1.12
/** Points, so that 14.04 and 13.98 are one size. */
const SAME_SIZE = 0.7
const MAX_HEADING_CHARACTERS = 160
const MAX_OUTLINE_ENTRIES = 5000

export function buildProfile(
  pages: readonly PageContent[],
  outline: ReadonlyMap<string, number>,
  words: PrintedWords = collectWords(pages),
): Profile {
  const weights = new Map<number, number>()
  let bold = 0
  let mono = 0
  let all = 0
  for (const { text, size, isBold, isMono } of pages.flatMap(page => page.fragments)) {
    const rounded = Math.round(size * 2) / 2
    weights.set(rounded, (weights.get(rounded) ?? 0) + text.length)
    all += text.length
    if (isBold) bold += text.length
    if (isMono) mono += text.length
  }
  const bodySize = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 10
  return {
    bodySize,
    isBodyBold: bold > all / 2,
    isBodyMono: mono > all / 2,
    headingSizes: findHeadingSizes(pages, bodySize),
    outline,
    words,
  }
}

function collectWords(pages: readonly PageContent[]): PrintedWords {
  const words = new PrintedWords()
  for (const { fragments } of pages) words.add(fragments)
  return words
}

function findHeadingSizes(pages: readonly PageContent[], bodySize: number): number[] {
  const sizes = pages
    .flatMap(page =>
      toSegments(
        page.fragments.filter(({ size, isAside }) => size > bodySize * LARGER && !isAside),
      ),
    )
    .filter(segment => segment.text.length <= MAX_HEADING_CHARACTERS && /\p{L}/u.test(segment.text))
    .map(segment => segment.size)
    .sort((a, b) => b - a)
  const distinct: number[] = []
  for (const size of sizes)
    if ((distinct.at(-1) ?? Infinity) - size > SAME_SIZE) distinct.push(size)
  return distinct
}

export function findLevel(size: number, { headingSizes }: Profile): number {
  const rank = headingSizes.findIndex(headingSize => Math.abs(headingSize - size) <= SAME_SIZE)
  return Math.min(6, (rank === -1 ? headingSizes.length : rank) + 1)
}

export function toTitleKey(text: string): string {
  return text.replace(/\s+/g, '')
}

type OutlineEntry = { readonly title: string; readonly items: readonly OutlineEntry[] }

export async function readOutline(
  document: PDFDocumentProxy,
): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>()
  const queue: { entry: OutlineEntry; level: number }[] = []
  const entries: readonly OutlineEntry[] = (await document.getOutline().catch(() => [])) ?? []
  queue.push(...entries.map(entry => ({ entry, level: 1 })))
  for (let index = 0; index < queue.length && index < MAX_OUTLINE_ENTRIES; index++) {
    const { entry, level } = getItem(queue, index)
    const key = toTitleKey(entry.title)
    if (key && !levels.has(key)) levels.set(key, Math.min(6, level))
    queue.push(...entry.items.map(child => ({ entry: child, level: level + 1 })))
  }
  return levels
}
