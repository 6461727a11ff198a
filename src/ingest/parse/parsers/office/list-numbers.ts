const ROMAN: readonly (readonly [number, string])[] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]
/** Larger numbers are digits, so that a list of thousands stays readable. */
const MAX_WORDS = 199
const DIGITS = ' 一二三四五六七八九'
const FORMAL: Readonly<Record<string, string>> = {
  一: '壹',
  二: '贰',
  三: '叁',
  四: '肆',
  五: '伍',
  六: '陆',
  七: '柒',
  八: '捌',
  九: '玖',
  十: '拾',
  百: '佰',
}
/** Sequences without a rule. Further numbers are digits. */
const SEQUENCES = {
  '①': '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳',
  甲: '甲乙丙丁戊己庚辛壬癸',
  子: '子丑寅卯辰巳午未申酉戌亥',
} as const
const ORDINAL_ENDINGS = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  zero: 'th',
  many: 'th',
} as const
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })

/** `壹` stands for formal Chinese numerals. */
export type Numbering =
  | '1'
  | '01'
  | '1st'
  | 'a'
  | 'A'
  | 'i'
  | 'I'
  | '一'
  | '壹'
  | keyof typeof SEQUENCES

export function formatListNumber(
  number: number,
  by: Numbering,
  lettersOf = formatRepeatedLetters,
): string {
  if (by === '1' || !Number.isSafeInteger(number) || number < 1 || number > MAX_WORDS)
    return String(number)
  if (by === '01') return String(number).padStart(2, '0')
  if (by === '1st') return `${number}${ORDINAL_ENDINGS[ORDINALS.select(number)]}`
  if (by === '一') return formatChinese(number)
  if (by === '壹') return formatFormalChinese(number)
  if (by === '①' || by === '甲' || by === '子') return SEQUENCES[by][number - 1] ?? String(number)
  const written = by.toLowerCase() === 'a' ? lettersOf(number) : formatRoman(number)
  return by === 'A' || by === 'I' ? written.toUpperCase() : written
}

/** Full-width signs need no space. */
export function formatBeforeItem(formatted: string): string {
  return formatted === '' || /[、）．。]$/.test(formatted) ? formatted : `${formatted} `
}

/** After z and aa comes ab, as in HTML and OpenDocument. */
export function formatLetters(number: number): string {
  const upper = Math.floor((number - 1) / 26)
  return (upper > 0 ? formatLetters(upper) : '') + String.fromCodePoint(97 + ((number - 1) % 26))
}

/** After z and aa comes bb, as in Office. */
export function formatRepeatedLetters(number: number): string {
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}

function formatRoman(number: number): string {
  const [value, sign] = ROMAN.find(([least]) => least <= number) ?? [number, '']
  return sign + (number > value ? formatRoman(number - value) : '')
}

function formatChinese(number: number): string {
  if (number >= 100)
    return `一百${number % 100 === 0 ? '' : (number % 100 < 10 ? '零' : number < 120 ? '一' : '') + formatChinese(number % 100)}`
  const tens = Math.floor(number / 10)
  const ones = number % 10
  return `${tens > 1 ? DIGITS[tens] : ''}${tens > 0 ? '十' : ''}${ones > 0 ? DIGITS[ones] : ''}`
}

/** Ten is 壹拾, not 十. */
function formatFormalChinese(number: number): string {
  const counted = `${number >= 10 && number < 20 ? '一' : ''}${formatChinese(number)}`
  return counted.replace(/[一二三四五六七八九十百]/g, sign => FORMAL[sign] ?? sign)
}
