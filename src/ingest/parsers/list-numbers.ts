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
/** A larger number is written in digits, whatever its list counts by. */
const MAX_WORDS = 199
const MAX_CIRCLED = 20
const DIGITS = ' 一二三四五六七八九'

/** What a list counts by, as HTML and OpenDocument write it; `一` are Chinese numerals, `①` numbers in circles. */
export type Numbering = '1' | 'a' | 'A' | 'i' | 'I' | '一' | '①'

/** The number of a list item as it is shown: 3 by `a` is `c`. */
export function listNumber(number: number, by: Numbering, lettersOf = repeatedLetters): string {
  if (by === '1' || !Number.isSafeInteger(number) || number < 1 || number > MAX_WORDS) return String(number)
  if (by === '一') return chinese(number)
  if (by === '①') return number <= MAX_CIRCLED ? String.fromCodePoint(0x245f + number) : String(number)
  const written = by.toLowerCase() === 'a' ? lettersOf(number) : roman(number)
  return by === 'A' || by === 'I' ? written.toUpperCase() : written
}

/** A shown number as it stands before its item: full-width signs need no space. */
export function beforeItem(shown: string): string {
  return shown === '' || /[、）．。]$/.test(shown) ? shown : `${shown} `
}

/** After z and aa comes ab, as HTML and, unless it is told otherwise, OpenDocument count. */
export function letters(number: number): string {
  const upper = Math.floor((number - 1) / 26)
  return (upper > 0 ? letters(upper) : '') + String.fromCodePoint(97 + ((number - 1) % 26))
}

/** After z and aa comes bb, as Office counts. */
export function repeatedLetters(number: number): string {
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}

function roman(number: number): string {
  const [value, sign] = ROMAN.find(([least]) => least <= number) ?? [number, '']
  return sign + (number > value ? roman(number - value) : '')
}

function chinese(number: number): string {
  if (number >= 100)
    return `一百${number % 100 === 0 ? '' : (number % 100 < 10 ? '零' : number < 120 ? '一' : '') + chinese(number % 100)}`
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  return `${tens > 1 ? DIGITS[tens] : ''}${tens > 0 ? '十' : ''}${ones > 0 ? DIGITS[ones] : ''}`
}
