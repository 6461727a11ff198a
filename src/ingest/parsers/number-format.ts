import { formatDate, isDatePattern } from './date-format.ts'
import { formatDigits, general } from './digit-format.ts'
import { splitSections, type Token, tokens } from './format-pattern.ts'

/** What a person sees in a cell that holds a number. */
export type NumberFormat = (value: number) => string

/** A part of a format that has several: for which numbers it is, and how they are written. */
type Section = { readonly pattern: readonly Token[]; readonly condition?: Condition | undefined }
type Condition = { readonly operator: string; readonly limit: number }

export type NumberFormatOptions = {
  /** Days are counted from 1904, as on old Macintoshes. */
  readonly is1904?: boolean | undefined
}

/** The formats a workbook may use by number alone (ECMA-376, 18.8.30); 14 and 22 follow the reader's country, so ISO. */
const BUILTIN_FORMATS: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
}

/** The format with this number; undefined for those a workbook defines itself. */
export function builtinFormat(id: number): string | undefined {
  return BUILTIN_FORMATS[id]
}

/** How numbers look under a format code, as `#,##0.00;[Red]-#,##0.00` or `yyyy"年"m"月"`. */
export function numberFormat(code: string, options: NumberFormatOptions = {}): NumberFormat {
  const sections = splitSections(code).slice(0, 3).map(parseSection)
  return value => {
    const index = chooseSection(sections, value)
    const section = sections[index]
    if (!section) return general(value)
    if (isGeneral(section)) return formatGeneral(section, index === 0 ? value : Math.abs(value))
    if (isDatePattern(section.pattern)) return formatDate(section.pattern, value, options.is1904 ?? false)
    const showsSign = index === 0 && !section.condition && value < 0
    return formatDigits(section.pattern, Math.abs(value), showsSign)
  }
}

/** `@` stands for text, and a number in a cell of text looks like it does in a cell without a format. */
function isGeneral({ pattern }: Section): boolean {
  return pattern.some(token => 'code' in token && /^(General|@)$/i.test(token.code))
}

function formatGeneral({ pattern }: Section, value: number): string {
  return pattern.map(token => ('literal' in token ? token.literal : general(value))).join('')
}

function parseSection(code: string): Section {
  const written = /\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]/.exec(code)
  const condition = written ? { operator: written[1]!, limit: Number(written[2]) } : undefined
  return { pattern: tokens(code), condition }
}

/** With two sections the second is for negative numbers, with three the third for zero, unless they state conditions. */
function chooseSection(sections: readonly Section[], value: number): number {
  const stated = sections.findIndex(({ condition }) => condition && holds(condition, value))
  if (stated >= 0) return stated
  if (sections.some(section => section.condition)) return sections.findLastIndex(section => !section.condition)
  if (value < 0 && sections.length > 1) return 1
  return value === 0 && sections.length > 2 ? 2 : 0
}

function holds({ operator, limit }: Condition, value: number): boolean {
  if (operator === '<') return value < limit
  if (operator === '<=') return value <= limit
  if (operator === '>') return value > limit
  if (operator === '>=') return value >= limit
  return (operator === '=') === (value === limit)
}
