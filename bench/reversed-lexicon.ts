/**
 * The shipped lexicon the other way round: English words, by their stems, with the commonest Chinese words that mean them.
 * usage: npx tsx bench/reversed-lexicon.ts data/lexicon
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Analyzer } from '../src/text/analyzer.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: reversed-lexicon.ts FOLDER')

/** Chinese words of each English one. */
const MAX_WORDS = 8

/** Characters of a Chinese word, and terms of an English one: longer ones are sayings and names. */
const MAX_CHARACTERS = 4
const MAX_TERMS = 3

/** Logarithm of a word's share of all text, of those that are not among the commonest. */
const RARE = -13.5

/** What a word loses for each of its meanings that comes before this one, and for being a single character, which has many. */
const LATER_MEANING = 1.5
const SINGLE = 1

const read = async (name: string) =>
  (await readFile(path.join(folder, name), 'utf8')).trim().split('\n')
const shares = new Map(
  (await read('word-scores.tsv')).map(
    line => [line.split('\t')[0], Number(line.split('\t')[1])] as const,
  ),
)
const analyzer = new Analyzer()
const reversed = new Map<string, Map<string, number>>()
for (const line of await read('zh-en.tsv')) {
  const [word = '', meanings = ''] = line.split('\t')
  const length = [...word].length
  if (length > MAX_CHARACTERS) continue
  for (const [at, meaning] of meanings.split(';').entries()) {
    const terms = analyzer.listTerms(meaning)
    if (terms.length > MAX_TERMS) continue
    const score = (shares.get(word) ?? RARE) - LATER_MEANING * at - (length === 1 ? SINGLE : 0)
    const own = reversed.get(terms.join(' ')) ?? new Map<string, number>()
    reversed.set(
      terms.join(' '),
      own.set(word, Math.max(score, own.get(word) ?? Number.NEGATIVE_INFINITY)),
    )
  }
}
const lines = [...reversed].map(([terms, words]) => {
  const best = [...words].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_WORDS)
  return `${terms}\t${best.map(([word]) => word).join(';')}\n`
})
await writeFile(path.join(folder, 'en-zh.tsv'), lines.toSorted().join(''))
console.log(`${lines.length} words`)
