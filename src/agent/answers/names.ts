import { type FoundText, folded } from './found-text.ts'

/** A word with a capital: `Hartwell`, `L’Oréal`, `K7`. */
const WORD = String.raw`(?<![\p{Script=Latin}\p{N}'’.-])\p{Lu}[\p{Script=Latin}\p{N}]*(?:['’-]\p{Script=Latin}+)*`
const CAPITALISED = new RegExp(WORD, 'gu')
/** Such words in a row, with what joins the words of a name. */
const RUN = new RegExp(String.raw`${WORD}(?:\s+(?:(?:of|the|de|van|von|and|for)\s+){0,2}${WORD})*`, 'gu')
/** What begins with a capital and names nothing that a text would have to hold; months are written as numbers, too. */
const NO_NAME =
  /^(?:I|I['’]\w+|Mr|Mrs|Ms|Dr|Prof|OK|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Q[1-4]|H[12]|FY\d*|EUR|USD|GBP|CHF|CNY|RMB|JPY|What|Which|Who|Whose|When|Where|Why|How|Is|Are|Do|Does|The|A|An)$/
/** Half of many names, and by itself none. */
const COMMON =
  /^(?:new|north|south|east|west|northern|southern|eastern|western|central|great|saint|san|los|la|el|of|the|de|van|von|and|for)$/i

/** A question that names more is held to the first of them, and a name to its first words. */
const MAX_NAMES = 16
const MAX_WORDS = 16

/** A shorter word has no forms. */
const MIN_STEM = 4

/** As far back as a sentence's end is looked for before a name. */
const MAX_SPACES = 16

/** Names, each as its words, each once; none in a question that is written in capitals like a title. */
export function namesIn(question: string): readonly (readonly string[])[] {
  if (isTitle(question)) return []
  const start = /^[\s\p{P}]*/u.exec(question)?.[0].length ?? 0
  const names = [...question.matchAll(RUN)].flatMap(({ index, 0: run }) => {
    const all = run.match(CAPITALISED) ?? []
    const isOpening =
      (index <= start && !/\p{Script=Han}/u.test(question)) ||
      /[.!?:]\s+$/.test(question.slice(Math.max(0, index - MAX_SPACES), index))
    const own = (isOpening ? all.slice(1) : all).filter(word => !NO_NAME.test(word) && word.length > 1)
    const telling = own.filter(word => !COMMON.test(word))
    const named = (telling.length > 0 ? telling : own).filter(word => !/\d/.test(word))
    const words = new Set(named.map(word => folded(word.replace(/['’]s$/, ''))))
    return words.size > 0 ? [[...words].slice(0, MAX_WORDS)] : []
  })
  const distinct = new Map(names.map(words => [words.join(' '), words]))
  return [...distinct.values()].slice(0, MAX_NAMES)
}

/** Every long word but the first has a capital. */
function isTitle(question: string): boolean {
  const long = (question.match(/\p{Script=Latin}+/gu) ?? []).slice(1).filter(word => word.length > 3)
  return long.length > 2 && long.every(word => /^\p{Lu}/u.test(word))
}

/**
 * All of its words, whatever their ending, or half of them of which one is written as a name, for `office` alone is none
 * of `Hamburg Office`; or its initials: of `European Union`, `EU`, and the other way round.
 */
export function hasName(document: FoundText, words: readonly string[]): boolean {
  const { text, words: there } = document
  const held = words.filter(word => there.has(word) || hasForm(there, word))
  const isNamed = () => held.some(word => document.names.has(word) || hasForm(document.names, word))
  if (held.length === words.length || (held.length * 2 >= words.length && isNamed())) return true
  const initials = words.map(word => word[0]).join('')
  return (words.length > 1 && there.has(initials)) || (words.length === 1 && isAcronym(words[0]!, text))
}

/** `Berlin` and `Berliner`, `Kestrel` and `Kestrels`, also as parts of `kestrel-router`. */
function hasForm(there: ReadonlySet<string>, word: string): boolean {
  const parts = word.split(/['’-]/)
  if (parts.length > 1) return parts.some(part => part.length > 2 && there.has(part))
  if (word.length < MIN_STEM) return false
  for (const other of there) {
    if (other.length >= MIN_STEM && (other.startsWith(word) || word.startsWith(other))) return true
  }
  return false
}

function isAcronym(word: string, text: string): boolean {
  if (word.length < 2 || word.length > 6) return false
  const letters = [...word].map(letter => `${letter}[\\p{L}\\p{N}]*`)
  return new RegExp(`(?<![\\p{L}])${letters.join('[\\s-]+(?:(?:of|the|and|for|in)\\s+)*')}`, 'iu').test(text)
}
