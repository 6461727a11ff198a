import type { AppliedSynonym } from '../synonyms/synonyms.ts'

/** Maximum forms per query; protects against pasted tables. */
const MAX_FORMS = 8

/** Numbers below those that the index has as values (Huddleston and Pullum 2002, chapter 5, section 7). */
const CARDINALS = 'zero one two three four five six seven eight nine'.split(' ')
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const DECADES = 'twenties thirties forties fifties sixties seventies eighties nineties'.split(' ')

const NUMBER = /(?<![\p{L}\p{N}.,:/-])(?:\d{1,2}|[a-z]{3,5})(?![\p{L}\p{N}%:/-]|[.,]\d)/gu
const ORDINAL = /(?<![\p{L}\p{N}-])(?:\d{1,2}(?:st|nd|rd|th)|[a-z]{5,8}) ?(?<quarter>quarter\b)?/gu
const QUARTER = /(?<![\p{L}\p{N}])q(?<quarter>[1-4])(?![\p{L}\p{N}])/gu
const HALF = /(?<![\p{L}\p{N}.,])50 ?%|\bhalf\b/gu
const DECADE = /\b(?:(?:19)?(?<tens>[2-9])0s|[a-z]{4,6}ies)\b/gu
/** Hours need minutes or a half of the day, because other numbers are no time. */
const TIME =
  /(?<![\p{L}\p{N}.,:/-])(?<hours>[01]?\d|2[0-3])(?:(?::(?<minutes>[0-5]\d))? ?(?<half>[ap])\.?m\b|:(?<exact>[0-5]\d)(?![\p{N}:]))/gu

/** Lists small numbers, ordinals, quarters, decades and times of a lower-case text in their other forms. */
export function listNumberForms(text: string): readonly AppliedSynonym[] {
  const forms = [
    ...[...text.matchAll(NUMBER)].map(([from]) => ({ from, to: listCardinals(from) })),
    ...[...text.matchAll(ORDINAL)].flatMap(listOrdinals),
    ...[...text.matchAll(QUARTER)].map(({ 0: from, groups }) => ({
      from,
      to: [`${ORDINALS[Number(groups?.quarter) - 1]} quarter`],
    })),
    ...[...text.matchAll(HALF)].map(([from]) => ({ from, to: [from === 'half' ? '50%' : 'half'] })),
    ...[...text.matchAll(DECADE)].map(({ 0: from, groups }) => ({
      from,
      to: listDecades(from, groups?.tens),
    })),
    ...[...text.matchAll(TIME)].map(({ 0: from, groups = {} }) => ({
      from,
      to: listTimes(groups),
    })),
  ]
  return forms
    .map(({ from, to }) => ({ from, to: to.filter(form => form !== from) }))
    .filter(({ to }) => to.length > 0)
    .slice(0, MAX_FORMS)
}

function listCardinals(written: string): readonly string[] {
  if (written === '12') return ['dozen']
  if (written === 'dozen') return ['12']
  const value = CARDINALS.indexOf(written)
  if (value >= 0) return [String(value)]
  return CARDINALS.slice(Number(written), Number(written) + 1)
}

function listOrdinals({ 0: text, groups }: RegExpExecArray): readonly AppliedSynonym[] {
  const written = text.split(' ')[0] ?? ''
  const place = ORDINALS.indexOf(written) + 1
  const rank = place > 0 ? place : Number.parseInt(written, 10)
  const word = ORDINALS[rank - 1]
  if (!word) return []
  if (groups?.quarter) return [{ from: text, to: [`q${rank}`] }]
  return [{ from: written, to: [place > 0 ? toRank(rank) : word] }]
}

function toRank(rank: number): string {
  return `${rank}${(rank < 4 && ['st', 'nd', 'rd'][rank - 1]) || 'th'}`
}

function listDecades(written: string, tens: string | undefined): readonly string[] {
  const decade = tens ? Number(tens) : DECADES.indexOf(written) + 2
  const word = DECADES[decade - 2]
  return word ? [`19${decade}0s`, `${decade}0s`, word] : []
}

/** Without a half of the day, hours are those of 24. */
function listTimes({ hours, minutes, half, exact }: Groups): readonly string[] {
  const hour = half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours)
  const minute = minutes ?? exact ?? '00'
  const short = `${hour % 12 || 12}`
  const day = hour < 12 ? 'am' : 'pm'
  const clock = [`${hour}:${minute}`, `${String(hour).padStart(2, '0')}:${minute}`]
  const spoken = [`${short}:${minute} ${day}`, `${short}:${minute}${day}`]
  return [...clock, ...spoken, ...(minute === '00' ? [`${short}${day}`, `${short} ${day}`] : [])]
}

type Groups = Readonly<Record<string, string | undefined>>
