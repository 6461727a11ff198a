import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { digestOf } from '../../system/digest.ts'
import type { EmbeddingRole } from './embedder.ts'

/** Which of a model's states become the vector of a text: their mean, the first, the last, or what the model itself gives as `sentence_embedding`. */
export type Pooling = 'mean' | 'cls' | 'last' | 'model'

/** What a model reads before a text of each role. */
export type Prefixes = Readonly<Record<EmbeddingRole, string>>

/** What a user says of a model; what is left out, its folder says. */
export type ModelSettings = {
  readonly prefixes?: Prefixes | undefined
  readonly pooling?: Pooling | undefined
  /** So many numbers of each vector are kept, of a model that was trained to be cut. */
  readonly dimensions?: number | undefined
  /** Longest text, prefix and special tokens included. */
  readonly maxTokens?: number | undefined
}

/** How the texts and states of a local model are read. */
export type ModelReading = {
  readonly prefixes: Prefixes
  readonly pooling: Pooling
  readonly dimensions: number
  /** Longer vectors are cut to the dimensions; else they are a mistake. */
  readonly isCut: boolean
  readonly maxTokens: number
}

/** What the e5 family was trained with, the shipped model among it: a folder that says nothing is read so. */
const E5 = {
  prefixes: { query: 'query: ', passage: 'passage: ' },
  pooling: 'mean',
  maxTokens: 512,
} as const

/** Longest text where a folder alone says so: what a model needs grows with the square of it. */
const MAX_TOKENS = 2_048

const ConfigFile = z.object({
  hidden_size: z.int().positive(),
  max_position_embeddings: z.int().positive().optional(),
})
const ModulesFile = z.array(z.object({ path: z.string(), type: z.string() }))
const PoolingFile = z.object({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
  pooling_mode_lasttoken: z.boolean().default(false),
})
const DenseFile = z.object({ out_features: z.int().positive() })
const LengthFile = z.object({ max_seq_length: z.int().positive().nullish() })
const PromptsFile = z.object({ prompts: z.record(z.string(), z.string()).default({}) })

/** By the settings, else the files that sentence-transformers writes beside a model. Throws `model_unavailable` for a file that is none. */
export async function readModelReading(
  folder: string,
  settings: ModelSettings,
): Promise<ModelReading> {
  const config = await readFileOf(folder, 'config.json', ConfigFile)
  const modules = await readIfThere(folder, 'modules.json', ModulesFile)
  const trained = modules
    ? await sentenceTransformer(folder, modules, config)
    : { ...E5, dimensions: config.hidden_size }
  return {
    prefixes: settings.prefixes ?? trained.prefixes,
    pooling: settings.pooling ?? trained.pooling,
    dimensions: settings.dimensions ?? trained.dimensions,
    isCut: settings.dimensions !== undefined,
    maxTokens: settings.maxTokens ?? trained.maxTokens,
  }
}

/** What the id of a model says of how it is read, for vectors must not be mixed; nothing where it is read as e5. */
export function readingSuffix({
  prefixes,
  pooling,
  dimensions,
  isCut,
  maxTokens,
}: ModelReading): string {
  const isE5 = isDeepStrictEqual({ prefixes, pooling, maxTokens }, E5)
  return isE5 && !isCut
    ? ''
    : readingDigest(prefixes, isCut ? dimensions : undefined, pooling, maxTokens)
}

/** Part of the id of a model that is not read as its kind is by itself. */
export function readingDigest(
  { query, passage }: Prefixes,
  cutTo: number | undefined,
  ...further: (string | number)[]
): string {
  return `-${digestOf(query, passage, cutTo ?? 'whole', ...further).slice(0, 8)}`
}

async function sentenceTransformer(
  folder: string,
  modules: z.infer<typeof ModulesFile>,
  config: z.infer<typeof ConfigFile>,
) {
  const ofType = (name: string) => modules.find(({ type }) => type.endsWith(`.${name}`))
  const [pool, dense] = [ofType('Pooling'), ofType('Dense')]
  const poolFile =
    pool && (await readFileOf(folder, path.join(pool.path, 'config.json'), PoolingFile))
  const denseFile =
    dense && (await readFileOf(folder, path.join(dense.path, 'config.json'), DenseFile))
  const length = await readIfThere(folder, 'sentence_bert_config.json', LengthFile)
  const { prompts = {} } =
    (await readIfThere(folder, 'config_sentence_transformers.json', PromptsFile)) ?? {}
  const longest = length?.max_seq_length ?? config.max_position_embeddings ?? E5.maxTokens
  return {
    prefixes: { query: prompts.query ?? '', passage: prompts.passage ?? prompts.document ?? '' },
    pooling: poolFile && !dense ? poolingOf(poolFile) : 'model',
    dimensions: denseFile?.out_features ?? config.hidden_size,
    maxTokens: Math.min(longest, MAX_TOKENS),
  } as const
}

function poolingOf(file: z.infer<typeof PoolingFile>): Pooling {
  if (file.pooling_mode_cls_token) return 'cls'
  if (file.pooling_mode_mean_tokens) return 'mean'
  return file.pooling_mode_lasttoken ? 'last' : 'model'
}

async function readIfThere<Value>(
  folder: string,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  return existsSync(path.join(folder, name)) ? await readFileOf(folder, name, schema) : undefined
}

async function readFileOf<Value>(
  folder: string,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value> {
  const file = path.join(folder, name)
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    throw new AppError(
      'model_unavailable',
      `Cannot read ${file} of the embedding model. Check the model's directory.`,
      {
        cause,
      },
    )
  }
}

/** Where weights lie in a model's folder, by the conventions of transformers.js and of exporters; the first that is there. */
const WEIGHTS = [
  'onnx/model_quantized.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model.onnx',
]

/** Weights of a cross-encoder with the vocabulary of the model that it stands beside. */
const CROSS_ENCODER = 'onnx/answers_quantized.onnx'

/** Undefined where a model has none beside it. */
export function crossEncoderIn(folder: string): string | undefined {
  const weights = path.join(folder, CROSS_ENCODER)
  return existsSync(weights) ? weights : undefined
}

/** The file with a model's ONNX weights. Throws `model_unavailable` where there is none. */
export function weightsIn(folder: string): string {
  const weights = WEIGHTS.map(name => path.join(folder, name)).find(file => existsSync(file))
  if (weights) return weights
  const advice =
    'Give the absolute path of a folder with tokenizer.json and the weights; nothing is downloaded.'
  throw new AppError(
    'model_unavailable',
    `There is none of ${WEIGHTS.join(', ')} in ${folder}. ${advice}`,
  )
}
