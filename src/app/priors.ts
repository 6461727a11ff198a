import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Embedder } from '../ingest/embedder.ts'
import type { MeanPriors } from '../search/language-means.ts'
import { MODELS_FOLDER } from './embedding.ts'

const priorsSchema = z.object({ zh: z.array(z.number()), en: z.array(z.number()) })

/**
 * The mean vectors of a shipped model's languages, from `language-means.json` in its folder; none for other models, nor where it
 * is read otherwise.
 * bench/language-means.ts makes the file and says of which texts.
 */
export async function readPriors({ id }: Embedder): Promise<MeanPriors> {
  const [model = '', reading = ''] = id.split('@')
  if (reading.includes('-')) return {}
  const file = path.join(MODELS_FOLDER, path.basename(model), 'language-means.json')
  if (!existsSync(file)) return {}
  const { zh, en } = priorsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return { zh: Float32Array.from(zh), en: Float32Array.from(en) }
}
