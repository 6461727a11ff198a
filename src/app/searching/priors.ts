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

/**
 * The mean vectors of a shipped model's languages, from `language-means.json` in its folder; none for other models, nor where it
 * is read otherwise.
 * bench/language-means.ts makes the file and says of which texts.
 */
export async function readPriors(embedder: Embedder): Promise<MeanPriors> {
  const text = await readOfModel(embedder, 'language-means.json')
  if (text === undefined) return {}
  const { zh, en } = priorsSchema.parse(JSON.parse(text))
  return { zh: Float32Array.from(zh), en: Float32Array.from(en) }
}

/** The same of small talk, from `small-talk.json`, which bench/small-talk.ts makes. */
export async function readSmallTalk(embedder: Embedder): Promise<SmallTalkPriors> {
  const text = await readOfModel(embedder, 'small-talk.json')
  if (text === undefined) return {}
  const { zh, en } = smallTalkSchema.parse(JSON.parse(text))
  const told = ({ direction, least }: z.output<typeof talkSchema>) => ({
    direction: Float32Array.from(direction),
    least,
  })
  return { zh: told(zh), en: told(en) }
}

/** Undefined where the model does not ship, or is read otherwise, and where it has no such file. */
async function readOfModel({ id }: Embedder, name: string): Promise<string | undefined> {
  const [model = '', reading = ''] = id.split('@')
  const file = path.join(MODELS_FOLDER, path.basename(model), name)
  return reading.includes('-') || !existsSync(file) ? undefined : await readFile(file, 'utf8')
}
