import { type Hit, type HitCopy, MAX_HITS } from '../searcher.ts'
import type { Stage } from '../stage.ts'

/** Size of a margin at either end, so that content is never taken for one. */
const MARGIN_LINES = 3
const MARGIN_CHARS = 160
/** Minimum equal characters beside a different margin, so that short passages are not merged. */
const SAME_CHARS = 200
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/** Words of a margin line about printing. */
const OF_PRINTING =
  /^(?:page|printed|generated|exported|retrieved|downloaded|accessed|last|updated|date|time|on|at|第|页|打印|导出|生成|下载|访问|最后|更新|日期|时间|于)+$/u
const NAMES_PRINTING =
  /page|printed|generated|exported|retrieved|downloaded|accessed|updated|页|打印|导出|生成|下载|访问|更新/u

export const foldCopies: Stage = async ({ limit }, find) => {
  for (let fetchLimit = limit; ; fetchLimit = Math.min(fetchLimit * 2, MAX_HITS)) {
    const found = await find(fetchLimit)
    const firsts = mergeCopies(found)
    if (firsts.length >= limit || found.length < fetchLimit || fetchLimit === MAX_HITS)
      return firsts.slice(0, limit)
  }
}

export function mergeCopies(hits: readonly Hit[]): readonly Hit[] {
  const copies = new Map<string, HitCopy[]>()
  const firsts: { readonly hit: Hit; readonly key: string }[] = []
  for (const hit of hits) {
    const key = buildPassageKey(hit.text) || hit.chunkId
    const previous = copies.get(key)
    if (previous) previous.push(toCopy(hit))
    else {
      copies.set(key, [])
      firsts.push({ hit, key })
    }
  }
  return firsts.map(({ hit, key }) => {
    const others = copies.get(key) ?? []
    return others.length > 0 ? { ...hit, copies: others } : hit
  })
}

function toCopy({ chunkId, documentId, source, name, pages, charStart, charEnd }: Hit): HitCopy {
  return { chunkId, documentId, source, name, ...(pages && { pages }), charStart, charEnd }
}

/** Dates and page numbers: the only difference allowed in a margin. */
const PLACE_AND_TIME = new RegExp(
  [
    String.raw`\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?`,
    String.raw`\d{1,2}[/.]\d{1,2}[/.]\d{2,4}`,
    String.raw`(?:\d{1,2}(?:st|nd|rd|th)?\s)?${MONTH}\.?\s(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?\d{4}`,
    String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?`,
    String.raw`page\s\d+(?:\s?(?:of|/)\s?\d+)?`,
    String.raw`第\s?\d+\s?页(?:\s?[/,，]?\s?共\s?\d+\s?页)?`,
  ].join('|'),
  'giu',
)

/**
 * Ignores white space, quotation marks, hyphens, and print dates and page numbers beside 200 other
 * characters, but no point or capital (`1.5 mg`, `15 mg`; `mW`, `MW`).
 */
function buildPassageKey(text: string): string {
  const lines = text.split('\n').map(normalizeLine).filter(Boolean)
  const inner = removeMargins(lines).join(' ')
  return inner.length >= SAME_CHARS ? inner : lines.join(' ')
}

function removeMargins(lines: readonly string[]): readonly string[] {
  let first = 0
  let last = lines.length
  while (first < MARGIN_LINES && first < last && isPrintingLine(lines[first])) first++
  while (lines.length - last < MARGIN_LINES && first < last && isPrintingLine(lines[last - 1]))
    last--
  return lines.slice(first, last)
}

function isPrintingLine(line: string | undefined): boolean {
  if (line === undefined || line.length > MARGIN_CHARS) return false
  const lower = line.toLowerCase()
  const rest = lower.replace(PLACE_AND_TIME, '').replace(/[\s:：,，.·|/()（）–-]+/gu, '')
  return NAMES_PRINTING.test(lower) && (rest === '' || OF_PRINTING.test(rest))
}

/** Characters with several spellings, and unusual spaces. */
const UNUSUAL = /[\u00ad\u200b-\u200d\ufeff“”„‘’‐‑]|\s\s|[^\S ]/

function normalizeLine(line: string): string {
  if (!UNUSUAL.test(line)) return line.trim()
  return line
    .replace(/[\u00ad\u200b-\u200d\ufeff]/g, '')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[‐‑]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}
