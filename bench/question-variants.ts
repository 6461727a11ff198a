/**
 * How far search finds what a question asks though it is asked otherwise: with a slip of the keyboard, with another word of the same
 * meaning, or by two words alone. 200 variants of questions of four development sets are made here, the same every time; those of even questions are
 * to tune on, those of odd ones to report. A question counts as answered by a hit that holds its evidence.
 * usage: npx tsx bench/question-variants.ts [tune|report]   (indexes into PASSIM_HOME, else ~/.cache/passim-bench)
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDictionaries } from '../src/app/lexicon.ts'
import { openParts } from '../src/app/open-parts.ts'
import { Passim } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { pseudoRandom } from '../src/search/evaluation/metrics.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { CHINESE_FUNCTION_WORDS, ENGLISH_FUNCTION_WORDS } from '../src/text/function-words.ts'
import { languageOf } from '../src/text/language.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const SETS = ['calibration', 'mixed', 'kinds', 'scope']
const VARIANTS = 200
const SEED = 22
const DEPTH = 3
const WAYS = ['keyword', 'hybrid', 'precise'] as const
type Way = (typeof WAYS)[number]

type Gold = {
  readonly question: string
  readonly answerable: boolean
  readonly doc?: string
  readonly evidence?: string
}
type Kind = 'slip' | 'synonym' | 'short'
type Variant = {
  readonly kind: Kind
  readonly plain: string
  readonly asked: string
  readonly evidence: string
  readonly half: number
}

const random = pseudoRandom(SEED)
const analyzer = new Analyzer()
const dictionaries = openDictionaries()
const isOdd = process.argv[2] === 'report' ? 1 : 0
const variants = variantsOf(SETS.flatMap(goldOf)).filter(({ half }) => half === isOdd)

const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const passim = new Passim(await openParts(await loadSettings({ home, environment: {} }), {}))
try {
  await passim.index(
    SETS.map(set => path.join(EVAL, set, 'docs')),
    { collection: 'variants' },
  )
  for (const way of WAYS) await report(way)
} finally {
  await passim.close()
}

async function report(way: Way): Promise<void> {
  const found = new Map<string, { asked: number; plain: number; of: number }>()
  for (const { kind, plain, asked, evidence } of variants) {
    const key = `${kind} ${languageOf(plain)}`
    const before = found.get(key) ?? { asked: 0, plain: 0, of: 0 }
    const [own, other] = [await finds(plain, evidence, way), await finds(asked, evidence, way)]
    found.set(key, { asked: before.asked + Number(other), plain: before.plain + Number(own), of: before.of + 1 })
  }
  for (const [key, { asked, plain, of }] of [...found].toSorted())
    console.log(
      `${way} ${key}: recall@${DEPTH} ${(asked / of).toFixed(2)}, as it was asked ${(plain / of).toFixed(2)}, of ${of}`,
    )
}

async function finds(query: string, evidence: string, way: Way): Promise<boolean> {
  const how = way === 'precise' ? ({ mode: 'hybrid', precise: true } as const) : ({ mode: way } as const)
  const hits = await passim.search({ query, ...how, collections: ['variants'], limit: DEPTH })
  return hits.some(({ text }) => plainText(text).includes(evidence))
}

function plainText(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function goldOf(set: string): readonly Gold[] {
  const lines = readFileSync(path.join(EVAL, set, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
  return lines.map(line => JSON.parse(line) as Gold) // our own files
}

/** The questions in an order of chance, asked otherwise in turns of the three ways. */
function variantsOf(gold: readonly Gold[]): readonly Variant[] {
  const answerable = gold.filter(({ answerable, evidence }) => answerable && evidence)
  const shuffled = answerable.map(one => ({ one, at: random() })).toSorted((a, b) => a.at - b.at)
  const all = shuffled.flatMap(({ one: { question: plain, evidence = '' } }, place) =>
    (['slip', 'synonym', 'short'] as const).flatMap(kind => {
      const asked = variantOf(kind, plain)
      return asked && asked !== plain ? [{ kind, plain, asked, evidence: plainText(evidence), half: place % 2 }] : []
    }),
  )
  return all.slice(0, VARIANTS)
}

function variantOf(kind: Kind, question: string): string | undefined {
  if (kind === 'slip') return replaced(question, slipped)
  if (kind === 'synonym') return replaced(question, sameMeaning)
  const words = tellingWords(question)
  const kept = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, 2))
  return words.length > 2 ? words.filter(word => kept.has(word)).join(' ') : undefined
}

/** Without those of the closed classes; Chinese ones as the dictionary has them, of two characters at least. */
function tellingWords(question: string): readonly string[] {
  const words = question.match(/\p{Script=Han}+|[\p{L}\d'-]+/gu) ?? []
  return words.flatMap(word => {
    if (!/\p{Script=Han}/u.test(word)) return ENGLISH_FUNCTION_WORDS.has(word.toLowerCase()) ? [] : [word]
    return dictionaries.zh.words(word).filter(one => one.length > 1 && !CHINESE_FUNCTION_WORDS.has(one))
  })
}

/** The question with its longest word replaced that can be. */
function replaced(question: string, by: (word: string) => string | undefined): string | undefined {
  for (const word of tellingWords(question).toSorted((a, b) => b.length - a.length)) {
    const other = by(word)
    if (other && other !== word) return question.replace(word, other)
  }
  return undefined
}

/** Two neighbouring letters that change places, or a character left out of a Chinese word. */
function slipped(word: string): string | undefined {
  const isHan = /\p{Script=Han}/u.test(word)
  if (/\d/.test(word) || word.length < (isHan ? 3 : 5)) return undefined
  const at = 1 + Math.floor(random() * (word.length - 2))
  if (isHan) return word.slice(0, at) + word.slice(at + 1)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}

/** What the word is in the other language, and the first other word that this is called. */
function sameMeaning(word: string): string | undefined {
  const isHan = /\p{Script=Han}/u.test(word)
  const [there, back] = isHan ? [dictionaries.zh, dictionaries.en] : [dictionaries.en, dictionaries.zh]
  const stems = (text: string, isChinese: boolean) => (isChinese ? text : analyzer.queryTerms(text).join(' '))
  for (const meaning of there.meanings(stems(word, isHan)).slice(0, 3)) {
    const same = back.meanings(stems(meaning, !isHan)).find(one => stems(one, isHan) !== stems(word, isHan))
    if (same && (isHan || /^[a-z-]+$/i.test(same))) return same
  }
  return undefined
}
