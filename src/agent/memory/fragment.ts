import type { Phrase, Question } from '../../answer/question/question.ts'

/**
 * The words of the question that a fragment asks after another one, as "and the 109?" after "When does the 108 leave?": those of the other
 * with what the fragment names in place of what is of its kind there. Undefined where nothing is.
 */
export function completed(
  question: Question,
  { fragment, language }: Question,
): string | undefined {
  const whole = fragment.at(-1)
  if (!whole || language !== question.language) return undefined
  for (const phrase of fragment) {
    const replaced =
      phrase === whole ? thingFor(phrase, question.phrases) : valueFor(phrase, question.phrases)
    const text = replaced && withInstead(question, replaced, phrase)
    if (text !== undefined) return text
  }
  return whole.lead && `${question.text.replace(TRAILING, '')} ${whole.lead} ${whole.text}?`
}

const TRAILING = /[\s.?!]+$/u

/**
 * Finds the earlier value that a new one replaces: of the same kind, and of the same dimension for numbers. Prefers a name that is
 * written alike: YY-019 for YY-033.
 */
function valueFor({ kind, text, unit }: Phrase, phrases: readonly Phrase[]): Phrase | undefined {
  const alike = phrases.filter(
    other => other.kind === kind && other.unit?.dimension === unit?.dimension,
  )
  const findClosest = (shape: (name: string) => string) =>
    alike.findLast(other => shape(other.text) === shape(text))
  return kind === 'name'
    ? (findClosest(toShape) ?? findClosest(toCodeOrWord) ?? alike.at(-1))
    : alike.at(-1)
}

/** Replaces each run of capitals, small letters, Han characters or digits by one sign: `A-9` for `YY-033`. */
function toShape(name: string): string {
  return name
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\p{Script=Han}+/gu, '字')
    .replace(/\p{N}+/gu, '9')
}

/** Classifies a name: those with digits are codes. */
function toCodeOrWord(name: string): string {
  return /\p{N}/u.test(name) ? 'code' : 'word'
}

/** What ends alike, a measure for a measure or what else is asked, what has the same preposition, or else what the question is about. */
function thingFor(phrase: Phrase, phrases: readonly Phrase[]): Phrase | undefined {
  const runs = phrases.filter(({ kind }) => kind === 'thing' || kind === 'measure')
  const shared = runs.map(run => upToHead(run, phrase)).find(Boolean)
  if (shared !== undefined) return shared
  if (phrase.kind === 'measure')
    return runs.find(({ kind, isAsked }) => kind === 'measure' || isAsked)
  if (phrase.lead !== undefined) return phrases.find(({ lead }) => lead === phrase.lead)
  const things = runs.filter(({ kind, isAsked }) => kind === 'thing' && !isAsked)
  const [first] = things
  if (first && HAN.test(first.text)) return { ...first, text: topicOf(first) }
  return things.findLast(({ lead }) => lead === undefined) ?? things.at(-1)
}

const HAN = /\p{Script=Han}/u

/** Of words that hold the last word of others, all to there: `single ticket` of `single ticket cost` for `day ticket`, 早餐 for 午餐. */
function upToHead(phrase: Phrase, { words: others }: Phrase): Phrase | undefined {
  const { text, words } = phrase
  const head = headOf(others.at(-1))
  const found = words.find(word => head !== '' && headOf(word) === head)
  return found === undefined
    ? undefined
    : { ...phrase, text: text.slice(0, text.indexOf(found) + found.length) }
}

/** Of a Chinese word its last character. */
function headOf(word = ''): string {
  return HAN.test(word) ? word.slice(-1) : word.toLowerCase()
}

/** The first word; characters that are no words by themselves are taken for a name. */
function topicOf({ text, words }: Phrase): string {
  const at = words.findIndex(word => word.length > 1)
  if (at === 0) return words[0]!
  return at < 0 ? text : text.slice(0, text.indexOf(words[at]!)) // a place in the list
}

/** In place of the words as they stand there, and not as a part of others; a month is of the year of the one that it stands for. */
function withInstead(
  { text, language }: Question,
  { text: words, year }: Phrase,
  instead: Phrase,
): string | undefined {
  const isOfYear = instead.kind === 'date' && instead.year === undefined && year !== undefined
  const dated = language === 'zh' ? `${year}年${instead.text}` : `${instead.text} ${year}`
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, behind] = [text.slice(0, at), text.slice(at + words.length)]
    const isPart =
      (LETTER_LAST.test(before) && LETTER_FIRST.test(words)) ||
      (LETTER_LAST.test(words) && LETTER_FIRST.test(behind))
    if (!isPart) return before + (isOfYear ? dated : instead.text) + behind
  }
  return undefined
}

const LETTER_FIRST = /^[\p{Script=Latin}\p{N}]/u
const LETTER_LAST = /[\p{Script=Latin}\p{N}]$/u
