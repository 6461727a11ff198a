import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.js'
import type { Box } from '../../../block.ts'
import type { OcrReport } from '../../parser.ts'
import { removeDoubledText } from './doubled-text.ts'
import { type Annotation, readAppearances, readFilledIn } from './fields.ts'
import { createFontReader, type FontTraits, readDingbats, replaceRadicals } from './fonts.ts'
import { readGraphics } from './graphics.ts'
import { type PlacedLink, placeLinks } from './layout/link-places.ts'
import { joinTurnedItems } from './layout/turned-lines.ts'
import { placeDownwards, turnVerticalText } from './layout/vertical-text.ts'
import type { Fragment } from './lines.ts'
import { filterBelievable, type LostText } from './lost-text.ts'
import { apply, type Matrix, multiply, toMatrix } from './matrix.ts'
import type { Rule } from './rules.ts'
import { settleTallText } from './tall-text.ts'

export type PageContent = {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly fragments: readonly Fragment[]
  readonly rules: readonly Rule[]
  readonly images: number
  /** A picture takes up most of it, or letters are drawn as shapes. */
  readonly isPicture: boolean
  /** Share of the text that OCR could not read (0 to 1). */
  readonly unreadShare?: number
  /** OCR read it, because its text was in no language. */
  readonly isReplaced?: boolean
  readonly isCut?: boolean
  readonly unread?: number
  readonly lost?: LostText
  readonly ocr?: OcrReport
  /** On the page as shown. */
  readonly links?: readonly PlacedLink[]
  readonly toPageBox: (box: Box) => Box
}

const MANY_UNREAD = 500
/**
 * Share of pictures, or number of shapes, so that only pages whose drawing may contain text are
 * drawn.
 */
const MIN_PICTURE = 0.3
const MIN_PATHS = 50
/** Slant of level text, so that text that runs down a page or stands on its head is read apart. */
const LEVEL_SLANT = 0.1
/** Protects against pages that repeat themselves endlessly. */
export const MAX_ITEMS = 100_000

export async function readPage(
  page: PDFPageProxy,
  { fields, isUnfonted }: { readonly fields: readonly Annotation[]; readonly isUnfonted: boolean },
  signal?: AbortSignal,
): Promise<PageContent> {
  const { items, styles, isCut } = await readText(page, signal)
  const viewport = chooseViewport(page, items)
  const toPage = toMatrix(viewport.transform)
  const graphics = await readGraphics(page, toPage)
  const traitsOf = createFontReader(page, graphics.strokedFonts)
  const fragments: Fragment[] = []
  let isSpaced = false
  const { softHyphens, letterSpacing } = graphics
  const isTurned = (item: TextItem) => !isLevel(multiply(toPage, toMatrix(item.transform)))
  const joined = joinTurnedItems(letterSpacing.join(softHyphens.restore(items)), isTurned)
  for (const item of joined) {
    if (item.str.trim() === '') isSpaced = true
    else {
      const matrix = multiply(toPage, toMatrix(item.transform))
      const traits = traitsOf(item.fontName)
      const placed = {
        ...placeItem(item, matrix, styles[item.fontName]),
        ...(traits.isDingbats && { text: readDingbats(item.str) }),
        ...traits,
        ...(isUnfonted && { lostFont: item.fontName }),
        isSpaced,
      }
      fragments.push(...(item.dir === 'ttb' ? [placeDownwards(placed)] : splitWide(placed)))
      isSpaced = item.hasEOL
    }
  }
  const plain = { isAside: false, isSpaced: true, isBold: false, isMono: false }
  const typed = readFilledIn(fields, toPage)
  const drawn = readAppearances(graphics.appearances, fields, toPage)
  for (const line of [...typed, ...drawn]) fragments.push({ ...line, ...plain })
  const believed = filterBelievable(fragments)
  const { width, height } = viewport
  const { rules, images, imageArea, paths } = graphics
  const toPageBox = (box: Box) => turnBack(box, viewport, page.getViewport({ scale: 1 }))
  return turnVerticalText({
    page: page.pageNumber,
    width,
    height,
    ...believed,
    ...(isCut ? { isCut } : countUnread(graphics.characters, items)),
    fragments: settleTallText(removeDoubledText(believed.fragments)),
    rules,
    images,
    isPicture:
      imageArea > width * height * MIN_PICTURE || (fragments.length === 0 && paths >= MIN_PATHS),
    links: placeLinks(fields, toPage).map(link => ({ ...link, box: toPageBox(link.box) })),
    toPageBox,
  })
}

