/**
 * Claims in one language held against sources in the other: sentences of a book's one edition, each against ten paragraphs of the same
 * page's other edition of which one is its own; without a marker, with its own, and with that of a wrong paragraph. With the lexicon and without.
 * usage: npx tsx bench/attribution.ts EN_FOLDER ZH_FOLDER [CLAIMS 200]
 *
 * Of Debian's package debian-handbook 11.20220922: html/en-US and html/zh-CN.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { relateAnswer } from '../src/answer/citations/attribution.ts'
import { openEmbedder } from '../src/app/embedding.ts'
import { openLexicon, openWordRarity } from '../src/app/lexicon.ts'
import { readPriors } from '../src/app/searching/priors.ts'
import { loadSettings } from '../src/config.ts'
import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import type { Passage } from '../src/search/passages/passage.ts'
import { SentenceVectors } from '../src/search/rerankers/sentence-vectors.ts'
import { EnglishTerms } from '../src/text/english-terms.ts'
import { detectLanguage } from '../src/text/language.ts'
import { splitSentences } from '../src/text/sentences.ts'
import { Terms } from '../src/text/terms.ts'

const LEXICON = openLexicon()

const SOURCES = 10
const [english, chinese, claims = '200'] = process.argv.slice(2)
if (!english || !chinese) throw new Error('usage: attribution.ts EN_FOLDER ZH_FOLDER [CLAIMS]')

const random = createPseudoRandom(7)
const terms = new Terms()
const embedder = await openEmbedder(await loadSettings())
const vectors = new SentenceVectors(embedder, async () => undefined)
const meaning = new VectorMeaning(embedder, vectors, await readPriors(embedder))
const pages = (await Promise.all((await readdir(english)).filter(isPage).map(pairsOf))).filter(
  pairs => pairs.length >= SOURCES,
)
for (const [name, claimed, read] of [
  ['Chinese claims, English sources', 'zh', 'en'],
  ['English claims, Chinese sources', 'en', 'zh'],
] as const)
  for (const english of [undefined, new EnglishTerms(LEXICON, new Terms())]) {
    const counts: Record<string, { right: number; wrong: number; none: number }> = {}
    for (let at = 0; at < Number(claims); at++) {
      const { claim, own, texts } = caseOf(claimed, read)
      const passages = texts.map(passageOf)
      const other = ((own + 1 + Math.floor(random() * (SOURCES - 1))) % SOURCES) + 1
      for (const [kind, marker] of [
        ['no marker', ''],
        ['own marker', ` [${own + 1}]`],
        ['wrong marker', ` [${other}]`],
      ] as const) {
        const options = {
          passages,
          terms,
          meaning,
          rarity: openWordRarity(),
          ...(english && { english }),
        }
        const { references } = await relateAnswer(`${claim}${marker}`, options)
        const found = [...new Set(references.map(reference => reference.marker))]
        counts[kind] ??= { right: 0, wrong: 0, none: 0 }
        counts[kind][found.length === 0 ? 'none' : found.includes(own + 1) ? 'right' : 'wrong']++
      }
    }
    console.log(`${name}, ${english ? 'with' : 'without'} lexicon: ${JSON.stringify(counts)}`)
  }

type Pair = { readonly en: string; readonly zh: string }

/** A sentence of some size, ten paragraphs of the other edition of its page, and which of them is its own. */
function caseOf(claimed: 'zh' | 'en', read: 'zh' | 'en') {
  const pairs = pages[Math.floor(random() * pages.length)]! // within
  const chosen = pairs.toSorted(() => random() - 0.5).slice(0, SOURCES)
  const own = Math.floor(random() * SOURCES)
  const text = chosen[own]![claimed] // ten
  const [first] = splitSentences(text).map(({ start, end }) => text.slice(start, end))
  return { claim: first ?? text, own, texts: chosen.map(pair => pair[read]) }
}

function passageOf(text: string, at: number): Passage {
  const place = {
    documentId: `d${at + 1}`,
    source: `/d${at + 1}`,
    name: `d${at + 1}`,
    title: '',
    headings: [],
  }
  return { id: at + 1, ...place, context: '', charStart: 0, charEnd: text.length, text, parts: [] }
}

function isPage(name: string): boolean {
  return name.endsWith('.html')
}

/** Paragraphs that both editions of a page have, where it has as many in both; those left untranslated are no pairs. */
async function pairsOf(name: string): Promise<readonly Pair[]> {
  const [en, zh] = await Promise.all(
    [english!, chinese!].map(folder => paragraphsOf(path.join(folder, name))),
  )
  if (!en || !zh || en.length !== zh.length) return []
  const pairs = en.map((text, at) => ({ en: text, zh: zh[at]! })) // as many
  return pairs.filter(
    pair => detectLanguage(pair.zh) === 'zh' && pair.en.length > 120 && pair.en.length < 900,
  )
}

async function paragraphsOf(file: string): Promise<readonly string[]> {
  const html = await readFile(file, 'utf8').catch(() => '')
  return [...html.matchAll(/<div class="para">([\s\S]*?)<\/div>/g)].map(([, inner = '']) =>
    inner
      .replace(/<[^>]+>/g, '')
      .replace(/&\w+;/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}
