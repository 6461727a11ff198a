import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { ocrSchema, parsingSchema } from './config/parsing.ts'
import { fetchingSchema, watchingSchema } from './config/sources.ts'
import { AppError } from './errors.ts'

const MEBIBYTE = 1024 * 1024

/** A limit in bytes. */
const mebibytes = (count: number) =>
  z
    .int()
    .min(1)
    .default(count * MEBIBYTE)

const modelSchema = z.strictObject({
  /** Base URL of an OpenAI-compatible server, as `http://localhost:11434/v1`. */
  url: z.url(),
  name: z.string().min(1),
  key: z.string().min(1).optional(),
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  /** Of one answer. */
  maxTokens: z.int().min(1).optional(),
  /** Of one request; longer conversations are shortened, oldest first. 0 for any length. */
  maxInputTokens: z.int().min(0).default(58_000),
  seed: z.int().optional(),
  stop: z.array(z.string().min(1)).optional(),
  parallelFunctionCalls: z.boolean().optional(),
  thoughtInContent: z.boolean().optional(),
  /** How tools are called: by the server's own means, or as text by a template that the model was taught. */
  functionCalling: z.enum(['native', 'nous', 'qwen']).default('native'),
  /** Tries after a failure that may pass. */
  maxRetries: z.int().min(0).max(20).default(0),
  cache: z
    .strictObject({
      /** Largest all kept answers may be, in bytes; 0 keeps none. */
      maxBytes: z.int().min(0).default(0),
      /** How long an answer is repeated to the same request, in milliseconds. */
      ttlMs: z
        .int()
        .min(1)
        .default(24 * 60 * 60 * 1000),
    })
    .prefault({}),
})

const embedderSchema = z.strictObject({
  /** A model folder under `data/models`, or an absolute path to one. */
  id: z.string().min(1).optional(),
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
})

const rerankerSchema = z.strictObject({
  /** Absolute path of a cross-encoder's folder: `tokenizer.json` and ONNX weights. */
  id: z.string().min(1).optional(),
  /** Base URL of a server with Cohere's or Jina's `/rerank`. */
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** So many of the best hits are looked at. */
  depth: z.int().min(1).max(100).default(20),
  /** Longest a query waits for it, in milliseconds; then the hits stay in their order. */
  timeMs: z.int().min(1).default(10_000),
})

const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
])

/** Every setting with its default; the README's table says the same. */
const settingsSchema = z.strictObject({
  home: z.string().min(1),
  model: modelSchema.optional(),
  embedder: embedderSchema.prefault({}),
  reranker: rerankerSchema.optional(),
  chunking: z
    .strictObject({ tokens: z.int().min(16).default(400), overlap: z.number().min(0).max(0.5).default(0.15) })
    .prefault({}),
  parsing: parsingSchema,
  fetching: fetchingSchema,
  ocr: ocrSchema,
  watching: watchingSchema,
  embedding: z
    .strictObject({
      /** Embedding workers, one ONNX thread each. */
      workers: z.int().min(1).default(availableParallelism()),
      /** Workers are released after this long without work, in milliseconds; 0 keeps them. */
      idleMs: z.int().min(0).default(60_000),
    })
    .prefault({}),
  answering: z
    .strictObject({
      /** Tokens of retrieved text that a chat model is shown. */
      contextTokens: z.int().min(200).default(6_000),
      /** How sure an extractive answer has to be. */
      strictness: z.number().min(0).max(1).default(0.5),
      /** Sentences of a model that no source was found for: named beside the answer, or taken out of it. */
      unsupported: z.enum(['flag', 'remove']).default('flag'),
      /** Model calls for one question, at most. */
      maxModelCalls: z.int().min(1).default(20),
    })
    .prefault({}),
  agent: z
    .strictObject({
      /** Folders whose files agents and their tools may read, besides documents. */
      roots: z.array(z.string().min(1)).default([]),
      /** Hits of one search by an agent or a tool. */
      topK: z.int().min(1).max(1_000).default(20),
      /** Hits below are left out. */
      minScore: z.number().optional(),
      /** Tokens of what an agent looks up for one answer. */
      contextTokens: z.int().min(200).default(20_000),
      /** How a model turns questions into words to search for. */
      keywords: z
        .enum([
          'None',
          'GenKeyword',
          'SplitQueryThenGenKeyword',
          'GenKeywordWithKnowledge',
          'SplitQueryThenGenKeywordWithKnowledge',
        ])
        .default('GenKeyword'),
      /** A lighter model of the same server for that. */
      keywordModel: z.string().min(1).optional(),
      /** Servers whose tools agents may use, by name. */
      mcpServers: z.record(z.string().regex(/^[\w-]{1,32}$/), mcpServerSchema).default({}),
      /** Longest one tool call may take, in milliseconds. */
      toolTimeoutMs: z.int().min(1).default(120_000),
      /** Tokens of one tool's answer. */
      maxToolTokens: z.int().min(100).default(20_000),
    })
    .prefault({}),
  server: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(7700),
      /** Largest upload, in bytes. */
      maxUploadBytes: mebibytes(512),
      /** Largest upload in parts, in bytes. */
      maxPartedUploadBytes: mebibytes(8_192),
      /** The store of a tenant is closed so long after its last use, in milliseconds. */
      idleStoreMs: z.int().min(1).default(300_000),
      /** Stores of tenants that are open at a time. */
      maxOpenStores: z.int().min(1).default(64),
      /** Longest that a request may take to be answered, in milliseconds; uploads only must not stand still for so long. */
      requestMs: z.int().min(1).default(600_000),
      /** Requests of one key in a minute. */
      requestsPerMinute: z.int().min(1).default(6_000),
      /** Requests of one key at a time. */
      maxRequestsPerKey: z.int().min(1).default(128),
      /** Requests at a time, whoever asks. */
      maxRequests: z.int().min(1).default(1_024),
      /** Origins of web pages that may use the service, as `https://app.example.org`. */
      corsOrigins: z.array(z.url()).default([]),
    })
    .prefault({}),
})

