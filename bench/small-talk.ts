/**
 * Tells small talk from claims by the vectors of sentences. Of the lines of `bench/data/small-talk.jsonl` marked `fit`, and every other
 * sentence of FILEs (documents, as claims), it makes for each language the direction of small talk and how far that way a sentence has
 * to lie; of the lines marked `quote`, and the other sentences, it counts those that would be told of as not in the documents.
 * usage: npx tsx bench/small-talk.ts OUT.json FILE...
 *
 * The file that ships was made with data/samples/*.*.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { relateAnswer } from '../src/answer/citations/attribution.ts'
import { openEmbedder } from '../src/app/embedding.ts'
import { withFileParser } from '../src/app/indexing/parse-file.ts'
import { openWordRarity } from '../src/app/lexicon.ts'
import { loadSettings } from '../src/config.ts'
import { dot } from '../src/ingest/embed/vector.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import { SentenceVectors } from '../src/search/rerankers/sentence-vectors.ts'
import { detectLanguage, LANGUAGES, type Language } from '../src/text/language.ts'
import { splitSentences } from '../src/text/sentences.ts'
import { Terms } from '../src/text/terms.ts'
import { logistic } from './logistic.ts'

type Line = {
  readonly half: 'fit' | 'quote'
  readonly kind: 'talk' | 'claim' | 'document'
  readonly text: string
}

/** Unit vectors of sentences differ by little; the ridge is for features of about 1. */
const SCALE = 10
/** Of the sum that the regression gives; 0 would be an even chance. */
const LEAST = 1
/** Sentences of documents to a language and half. */
const MAX_SENTENCES = 150
const MIN_CHARS: Readonly<Record<Language, number>> = { zh: 8, en: 20 }

const [out, ...files] = process.argv.slice(2)
if (!out || files.length === 0) throw new Error('usage: small-talk.ts OUT.json FILE...')
const made = readFileSync(new URL('data/small-talk.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const lines = [...made.map(line => JSON.parse(line) as Line), ...(await documentLines())] // ours
const embedder = await openEmbedder(await loadSettings({ environment: {} }))
const terms = new Terms()
const rarity = openWordRarity()
const priors = { zh: await priorOf('zh'), en: await priorOf('en') }
writeFileSync(
  out,
  `${JSON.stringify(priors, (_, value) => (value instanceof Float32Array ? [...value].map(rounded) : value))}\n`,
)
const toPriors = ({ direction, least }: (typeof priors)['zh']) => ({ direction, minimum: least })
const meaning = new VectorMeaning(
  embedder,
  new SentenceVectors(embedder, async () => undefined),
  {},
  { zh: toPriors(priors.zh), en: toPriors(priors.en) },
)
for (const half of ['fit', 'quote'] as const)
  for (const language of LANGUAGES) await tell(half, language)
await embedder.close()

/** As many of each language and half, from all of the files. */
async function documentLines(): Promise<readonly Line[]> {
  const found: Record<Language, string[]> = { zh: [], en: [] }
  await withFileParser({}, async ({ parser, chunker }) => {
    for (const file of files)
      for (const { text } of await parser.readChunks(file, await chunker(), {}))
        for (const { start, end } of splitSentences(text)) {
          const sentence = text.slice(start, end).trim()
          const language = detectLanguage(sentence)
          if (sentence.length >= MIN_CHARS[language] && !sentence.includes('\n'))
            found[language].push(sentence)
        }
  })
  return Object.values(found).flatMap(all => {
    const step = Math.max(1, Math.ceil(all.length / (2 * MAX_SENTENCES)))
    const sample = all.filter((_, at) => at % step === 0)
    return sample.map(
      (text, at): Line => ({ half: at % 2 === 0 ? 'fit' : 'quote', kind: 'document', text }),
    )
  })
}

function linesOf(half: Line['half'], language: Language): readonly Line[] {
  return lines.filter(line => line.half === half && detectLanguage(line.text) === language)
}

async function priorOf(language: Language) {
  const own = linesOf('fit', language)
  const vectors = await embedder.embed(
    own.map(({ text }) => text),
    'query',
  )
  const mean = Array.from(
    vectors[0] ?? [],
    (_, at) => sumOf(vectors.map(vector => vector[at] ?? 0)) / vectors.length,
  )
  const samples = own.map(({ kind }, at) => ({
    x: mean.map((value, place) => ((vectors[at]?.[place] ?? 0) - value) * SCALE),
    y: kind === 'talk' ? 1 : 0,
    w: 1,
  }))
  const { weights, bias } = logistic(samples, { weights: mean.map(() => 0), bias: 0 })
  const direction = Float32Array.from(weights, weight => rounded(weight * SCALE))
  return { direction, least: rounded(LEAST - bias + dot(Float32Array.from(mean), direction)) }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}

async function tell(half: Line['half'], language: Language): Promise<void> {
  for (const kind of ['talk', 'claim', 'document'] as const) {
    const texts = linesOf(half, language)
      .filter(line => line.kind === kind)
      .map(({ text }) => text)
    const before = await flagged(texts, {})
    const after = await flagged(texts, { meaning })
    console.log(
      `${half} ${language} ${kind}: of ${texts.length}, ${before.size} by words alone, ${after.size} with vectors`,
    )
    const wrong = kind === 'talk' ? after : [...before].filter(text => !after.has(text))
    for (const text of wrong) console.log(`  ${text}`)
  }
}

/** Which are told of as not in the documents, where there is no document. */
async function flagged(
  texts: readonly string[],
  options: { readonly meaning?: VectorMeaning },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const text of texts) {
    const { unconfirmed } = await relateAnswer(text, { passages: [], terms, rarity, ...options })
    if (unconfirmed.length > 0) found.add(text)
  }
  return found
}
