const DIGITS = new Map([...'零一二三四五六七八九'].map((character, digit) => [character, digit]))
DIGITS.set('〇', 0).set('两', 2)

const UNITS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1_000],
])

/** 123 of `一百二十三`, and of `一二三`; undefined for what is no number. */
export function chineseNumber(text: string): number | undefined {
  const myriads = text.split('万')
  if (myriads.length > 2 || text === '') return undefined
  const [high, low] = myriads.length === 2 ? myriads : ['', text]
  const above = high ? belowMyriad(high) : 0
  const below = low ? belowMyriad(low) : 0
  return above === undefined || below === undefined ? undefined : above * 10_000 + below
}

function belowMyriad(text: string): number | undefined {
  const characters = [...text]
  if (characters.every(character => DIGITS.has(character))) {
    return Number(characters.map(character => DIGITS.get(character)).join(''))
  }
  let sum = 0
  let digit: number | undefined
  for (const character of characters) {
    const unit = UNITS.get(character)
    if (unit === undefined) {
      digit = DIGITS.get(character)
      if (digit === undefined) return undefined
      continue
    }
    sum += (digit ?? 1) * unit
    digit = undefined
  }
  return sum + (digit ?? 0)
}
