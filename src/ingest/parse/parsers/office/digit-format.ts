/** Larger numbers have an exponent, so that they read as the spreadsheet shows them. */
const MAX_PLAIN = 1e15
const MIN_PLAIN = 1e-9
/** Digits of a fraction, so that it reads as the general format shows it. */
const GENERAL_DIGITS = 10
/** Excel's limit of precision; further digits are noise of binary fractions. */
const EXACT_DIGITS = 15
const MAX_DECIMALS = 30

export function formatGeneralNumber(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= MAX_PLAIN || size < MIN_PLAIN)) return formatScientific(value)
  if (Number.isInteger(value)) return String(value)
  return formatDecimal(
    Number(value.toPrecision(size >= 10 ** GENERAL_DIGITS ? EXACT_DIGITS : GENERAL_DIGITS)),
  )
}

function formatScientific(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(5).split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  return `${mantissa.replace(/\.?0+$/, '')}E${exponent[0]}${digits}`
}

/** Avoids the exponent that JavaScript writes below a millionth. */
function formatDecimal(value: number): string {
  const written = String(value)
  return written.includes('e') ? value.toFixed(MAX_DECIMALS / 2).replace(/\.?0+$/, '') : written
}

export function formatDigits(pattern: readonly Token[], value: number, showsSign: boolean): string {
  const sign = showsSign ? '-' : ''
  if (!pattern.some(token => isDigit(token))) return sign + joinLiterals(pattern)
  const codes = pattern.map(token => ('code' in token ? token.code : ''))
  if (codes.includes('/')) return sign + formatFraction(pattern, value)
  const exponentAt = codes.findIndex(code => /^E[+-]$/i.test(code))
  if (exponentAt >= 0) return sign + withExponent(pattern, exponentAt, value)
  const isZero = Number(formatPlain(pattern, value).replace(/[^\d.]/g, '')) === 0
  return (isZero ? '' : sign) + formatPlain(pattern, value)
}

function joinLiterals(pattern: readonly Token[]): string {
  return pattern.map(token => ('literal' in token ? token.literal : '')).join('')
}

