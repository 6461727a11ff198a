const NUMBER = /\p{N}+(?:[.,]\p{N}+)*/gu
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const HAN = '零一二三四五六七八九'

/** The claim names a number that the text does not, in digits or, up to 99, in words. */
export function numbersMissing(claim: string, text: string): boolean {
  const there = new Set(numbersIn(text))
  const words = new Set(text.toLowerCase().match(/[a-z]+(?:-[a-z]+)?|[零一二两三四五六七八九十百千]+/g))
  return numbersIn(claim).some(number => !there.has(number) && !spelled(number).some(word => words.has(word)))
}

function numbersIn(text: string): readonly string[] {
  return [...text.normalize('NFKC').matchAll(NUMBER)].map(match => match[0].replaceAll(',', ''))
}

function spelled(number: string): readonly string[] {
  const value = Number(number)
  if (!Number.isInteger(value) || value < 1 || value > 99) return []
  const [tens, ones] = [Math.floor(value / 10), value % 10]
  const han = tens === 0 ? HAN[ones]! : `${tens > 1 ? HAN[tens] : ''}十${ones > 0 ? HAN[ones] : ''}` // 0 to 9
  const english = value < 20 ? ONES[value]! : [TENS[tens - 2], ones > 0 ? ONES[ones] : ''].filter(Boolean).join('-') // 20 to 99
  return value === 2 ? [han, '两', english] : [han, english]
}
