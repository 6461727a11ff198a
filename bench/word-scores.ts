/**
 * How common words are, from the shipped embedding model: its tokenizer keeps the logarithm of each piece's share of the model's
 * texts. Chinese words and the terms of words in Latin letters, those that are commoner than a word that tells something.
 * usage: npx tsx bench/word-scores.ts data/models/multilingual-e5-small-enzh/tokenizer.json data/lexicon/word-scores.tsv
 */
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { Analyzer } from '../src/text/analyzer.ts'
import { RARE } from '../src/text/rarity.ts'

const [from, to] = process.argv.slice(2)
if (!from || !to) throw new Error('usage: word-scores.ts TOKENIZER.json OUT.tsv')

const HAN = /^▁?(\p{Script=Han}+)$/u
const LATIN = /^▁([a-z]+)$/i

const pieces = z
  .object({ model: z.object({ vocab: z.array(z.tuple([z.string(), z.number()])) }) })
  .parse(JSON.parse(await readFile(from, 'utf8'))).model.vocab
const analyzer = new Analyzer()
const scores = new Map<string, number>()
for (const [piece, score] of pieces) {
  const latin = LATIN.exec(piece)?.[1]
  const words = latin ? analyzer.listTerms(latin) : (HAN.exec(piece)?.slice(1) ?? [])
  for (const word of words) scores.set(word, Math.max(score, scores.get(word) ?? score))
}
const lines = [...scores].flatMap(([word, score]) =>
  score > RARE ? [`${word}\t${score.toFixed(2)}\n`] : [],
)
await writeFile(to, lines.toSorted().join(''))
console.log(`${lines.length} words`)