/** The engine omits text beyond the edges, such as printer's marks. */
function countUnread(drawn: number, items: readonly TextItem[]): { unread?: number } {
  const read = items.reduce((sum, { str }) => sum + str.replace(/\s/g, '').length, 0)
  const unread = drawn - read
  return unread >= MANY_UNREAD && unread > read ? { unread } : {}
}

type Styles = Record<string, { ascent: number; descent: number }>

type PageText = { readonly items: TextItem[]; readonly styles: Styles; readonly isCut: boolean }

async function readText(page: PDFPageProxy, signal?: AbortSignal): Promise<PageText> {
  const reader = page.streamTextContent().getReader()
  const items: TextItem[] = []
  const styles: Styles = {}
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { items, styles, isCut: false }
    signal?.throwIfAborted()
    Object.assign(styles, value.styles)
    for (const item of value.items as (TextItem | TextMarkedContent)[])
      if ('str' in item) items.push(item)
    if (items.length > MAX_ITEMS) {
      await reader.cancel(new Error('too many items'))
      return { items, styles, isCut: true }
    }
  }
}

type Placed = Omit<Fragment, keyof FontTraits | 'isSpaced'>

function placeItem(
  item: TextItem,
  matrix: Matrix,
  style?: { ascent: number; descent: number },
): Placed {
  const size = Math.hypot(matrix[2], matrix[3]) || Math.hypot(matrix[0], matrix[1]) || 1
  const ascent = size * clamp(style?.ascent, 0.6, 1, 0.85)
  const descent = size * clamp(style?.descent, -0.35, -0.1, -0.2)
  const [x, y] = apply(matrix, 0, 0)
  const isTurned = !isLevel(matrix)
  const level: Box = [x, y - ascent, x + item.width, y - descent]
  const [x0, top, x1, bottom] = isTurned ? findTurnedBox(item, matrix, ascent) : level
  return {
    text: replaceRadicals(item.str),
    x0,
    x1: Math.max(x1, x0 + 0.1),
    top,
    bottom,
    baseline: isTurned ? bottom : y,
    size,
    isAside: isTurned,
  }
}

function isLevel(matrix: Matrix): boolean {
  return matrix[0] > 0 && Math.abs(matrix[1]) < LEVEL_SLANT * matrix[0]
}

function findTurnedBox(item: TextItem, matrix: Matrix, ascent: number): Box {
  const length = Math.hypot(matrix[0], matrix[1]) || 1
  const alongX = matrix[0] / length
  const alongY = matrix[1] / length
  const xs: number[] = []
  const ys: number[] = []
  for (const [along, up] of [
    [0, 0],
    [item.width, 0],
    [0, ascent],
    [item.width, ascent],
  ] as const) {
    xs.push(matrix[4] + alongX * along + alongY * up)
    ys.push(matrix[5] + alongY * along - alongX * up)
  }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

function clamp(value: number | undefined, min: number, max: number, fallback: number): number {
  return value === undefined || Number.isNaN(value) || value === 0
    ? fallback
    : Math.min(max, Math.max(min, value))
}

function splitWide(fragment: Fragment): Fragment[] {
  if (!/\S {3,}\S/.test(fragment.text)) return [fragment]
  const unit = (fragment.x1 - fragment.x0) / fragment.text.length
  return [...fragment.text.matchAll(/\S(?:.*?\S)??(?= {3,}|\s*$)/g)].map(match => ({
    ...fragment,
    text: match[0],
    x0: fragment.x0 + match.index * unit,
    x1: fragment.x0 + (match.index + match[0].length) * unit,
    isSpaced: true,
  }))
}

function chooseViewport(page: PDFPageProxy, items: readonly TextItem[]): PageViewport {
  const unrotated = page.getViewport({ scale: 1 })
  const characters = [0, 0, 0, 0]
  for (const item of items) {
    const [a, b] = multiply(toMatrix(unrotated.transform), toMatrix(item.transform))
    characters[(Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4]! += item.str.length
  }
  const turns = characters.indexOf(Math.max(...characters))
  return turns === 0
    ? unrotated
    : page.getViewport({ scale: 1, rotation: (page.rotate - turns * 90 + 360) % 360 })
}

function turnBack([x0, y0, x1, y1]: Box, from: PageViewport, to: PageViewport): Box {
  if (from.rotation === to.rotation) return [x0, y0, x1, y1]
  const corner = (x: number, y: number) => {
    const [userX, userY] = from.convertToPdfPoint(x, y) as [number, number]
    return to.convertToViewportPoint(userX, userY) as [number, number]
  }
  const [ax, ay] = corner(x0, y0)
  const [bx, by] = corner(x1, y1)
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
}
