/**
 * Pairs of true claims and slightly false ones, each held against one passage as the source of its marker: how many true ones are
 * kept as stated, and how many false ones, by language and by what was changed.
 * usage: npx tsx bench/claims.ts FILE [DOCS] [--list]
 *
 * FILE has JSON lines {id, pair, claim, stated, passage, change}. `passage` is text or, where DOCS is given, may be the path of a file of text there.
 * `--list` prints those that are judged wrongly.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { attribute } from '../src/answer/citations/attribution.ts'
import { openWordRarity } from '../src/app/lexicon.ts'
import { openParts } from '../src/app/open-parts.ts'
import { closeSearchParts } from '../src/app/search-parts.ts'
import { loadSettings } from '../src/config.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import type { Passage } from '../src/search/passages/passage.ts'
import { type Language, languageOf } from '../src/text/language.ts'
import { Terms } from '../src/text/terms.ts'

type Line = {
  readonly id: string
  readonly claim: string
  readonly stated: boolean
  readonly passage: string
  readonly change?: string
}
type Judged = Line & { readonly language: Language; readonly support: string }

const [file, docs] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
if (!file) throw new Error('usage: claims.ts FILE [DOCS] [--list]')
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line) as Line)
const terms = new Terms()
const rarity = openWordRarity()
const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const parts = await openParts(await loadSettings({ home, environment: {} }), {})
const meaning = new VectorMeaning(parts.embedder, parts.searching.sentenceVectors, parts.searching.priors)
const judged: Judged[] = []
for (const line of lines) judged.push({ ...line, language: languageOf(line.claim), support: await supportOf(line) })
await closeSearchParts(parts)
for (const language of ['en', 'zh'] as const) {
  const own = judged.filter(one => one.language === language)
  console.log(`${language}: ${ratesOf(own)}`)
  for (const change of [...new Set(own.map(one => one.change ?? ''))].toSorted())
    console.log(`  ${change.padEnd(14)} ${ratesOf(own.filter(one => (one.change ?? '') === change))}`)
}
if (process.argv.includes('--list'))
  for (const { id, claim, stated, support } of judged)
    if ((support === 'stated') !== stated) console.log(`${stated ? 'true' : 'FALSE'} ${support} ${id} ${claim}`)

function ratesOf(all: readonly Judged[]): string {
  const count = (of: readonly Judged[], support: string) => of.filter(one => one.support === support).length
  const share = (of: readonly Judged[], support: string) => `${count(of, support)}/${of.length}`
  const [trues, falses] = [all.filter(one => one.stated), all.filter(one => !one.stated)]
  return `true kept as stated ${share(trues, 'stated')} (unknown ${count(trues, 'unknown')}), false kept as stated ${share(falses, 'stated')} (unknown ${count(falses, 'unknown')})`
}

async function supportOf({ claim, passage }: Line): Promise<string> {
  const text = textOf(passage)
  const place = { documentId: 'd1', source: '/d1', name: 'd1', title: '', headings: [], context: '', charStart: 0 }
  const source: Passage = { id: 1, ...place, charEnd: text.length, text, parts: [] }
  const marked = claim.replace(/(?=[.。!！]?\s*$)/, ' [1]')
  const { references } = await attribute(marked, { passages: [source], terms, rarity, meaning })
  if (references.length === 0) return 'not-stated'
  return references.every(({ support }) => support === 'stated') ? 'stated' : 'unknown'
}

function textOf(passage: string): string {
  const named = docs && passage.length < 200 && !passage.includes('\n') ? path.join(docs, passage) : ''
  return asParsed(named && existsSync(named) ? readFileSync(named, 'utf8') : passage)
}

/** Rows of Markdown as they are stored: without the line under the header, and without bars at their ends. */
function asParsed(text: string): string {
  return text.replace(/^\|[ :|-]+\|$\n?/gm, '').replace(/^\| *| *\|$/gm, '')
}
