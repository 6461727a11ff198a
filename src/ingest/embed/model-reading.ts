import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { hashParts } from '../../system/digest.ts'
import type { EmbeddingRole } from './embedder.ts'

/** Mean of the states, the first, the last, or the model's own `sentence_embedding`. */
export type Pooling = 'mean' | 'cls' | 'last' | 'model'

export type Prefixes = Readonly<Record<EmbeddingRole, string>>

export type ModelSettings = {
  readonly prefixes?: Prefixes
  readonly pooling?: Pooling
  /** Vectors are cut to this length, if the model was trained for it. */
  readonly dimensions?: number
  /** Length of a text, prefix and special tokens included. */
  readonly maxTokens?: number
}

export type ModelReading = {
  readonly prefixes: Prefixes
  readonly pooling: Pooling
  readonly dimensions: number
  /** Otherwise longer vectors are an error. */
  readonly isCut: boolean
  readonly maxTokens: number
}

/** Default: the e5 family (Wang et al. 2022). */
const E5 = {
  prefixes: { query: 'query: ', passage: 'passage: ' },
  pooling: 'mean',
  maxTokens: 512,
} as const

/** Protects memory, which grows with the square of the length. */
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

/** Reads the settings, else the files of sentence-transformers. Throws `model_unavailable`. */
export async function readModelReading(
  folder: string,
  settings: ModelSettings,
): Promise<ModelReading> {
  const config = await readModelFile(folder, 'config.json', ConfigFile)
  const modules = await readIfThere(folder, 'modules.json', ModulesFile)
  const trained = modules
    ? await readSentenceTransformer(folder, modules, config)
    : { ...E5, dimensions: config.hidden_size }
  return {
    prefixes: settings.prefixes ?? trained.prefixes,
    pooling: settings.pooling ?? trained.pooling,
    dimensions: settings.dimensions ?? trained.dimensions,
    isCut: settings.dimensions !== undefined,
    maxTokens: settings.maxTokens ?? trained.maxTokens,
  }
}

/** Returns the part of a model's id that separates vectors of other readings. Empty for e5. */
export function toReadingSuffix({
  prefixes,
  pooling,
  dimensions,
  isCut,
  maxTokens,
}: ModelReading): string {
  const isE5 = isDeepStrictEqual({ prefixes, pooling, maxTokens }, E5)
  return isE5 && !isCut
    ? ''
    : digestReading(prefixes, isCut ? dimensions : undefined, pooling, maxTokens)
}

export function digestReading(
  { query, passage }: Prefixes,
  cutTo: number | undefined,
  ...further: (string | number)[]
): string {
  return `-${hashParts(query, passage, cutTo ?? 'whole', ...further).slice(0, 8)}`
}

async function readSentenceTransformer(
  folder: string,
  modules: z.infer<typeof ModulesFile>,
  config: z.infer<typeof ConfigFile>,
) {
  const findModule = (name: string) => modules.find(({ type }) => type.endsWith(`.${name}`))
  const pool = findModule('Pooling')
  const dense = findModule('Dense')
  const poolFile =
    pool && (await readModelFile(folder, path.join(pool.path, 'config.json'), PoolingFile))
  const denseFile =
    dense && (await readModelFile(folder, path.join(dense.path, 'config.json'), DenseFile))
  const length = await readIfThere(folder, 'sentence_bert_config.json', LengthFile)
  const { prompts = {} } =
    (await readIfThere(folder, 'config_sentence_transformers.json', PromptsFile)) ?? {}
  const longest = length?.max_seq_length ?? config.max_position_embeddings ?? E5.maxTokens
  return {
    prefixes: { query: prompts.query ?? '', passage: prompts.passage ?? prompts.document ?? '' },
    pooling: poolFile && !dense ? findPooling(poolFile) : 'model',
    dimensions: denseFile?.out_features ?? config.hidden_size,
    maxTokens: Math.min(longest, MAX_TOKENS),
  } as const
}

function findPooling(file: z.infer<typeof PoolingFile>): Pooling {
  if (file.pooling_mode_cls_token) return 'cls'
  if (file.pooling_mode_mean_tokens) return 'mean'
  return file.pooling_mode_lasttoken ? 'last' : 'model'
}

async function readIfThere<Value>(
  folder: string,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  return existsSync(path.join(folder, name)) ? await readModelFile(folder, name, schema) : undefined
}

async function readModelFile<Value>(
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
      localizable`Cannot read ${file} of the embedding model. Check the model's directory.`,
      {
        cause,
      },
    )
  }
}

/** Conventions of transformers.js and exporters, in order of preference. */
const WEIGHTS = [
  'onnx/model_quantized.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model.onnx',
]

/** Has the vocabulary of the model beside it. */
const CROSS_ENCODER = 'onnx/answers_quantized.onnx'

export function findCrossEncoder(folder: string): string | undefined {
  const weights = path.join(folder, CROSS_ENCODER)
  return existsSync(weights) ? weights : undefined
}

/** Throws `model_unavailable` if there are none. */
export function findWeights(folder: string): string {
  const weights = WEIGHTS.map(name => path.join(folder, name)).find(file => existsSync(file))
  if (weights) return weights
  const advice =
    'Give the absolute path of a folder with tokenizer.json and the weights; nothing is downloaded.'
  throw new AppError(
    'model_unavailable',
    localizable`There is none of ${WEIGHTS.join(', ')} in ${folder}. ${advice}`,
  )
}
