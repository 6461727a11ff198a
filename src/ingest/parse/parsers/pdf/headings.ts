import { getFirst } from '../../../../system/items.ts'
import { isSentence } from '../heading-numbers.ts'
import { findListMarker, type Paragraph } from './paragraphs.ts'
import { findLevel, LARGER, type Profile, toTitleKey } from './profile.ts'

const MAX_LINES = 4
const MAX_CHARACTERS = 200
/** Bounded, so that a bold sentence stays text. */
const MAX_BOLD_CHARACTERS = 120

/** Named parts of a Chinese text are headings whatever they look like. */
const CHINESE_PART = /^第[一二三四五六七八九十百零〇\d]{1,5}(编|篇|部分|章|节)([\s\u3000:：]|$)/
const ENGLISH_PART = /^(part|chapter|appendix|section|article|annex)\s+([ivxlc]+|\d+|[a-z])\b/i
const TABLE_OF_CONTENTS = /(\.{3,}|…{1,}|·{3,}|(\. ){3,}|\s)\s*\d+$/

export function findHeadingLevel(
  paragraph: Paragraph,
  text: string,
  profile: Profile,
): number | undefined {
  const { lines } = paragraph
  const [first] = lines
  if (!first || lines.length > MAX_LINES || text.length > MAX_CHARACTERS || !/\p{L}/u.test(text))
    return undefined
  const outlined = profile.outline.get(toTitleKey(text))
  if (outlined) return outlined
  if (findListMarker(text)?.isBullet) return undefined
  const size = Math.max(...lines.map(line => line.size))
  const isLarger = size > profile.bodySize * LARGER
  const isBold =
    !profile.isBodyBold && lines.every(line => line.isBold) && size > profile.bodySize * 0.9
  if (isNamedPart(paragraph, text))
    return isLarger || isBold ? findLevel(size, profile) : findPartLevel(text)
  if (isSentence(text)) return undefined
  if (isLarger) return findLevel(size, profile)
  return isBold && lines.length <= 2 && text.length <= MAX_BOLD_CHARACTERS
    ? findLevel(size, profile)
    : undefined
}

/** Matches `第三章 总则` or `PART II`, alone on its line and not in a table of contents. */
function isNamedPart({ lines, column }: Paragraph, text: string): boolean {
  if (lines.length > 1 || text.length > 60 || isSentence(text)) return false
  if (/\.{4,}|…|·{4,}/.test(text) && TABLE_OF_CONTENTS.test(text)) return false
  const isShort = getFirst(lines).x1 - getFirst(lines).x0 < (column.x1 - column.x0) * 0.8
  return CHINESE_PART.test(text) || (isShort && ENGLISH_PART.test(text) && !/[.]$/.test(text))
}

function findPartLevel(text: string): number {
  const name = CHINESE_PART.exec(text)?.[1] ?? ENGLISH_PART.exec(text)?.[1]?.toLowerCase()
  return name === '节' || name === 'section' || name === 'article' ? 2 : 1
}
