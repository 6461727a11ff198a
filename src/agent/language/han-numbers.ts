import { chineseNumber } from '../../search/analysis/chinese-number.ts'
import type { StatedNumber } from './stated-number.ts'

const RUN = /百分之|第?[零〇一二两三四五六七八九十百千万亿]+|半/gu

/** Followed by one of these, a single character counts something. */
const MEASURE =
  /^(?:个?(?:小时|分钟|工作日|月|星期|世纪)|[年月日天周时分秒元次倍项条款人家名位册本份台件套页章节层楼级类种岁米吨斤克升里度成角平公千万亿%％])/
/** `一个`, `一种`, `一次` say `a`, `one of`; `一年` and `一元` count. */
const COUNTS_ONE = /^(?:个?(?:小时|分钟|工作日|月|星期)|[年月日天周册本台元岁倍米吨斤页层])/
const IDIOM = /^(?:千万|万一|一一|万千|千百|百千|万万)$|^十(?=分(?!钟))/

/** Numbers in Han characters; of `半`, one half. */
export function hanNumbers(text: string): readonly StatedNumber[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    if (run === '百分之') return []
    const place = { start: index, end: index + run.length }
    if (run === '半') return [{ value: '0.5', digits: '0.5', ...place, isIncidental: !isHalf(text, index) }]
    const isOrdinal = run.startsWith('第')
    const digits = run.replace('第', '')
    const value = numberOf(digits)
    if (value === undefined) return []
    const after = text.slice(index + run.length, index + run.length + 4)
    const counts = digits === '一' ? COUNTS_ONE.test(after) : digits.length > 1 || MEASURE.test(after)
    const isIncidental = IDIOM.test(digits) || IDIOM.test(digits + after) || !(isOrdinal || counts)
    return [{ value: String(value), digits: String(value), ...place, isIncidental }]
  })
}

function numberOf(digits: string): number | undefined {
  const [high = '', low, ...more] = digits.split('亿')
  if (low === undefined) return chineseNumber(digits)
  const [above, below] = [chineseNumber(high), low === '' ? 0 : chineseNumber(low)]
  return above === undefined || below === undefined || more.length > 0 ? undefined : above * 1e8 + below
}

function isHalf(text: string, at: number): boolean {
  return /^半(?:年|个?月|天|日|小时|价|数)/.test(text.slice(at, at + 4)) || /[一过]$/.test(text.slice(0, at))
}
