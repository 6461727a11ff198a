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

/** Names, each as its words; none in a question that is written in capitals like a title. */
export function namesIn(question: string): readonly (readonly string[])[] {
  if (isTitle(question)) return []
  const start = /^[\s\p{P}]*/u.exec(question)?.[0].length ?? 0
  return [...question.matchAll(RUN)].flatMap(({ index, 0: run }) => {
    const all = run.match(CAPITALISED) ?? []
    const isOpening =
      (index <= start && !/\p{Script=Han}/u.test(question)) || /[.!?:]\s+$/.test(question.slice(0, index))
    const own = (isOpening ? all.slice(1) : all).filter(word => !NO_NAME.test(word) && word.length > 1)
    const telling = own.filter(word => !COMMON.test(word))
    const named = (telling.length > 0 ? telling : own).filter(word => !/\d/.test(word))
    return named.length > 0 ? [named.map(word => folded(word.replace(/['’]s$/, '')))] : []
  })
}

/** Every long word but the first has a capital. */
function isTitle(question: string): boolean {
  const long = (question.match(/\p{Script=Latin}+/gu) ?? []).slice(1).filter(word => word.length > 3)
  return long.length > 2 && long.every(word => /^\p{Lu}/u.test(word))
}

/** At least half of its words, whatever their ending, or its initials: of `European Union`, `EU`, and the other way round. */
export function hasName(text: string, words: readonly string[]): boolean {
  const there = new Set(folded(text).match(/[\p{Script=Latin}\p{N}]+/gu) ?? [])
  const held = words.filter(word => there.has(word) || [...there].some(other => isForm(word, other)))
  if (held.length * 2 >= words.length) return true
  const initials = words.map(word => word[0]).join('')
  return (words.length > 1 && there.has(initials)) || (words.length === 1 && isAcronym(words[0]!, text))
}

/** `Berlin` and `Berliner`, `Kestrel` and `Kestrels`, also as parts of `kestrel-router`. */
function isForm(word: string, other: string): boolean {
  const parts = word.split(/['’-]/)
  if (parts.length > 1) return parts.some(part => part.length > 2 && part === other)
  const [short, long] = word.length <= other.length ? [word, other] : [other, word]
  return short.length >= 4 && long.startsWith(short)
}

function isAcronym(word: string, text: string): boolean {
  if (word.length < 2 || word.length > 6) return false
  const letters = [...word].map(letter => `${letter}[\\p{L}\\p{N}]*`)
  return new RegExp(`(?<![\\p{L}])${letters.join('[\\s-]+(?:(?:of|the|and|for|in)\\s+)*')}`, 'iu').test(text)
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
