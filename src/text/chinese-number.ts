/** Chinese digits and places (Lü Shuxiang, 现代汉语八百词, 1999); `〇` as in years. */
const HAN_DIGITS = '零一二三四五六七八九'
const HAN_PLACES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }
/** Powers of ten that multiply a decimal number. */
const POWERS: Readonly<Record<string, number>> = { 万: 4, 亿: 8, 万亿: 12 }

export function parseChineseNumber(text: string): number | undefined {
  const [integer = '', decimals, ...more] = text.split('点')
  if (more.length > 0) return undefined
  if (decimals !== undefined) return withDecimals(integer, decimals)
  for (const [place, factor] of [
    ['亿', 1e8],
    ['万', 1e4],
  ] as const) {
    const index = integer.indexOf(place)
    if (index < 0) continue
    const high = index === 0 ? 1 : parseChineseNumber(integer.slice(0, index))
    const low = index + 1 === integer.length ? 0 : parseChineseNumber(integer.slice(index + 1))
    return high === undefined || low === undefined || low >= factor
      ? undefined
      : high * factor + low
  }
  return parseBelowMyriad(integer)
}

function withDecimals(integer: string, decimals: string): number | undefined {
  const scale = /[万亿]*$/.exec(decimals)?.[0] ?? ''
  const high = parseChineseNumber(integer)
  const low = parseChineseDigits(decimals.slice(0, decimals.length - scale.length))
  return high === undefined || low === undefined
    ? undefined
    : Number(`${high}.${low}e${POWERS[scale] ?? 0}`)
}

export function parseChineseDigits(han: string): string | undefined {
  const digits = [...han].map(character =>
    character === '〇' ? 0 : character === '两' ? 2 : HAN_DIGITS.indexOf(character),
  )
  return digits.length > 0 && !digits.includes(-1) ? digits.join('') : undefined
}

function parseBelowMyriad(text: string): number | undefined {
  const digits = parseChineseDigits(text)
  if (digits !== undefined) return Number(digits)
  let sum = 0
  let digit: number | undefined
  for (const character of text) {
    const place = HAN_PLACES[character]
    if (place === undefined) {
      const value = parseChineseDigits(character)
      if (value === undefined) return undefined
      digit = Number(value)
      continue
    }
    sum += (digit ?? 1) * place
    digit = undefined
  }
  return text === '' ? undefined : sum + (digit ?? 0)
}