export type Settings = z.infer<typeof settingsSchema>
export type SettingsInput = z.input<typeof settingsSchema>
export type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | undefined } : T

export type LoadOptions = {
  readonly home?: string | undefined
  /** Instead of `config.yaml` in the home. */
  readonly configFile?: string | undefined
  readonly settings?: DeepPartial<SettingsInput> | undefined
  /** For tests; the process's environment by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Defaults < file < environment < arguments. Throws `invalid_input` naming the setting and where it came from. */
export function loadSettings({ home, configFile, settings, environment = process.env }: LoadOptions = {}): Settings {
  const directory = path.resolve(home ?? environment.PASSIM_HOME ?? path.join(homedir(), '.passim'))
  const layers: readonly Layer[] = [
    fileLayer(configFile ?? path.join(directory, 'config.yaml'), configFile !== undefined),
    { name: 'the environment', values: environmentValues(environment) },
    { name: 'the arguments', values: settings ?? {} },
  ]
  const merged = layers.reduce<unknown>((below, layer) => merge(below, layer.values), { home: directory })
  const parsed = settingsSchema.safeParse(merged)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]! // a failed parse has an issue
  const place = [...issue.path, ...('keys' in issue ? [issue.keys[0] ?? ''] : [])]
  const layer = layers.findLast(candidate => holds(candidate.values, place))
  throw new AppError(
    'invalid_input',
    `Setting ${place.join('.')} in ${layer?.name ?? 'the defaults'}: ${issue.message}.`,
  )
}

type Layer = { readonly name: string; readonly values: unknown }

function fileLayer(file: string, isRequired: boolean): Layer {
  if (!existsSync(file)) {
    if (isRequired) throw new AppError('invalid_input', `There is no settings file ${file}.`)
    return { name: file, values: {} }
  }
  try {
    return { name: file, values: parseYaml(readFileSync(file, 'utf8')) ?? {} } // JSON is YAML too
  } catch (error) {
    throw new AppError('invalid_input', `Cannot read the settings file ${file}: ${String(error)}`, { cause: error })
  }
}

function environmentValues(environment: Readonly<Record<string, string | undefined>>): unknown {
  const { PASSIM_MODEL_URL, PASSIM_MODEL, PASSIM_MODEL_KEY } = environment
  const { PASSIM_EMBEDDER_URL, PASSIM_EMBEDDER, PASSIM_EMBEDDER_KEY } = environment
  const { PASSIM_RERANKER_URL, PASSIM_RERANKER, PASSIM_RERANKER_KEY } = environment
  const isRemote = PASSIM_EMBEDDER_URL !== undefined
  return {
    model: { url: PASSIM_MODEL_URL, name: PASSIM_MODEL, key: PASSIM_MODEL_KEY },
    embedder: {
      url: PASSIM_EMBEDDER_URL,
      [isRemote ? 'name' : 'id']: PASSIM_EMBEDDER,
      key: PASSIM_EMBEDDER_KEY,
    },
    reranker: {
      url: PASSIM_RERANKER_URL,
      [PASSIM_RERANKER_URL === undefined ? 'id' : 'name']: PASSIM_RERANKER,
      key: PASSIM_RERANKER_KEY,
    },
  }
}

/** The upper layer's values over the lower one's; undefined and empty objects say nothing. */
function merge(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above ?? below
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const isSilent =
      value === undefined || (isRecord(value) && Object.values(value).every(inner => inner === undefined))
    if (!isSilent) merged[key] = key in below ? merge(below[key], value) : prune(value)
  }
  return merged
}

function prune(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

function holds(values: unknown, place: readonly PropertyKey[]): boolean {
  let current = values
  for (const key of place) {
    if (!isRecord(current) || current[String(key)] === undefined) return false
    current = current[String(key)]
  }
  return true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether text may be coloured, and whether a browser can be shown, as far as the environment tells. */
export function screenOf({ NO_COLOR, DISPLAY, WAYLAND_DISPLAY } = process.env) {
  return { mayColour: !NO_COLOR, hasScreen: process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY) }
}
