import { getLast } from '../../../system/items.ts'

const ARABIC =
  /^(\d{1,3}(?:\.\d{1,3}){0,5})(?:\.|．)?(?:\s+|(?=\p{Script=Han}))(?=["“‘(（《]?[\p{Lu}\p{Lo}])/u
const CHINESE = /^[（(]?第?([一二三四五六七八九十百]{1,5})(编|篇|部分|章|节|、|[)）])/
const DIGITS = '一二三四五六七八九'
const SENTENCE = /[。；，,;、]$|[^.\d]\.$/

/** Depth is 1 for `2` and `第二章`, 2 for `2.1` and `第二节`, 3 for `二、`. */
export type HeadingNumber = {
  readonly depth: number
  readonly path: readonly number[]
}

export function parseHeadingNumber(text: string): HeadingNumber | undefined {
  const arabic = ARABIC.exec(text)
  if (arabic) {
    const path = (arabic[1] ?? '').split('.').map(Number)
    return path.includes(0) ? undefined : { depth: path.length, path }
  }
  const chinese = CHINESE.exec(text)
  return chinese
    ? { depth: findChineseDepth(chinese[2] ?? ''), path: [parseChineseNumber(chinese[1] ?? '')] }
    : undefined
}

function findChineseDepth(mark: string): number {
  if (mark === '、') return 3
  return mark === ')' || mark === '）' ? 4 : mark === '节' ? 2 : 1
}

function parseChineseNumber(written: string): number {
  const [before, after] = written.includes('十')
    ? written.replace(/^.*百零?/, '').split('十')
    : ['', getLast(written)]
  const tens = written.includes('十') ? (before ? DIGITS.indexOf(before) + 1 : 1) * 10 : 0
  return (written.includes('百') ? 100 : 0) + tens + DIGITS.indexOf(after ?? '') + 1
}

/** Returns true for parts of sentences, too. */
export function isSentence(text: string): boolean {
  return SENTENCE.test(text)
}