function isDigit(token: Token | undefined): boolean {
  return token !== undefined && 'code' in token && /^[0#?]$/.test(token.code)
}

function formatPlain(pattern: readonly Token[], value: number): string {
  const pointAt = pattern.findIndex(token => 'code' in token && token.code === '.')
  const before = pointAt < 0 ? pattern : pattern.slice(0, pointAt)
  const after = pointAt < 0 ? [] : pattern.slice(pointAt + 1)
  const percents = pattern.filter(token => 'code' in token && token.code === '%').length
  const decimals = Math.min(MAX_DECIMALS, after.filter(isDigit).length)
  const scaled = shift(value, percents * 2 - countTrailingCommas(before, after) * 3)
  const [integer = '', part = ''] = round(scaled, decimals).split('.')
  const decimal = fillDecimals(after, part)
  const point =
    /^\D*\d/.test(decimal) || after.some(token => 'code' in token && token.code === '0') ? '.' : ''
  return fillInteger(before, integer.replace(/^0+/, '')) + point + decimal
}

function countTrailingCommas(before: readonly Token[], after: readonly Token[]): number {
  const all = [...before, ...after]
  const last = all.findLastIndex(isDigit)
  return all.slice(last + 1).filter(token => 'code' in token && token.code === ',').length
}

function shift(value: number, power: number): number {
  const [mantissa, exponent = '0'] = String(Number(value.toPrecision(EXACT_DIGITS))).split('e')
  return Number(`${mantissa}e${Number(exponent) + power}`)
}

/** Rounds half away from zero, as spreadsheets do. */
function round(value: number, decimals: number): string {
  if (value >= 1e21) return BigInt(value).toString()
  const rounded = shift(Math.round(shift(value, decimals)), -decimals)
  return rounded.toFixed(decimals)
}

function fillInteger(pattern: readonly Token[], digits: string): string {
  const isGrouped = pattern.some((token, index) => isComma(token) && isDigit(pattern[index + 1]))
  const places = pattern.filter(isDigit).map(token => ('code' in token ? token.code : ''))
  const firstZero = places.indexOf('0')
  const padded = digits.padStart(firstZero < 0 ? 0 : places.length - firstZero, '0')
  let placesLeft = places.length
  let used = 0
  return pattern
    .map(token => {
      if ('literal' in token) return token.literal
      if (!isDigit(token)) return token.code === '%' ? '%' : ''
      const end = Math.max(used, padded.length - --placesLeft)
      const part = padded.slice(used, end)
      used = end
      return isGrouped ? groupThousands(part, padded.length - end) : part
    })
    .join('')
}

function groupThousands(digits: string, followers: number): string {
  const isGroupEnd = (index: number) => {
    const after = digits.length - 1 - index + followers
    return after > 0 && after % 3 === 0
  }
  return [...digits].map((digit, index) => digit + (isGroupEnd(index) ? ',' : '')).join('')
}

function isComma(token: Token): boolean {
  return 'code' in token && token.code === ','
}

/** Writes trailing zeros only if the pattern requires them. */
function fillDecimals(pattern: readonly Token[], digits: string): string {
  const significant = digits.replace(/0+$/, '').length
  let text = ''
  let index = 0
  for (const token of pattern) {
    if ('literal' in token) text += token.literal
    else if (token.code === '%') text += '%'
    else if (isDigit(token)) {
      if (token.code === '0' || index < significant) text += digits[index] ?? '0'
      index++
    }
  }
  return text
}

function withExponent(pattern: readonly Token[], exponentAt: number, value: number): string {
  const before = pattern.slice(0, exponentAt)
  const decimals = before.slice(
    before.findIndex(token => 'code' in token && token.code === '.') + 1 || before.length,
  )
  const [mantissa, power = ''] = value.toExponential(decimals.filter(isDigit).length).split('e')
  const digits = power.slice(1).padStart(pattern.slice(exponentAt).filter(isDigit).length, '0')
  const mark = (pattern[exponentAt] as { code: string }).code
  const sign = power.startsWith('-') ? '-' : mark.endsWith('+') ? '+' : ''
  return `${formatPlain(before, Number(mantissa))}E${sign}${digits}`
}

function formatFraction(pattern: readonly Token[], value: number): string {
  const slash = pattern.findIndex(token => 'code' in token && token.code === '/')
  const places = pattern.slice(slash + 1).filter(isDigit).length
  const limit = 10 ** Math.min(3, Math.max(1, places)) - 1
  const integer = Math.floor(value)
  let best = { numerator: 0, denominator: 1 }
  const measureMiss = ({ numerator, denominator }: typeof best) =>
    Math.abs(numerator / denominator - (value - integer))
  for (let denominator = 1; denominator <= limit; denominator++) {
    const candidate = { numerator: Math.round((value - integer) * denominator), denominator }
    if (measureMiss(candidate) < measureMiss(best) - 1e-12) best = candidate
  }
  if (best.numerator === 0) return String(integer)
  if (best.numerator === best.denominator) return String(integer + 1)
  return `${integer > 0 ? `${integer} ` : ''}${best.numerator}/${best.denominator}`
}

export type Token = { readonly literal: string } | { readonly code: string }

/** Ignores quoted and escaped semicolons. */
export function splitSections(code: string): string[] {
  return code.match(/(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;])+|(?<=;)(?=;|$)/gs) ?? ['General']
}

const TOKEN =
  /"([^"]*)"?|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|(\[(?:h+|m+|s+)\])|\[[^\]]*\]|(General|上午\/下午|am\/pm|a\/p|E[+-]|y+|m+|d+|h+|s+(?:\.0+)?|aaaa?|e+|[0#?]|[.,%/@])|(.)/gis

/** Drops colours and padding. */
export function tokenizeFormat(code: string): Token[] {
  return [...code.matchAll(TOKEN)].flatMap(
    ([, quoted, escaped, currency, elapsed, placeholder, other]): Token[] => {
      const literal = quoted ?? escaped ?? currency ?? other
      if (literal !== undefined) return [{ literal }]
      const code = elapsed ?? placeholder
      return code === undefined ? [] : [{ code }]
    },
  )
}
