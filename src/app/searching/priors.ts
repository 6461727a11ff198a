import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import type { MeanPriors } from '../../search/language-means.ts'
import type { SmallTalkPriors } from '../../search/meaning.ts'
import { MODELS_FOLDER } from '../embedding.ts'

const priorsSchema = z.object({ zh: z.array(z.number()), en: z.array(z.number()) })
const talkSchema = z.object({ direction: z.array(z.number()), least: z.number() })
const smallTalkSchema = z.object({ zh: talkSchema, en: talkSchema })

/** Reads `language-means.json`, made by bench/language-means.ts; none for other models. */
export async function readPriors(embedder: Embedder): Promise<MeanPriors> {
  return await readMeans(embedder, 'language-means.json')
}

/** Reads `query-means.json`, made by bench/query-means.ts. */
export async function readQueryMeans(embedder: Embedder): Promise<MeanPriors> {
  return await readMeans(embedder, 'query-means.json')
}

async function readMeans(embedder: Embedder, file: string): Promise<MeanPriors> {
  const text = await readOfModel(embedder, file)
  if (text === undefined) return {}
  const { zh, en } = priorsSchema.parse(JSON.parse(text))
  return { zh: Float32Array.from(zh), en: Float32Array.from(en) }
}

/** Reads `small-talk.json`, made by bench/small-talk.ts. */
export async function readSmallTalk(embedder: Embedder): Promise<SmallTalkPriors> {
  const text = await readOfModel(embedder, 'small-talk.json')
  if (text === undefined) return {}
  const { zh, en } = smallTalkSchema.parse(JSON.parse(text))
  const toPriors = ({ direction, least }: z.output<typeof talkSchema>) => ({
    direction: Float32Array.from(direction),
    minimum: least,
  })
  return { zh: toPriors(zh), en: toPriors(en) }
}

/** Returns undefined unless the model is shipped and the file's. */
async function readOfModel({ id }: Embedder, name: string): Promise<string | undefined> {
  const [model = '', reading = ''] = id.split('@')
  const file = path.join(MODELS_FOLDER, path.basename(model), name)
  return reading.includes('-') || !existsSync(file) ? undefined : await readFile(file, 'utf8')
}
