/**
 * The mean vector of Chinese and of English chunks, as the starting point for collections that are still small.
 * usage: npx tsx bench/language-means.ts OUT.json CHUNKS_PER_LANGUAGE FILE...
 *
 * The file that ships was made from Debian's package debian-handbook 11.20220922 (The Debian Administrator's Handbook,
 * the same book in both languages, CC BY-SA 3.0 or GPL-2+; only these averages of it ship): html/en-US and html/zh-CN.
 */
import { writeFile } from 'node:fs/promises'
import { openEmbedder } from '../src/app/embedding.ts'
import { withFileParser } from '../src/app/indexing/parse-file.ts'
import { loadSettings } from '../src/config.ts'
import { detectLanguage, type Language } from '../src/text/language.ts'

const [out, limit, ...files] = process.argv.slice(2)
if (!out || !limit || files.length === 0)
  throw new Error('usage: language-means.ts OUT.json CHUNKS FILE...')

const texts: Record<Language, string[]> = { zh: [], en: [] }
await withFileParser({}, async ({ parser, chunker }) => {
  for (const file of files) {
    const chunks = await parser.readChunks(file, await chunker(), {})
    for (const { context, text } of chunks) texts[detectLanguage(text)].push(`${context}\n${text}`)
  }
})

const embedder = await openEmbedder(await loadSettings())
const means: Record<string, readonly number[]> = {}
for (const [language, all] of Object.entries(texts)) {
  const step = Math.max(1, Math.floor(all.length / Number(limit)))
  const sample = all.filter((_, index) => index % step === 0).slice(0, Number(limit))
  const vectors = await embedder.embed(sample, 'passage')
  const sum = vectors.reduce(
    (total, vector) => total.map((value, index) => value + (vector[index] ?? 0)),
    new Array<number>(embedder.dimensions).fill(0),
  )
  means[language] = sum.map(value => Number((value / sample.length).toFixed(6)))
  console.log(`${language}: ${sample.length} of ${all.length} chunks`)
}
await embedder.close()
await writeFile(out, `${JSON.stringify(means)}\n`)
