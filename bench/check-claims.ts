/**
 * Runs the check of a model's claims over a file of others' claims, and prints the three outcomes per label, language and kind with
 * Wilson's intervals. Every source is indexed as a text file, and the claim is marked with it, as in a model's answer.
 * usage: npx tsx bench/check-claims.ts FILE.jsonl [--list]
 *
 * A line of the file: {"source": "…", "claim": "…", "label": "true" or "false", "kind": "…", "lang": "en" or "zh"}.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { relateAnswer } from '../src/answer/citations/attribution.ts'
import type { Support } from '../src/answer/citations/citation.ts'
import { openLexicon, openWordRarity } from '../src/app/lexicon.ts'
import { readSmallTalk } from '../src/app/searching/priors.ts'
import { openWithStore } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import { mergeHits } from '../src/search/passages/passage.ts'
import { EnglishTerms } from '../src/text/english-terms.ts'
import { Terms } from '../src/text/terms.ts'
import { wilson } from './cite-check/intervals.ts'
import { markdownTable } from './cite-check/report.ts'

const OUTCOMES = ['stated', 'unknown', 'not-stated'] as const
/** Maximum hits per source. The sources are short. */
const HITS = 20

const lineSchema = z.object({
  source: z.string().min(1),
  claim: z.string().min(1),
  label: z.enum(['true', 'false']),
  kind: z.string(),
  lang: z.enum(['en', 'zh']),
})
type Line = z.output<typeof lineSchema>
type Checked = Line & { readonly support: Support }

const [file] = process.argv.slice(2).filter(word => !word.startsWith('--'))
if (!file) throw new Error('usage: check-claims.ts FILE.jsonl [--list]')
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
const checked = await checkLines(lines.map(line => lineSchema.parse(JSON.parse(line))))
if (process.argv.includes('--list'))
  for (const { label, support, kind, lang, claim, source } of checked)
    console.log(`${label} ${support} ${lang} ${kind} | ${claim} | ${JSON.stringify(source)}`)
console.log(writeTable('all', checked, () => ''))
console.log(writeTable('language', checked, ({ lang }) => lang))
console.log(writeTable('kind', checked, ({ kind }) => kind))

async function checkLines(claims: readonly Line[]): Promise<readonly Checked[]> {
  const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
  const { passim, opened } = await openWithStore(await loadSettings({ home, environment: {} }), {})
  const { embedder, searching } = opened
  const smallTalk = await readSmallTalk(embedder)
  const options = {
    terms: new Terms(),
    rarity: openWordRarity(),
    english: new EnglishTerms(openLexicon(), new Terms()),
    meaning: new VectorMeaning(embedder, searching.sentenceVectors, searching.priors, smallTalk),
  }
  const folder = path.join(home, 'claims')
  mkdirSync(folder, { recursive: true })
  const collection = `claim-check-${toDigest(lines.join('\n'))}`
  const files = new Map(
    claims.map(({ source }) => [source, path.join(folder, `${toDigest(source)}.txt`)]),
  )
  try {
    for (const [source, name] of files) writeFileSync(name, source)
    await passim.collections.findOrCreate(collection)
    await passim.index([...files.values()], { collection })
    const results: Checked[] = []
    for (const line of claims) {
      const hits = await passim.search({
        query: line.source.slice(0, 500),
        collections: [collection],
        documents: [files.get(line.source) ?? ''],
        limit: HITS,
      })
      const passages = mergeHits(hits)
      if (passages.length === 0)
        throw new Error(`Nothing is indexed of the source of “${line.claim}”.`)
      const { references, unsupported } = await relateAnswer(addMarkers(line.claim, passages), {
        ...options,
        passages,
      })
      const isStated = references.some(({ support }) => support === 'stated')
      const support = isStated ? 'stated' : unsupported.length > 0 ? 'not-stated' : 'unknown'
      results.push({ ...line, support })
    }
    return results
  } finally {
    await passim.close()
  }
}

function addMarkers(claim: string, passages: readonly { readonly id: number }[]): string {
  const markers = passages.map(({ id }) => `[${id}]`).join('')
  return claim.replace(/\s*([.。]?)\s*$/, (_, stop: string) => ` ${markers}${stop}`)
}

function writeTable(name: string, all: readonly Checked[], findGroup: (one: Checked) => string) {
  const groups = [...new Set(all.map(findGroup))].sort()
  const rows = groups.flatMap(group =>
    (['true', 'false'] as const).flatMap(label => {
      const own = all.filter(one => one.label === label && findGroup(one) === group)
      const shares = OUTCOMES.map(outcome => writeShare(own, outcome))
      return own.length === 0 ? [] : [[group, label, String(own.length), ...shares]]
    }),
  )
  return `${markdownTable([name, 'label', 'claims', ...OUTCOMES], rows)}\n`
}

function writeShare(own: readonly Checked[], outcome: Support): string {
  const count = own.filter(({ support }) => support === outcome).length
  const { value, low, high } = wilson(count, own.length)
  const [share, from, to] = [value, low, high].map(part => (100 * part).toFixed(1))
  return `${count}: ${share} [${from}, ${to}] %`
}

function toDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
