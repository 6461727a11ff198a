import { accessSync, constants, existsSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { agentSettings } from './config/agents.ts'
import { conversationsSchema } from './config/conversations.ts'
import {
  type LlmBlock,
  llmBlock,
  type ModelInput,
  modelSchema,
  modelSettings,
} from './config/models.ts'
import { parsingSettings } from './config/parsing.ts'
import { type RagCfg, ragCfg, searchingSchema } from './config/searching.ts'
import { serverSchema } from './config/server.ts'
import { sourceSettings } from './config/sources.ts'
import { selectTenantCatalog, storageSettings } from './config/storage.ts'
import { toolsSchema } from './config/tools.ts'
import { webhooksSchema } from './config/webhooks.ts'
import { localizable } from './errors/localizable.ts'
import { describeSchemaFault } from './errors/schema-issue.ts'
import { AppError } from './errors.ts'

/** A test compares docs/settings.md. */
export const settingsSchema = z.strictObject({
  home: z.string().min(1),
  /** Records stores on separate disks; none without a user's home. */
  stateHome: z.string().min(1).optional(),
  ...modelSettings,
  chunking: z
    .strictObject({
      tokens: z.int().min(16).default(400),
      overlap: z.number().min(0).max(0.5).default(0.15),
    })
    .prefault({}),
  ...parsingSettings,
  ...sourceSettings,
  embedding: z
    .strictObject({
      /** Processes of one ONNX thread each. */
      workers: z.int().min(1).default(availableParallelism()),
      /** Until release; 0 keeps them. */
      idleMs: z.int().min(0).default(60_000),
    })
    .prefault({}),
  upkeep: z
    .strictObject({
      /** Larger tables use a separate upkeep process. */
      processRows: z.int().min(0).default(20_000),
      /** For building a word index; default an eighth of the memory. */
      memoryBytes: z
        .int()
        .min(256 * 2 ** 20)
        .optional(),
      /** Words per partition, instead of what fits the memory. */
      partitionBytes: z
        .int()
        .min(16 * 2 ** 20)
        .max(2 ** 31)
        .optional(),
    })
    .prefault({}),
  deleting: z
    .strictObject({
      /** Until a deletion is permanent; 0 at once. */
      keepDays: z.number().min(0).max(3650).default(7),
    })
    .prefault({}),
  conversations: conversationsSchema,
  ...storageSettings,
  searching: searchingSchema,
  ...agentSettings,
  tools: toolsSchema,
  server: serverSchema,
  webhooks: webhooksSchema,
})

export type Settings = z.infer<typeof settingsSchema>
type SettingsInput = z.input<typeof settingsSchema>
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | undefined } : T

export type LoadOptions = {
  readonly home?: string | undefined
  /** Replaces `config.yaml`. */
  readonly configFile?: string | undefined
  readonly model?: DeepPartial<SettingsInput>['model']
  readonly settings?:
    | (DeepPartial<SettingsInput> & { readonly rag_cfg?: RagCfg; readonly llm?: LlmBlock })
    | undefined
  /** Default the process's environment. */
  readonly environment?: Environment
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads defaults, file, environment, arguments. Throws `invalid_input` with setting and origin. */
export async function loadSettings(options: LoadOptions = {}): Promise<Settings> {
  return (await loadServiceSettings(options)).settings
}

/** Stores in the home the model that administrators set in the page. */
export const MODEL_FILE = 'page-model.json'

/** Also returns whether the operator named a model, which the page then cannot change. */
export async function loadServiceSettings({
  home,
  configFile,
  settings,
  model,
  environment = process.env,
}: LoadOptions): Promise<{ readonly settings: Settings; readonly isModelFixed: boolean }> {
  const directory = path.resolve(
    home ?? (environment.PASSIM_HOME || undefined) ?? path.join(homedir(), '.passim'),
  )
  const ownLayers: readonly Layer[] = [
    await readFileLayer(
      configFile ?? path.join(directory, 'config.yaml'),
      configFile !== undefined,
    ),
    { name: ENVIRONMENT, values: readEnvironment(environment) },
    {
      name: 'the arguments',
      values: model === undefined ? (settings ?? {}) : { ...settings, model },
    },
  ]
  const isModelFixed = ownLayers.some(layer => hasModel(merge({}, getValues(layer))))
  const layers = isModelFixed
    ? ownLayers
    : [await readFileLayer(path.join(directory, MODEL_FILE), false), ...ownLayers]
  const merged = layers.reduce<unknown>((below, layer) => merge(below, getValues(layer)), {
    home: directory,
  })
  const parsed = settingsSchema.safeParse(merged, { jitless: true }) // compiling the schema would not pay for one use
  if (parsed.success) return { settings: selectOwnCatalog(parsed.data), isModelFixed }
  const place = formatPlace(parsed.error)
  throw createSettingError(
    place,
    parsed.error,
    layers.findLast(candidate => hasValue(candidate.values, place))?.name,
  )
}

function hasModel(values: unknown): boolean {
  return isRecord(values) && values.model !== undefined
}

/** The home of a tenant, `tenants/NAME` in that of the service, has the tenant's schema. */
function selectOwnCatalog(settings: Settings): Settings {
  const [folder, tenant] = settings.home.split(path.sep).slice(-2)
  if (folder !== 'tenants' || !tenant) return settings
  return { ...settings, catalog: selectTenantCatalog(settings.catalog, tenant) }
}

export function parseModelSettings(input: ModelInput): NonNullable<Settings['model']> {
  const parsed = modelSchema.safeParse(input)
  if (parsed.success) return parsed.data
  throw createSettingError(['model', ...formatPlace(parsed.error)], parsed.error, 'the arguments')
}

const ENVIRONMENT = 'the environment'

type Layer = { readonly name: string; readonly values: unknown }

function getValues({ name, values }: Layer): unknown {
  return Object.entries(FOREIGN).reduce((settings, [key, schema]) => {
    if (!isRecord(settings) || settings[key] === undefined) return settings
    const { [key]: foreign, ...own } = settings
    const parsed = schema.safeParse(foreign)
    if (parsed.success) return merge(prune(parsed.data), own)
    throw createSettingError([key, ...formatPlace(parsed.error)], parsed.error, name)
  }, values)
}

const FOREIGN: Readonly<Record<string, z.ZodType>> = { rag_cfg: ragCfg, llm: llmBlock }

function formatPlace({ issues: [issue] }: z.ZodError): readonly PropertyKey[] {
  return [...(issue?.path ?? []), ...(issue && 'keys' in issue ? [issue.keys[0] ?? ''] : [])]
}

function createSettingError(
  place: readonly PropertyKey[],
  error: z.ZodError,
  layer?: string,
): AppError {
  const fault = describeSchemaFault(error)
  const name = place.join('.')
  if (fault.unknown !== undefined)
    return new AppError(
      'invalid_input',
      localizable`Unknown setting ${name}${layer && localizable` in ${layer}`}. Check its spelling.`,
    )
  if (!layer && error.issues[0]?.code === 'custom')
    return new AppError('invalid_input', localizable`Setting ${name} ${fault.what}.`)
  const variable = layer === ENVIRONMENT ? getVariable(place) : ''
  const origin = layer
    ? localizable`in ${layer}${variable} ${fault.what}`
    : localizable`is required together with the settings beside it${getVariable(place)}`
  return new AppError('invalid_input', localizable`Setting ${name} ${origin}.`)
}

function getVariable([section, field]: readonly PropertyKey[]): string {
  if (field !== 'name' && field !== 'url') return ''
  return ` (PASSIM_${String(section).toUpperCase()}${field === 'url' ? '_URL' : ''})`
}

async function readFileLayer(file: string, isRequired: boolean): Promise<Layer> {
  if (!existsSync(file)) {
    if (isRequired)
      throw new AppError('invalid_input', localizable`There is no settings file ${file}.`)
    return { name: file, values: {} }
  }
  const { readSettingsFile } = await import('./config/settings-file.ts')
  const values = (await readSettingsFile(file)) ?? {}
  if (isRecord(values)) return { name: file, values }
  throw new AppError(
    'invalid_input',
    localizable`The settings file ${file} contains no settings. A setting is a line such as "home: ~/papers".`,
  )
}

/** Takes empty variables as unset, as in shells. */
function readEnvironment(variables: Environment): unknown {
  const environment: Environment = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== ''),
  )
  const { PASSIM_MODEL_URL, PASSIM_MODEL, PASSIM_MODEL_KEY } = environment
  const { PASSIM_EMBEDDER_URL, PASSIM_EMBEDDER, PASSIM_EMBEDDER_KEY } = environment
  const { PASSIM_RERANKER_URL, PASSIM_RERANKER, PASSIM_RERANKER_KEY } = environment
  const { PASSIM_S3_URL, PASSIM_S3_BUCKET, PASSIM_S3_ACCESS_KEY_ID, PASSIM_S3_SECRET_ACCESS_KEY } =
    environment
  const { PASSIM_WEAVIATE_URLS, PASSIM_WEAVIATE_KEY } = environment
  const { PASSIM_CATALOG_URL, PASSIM_CATALOG_SCHEMA, PASSIM_TOKEN_KEY } = environment
  const isRemote = PASSIM_EMBEDDER_URL !== undefined
  const { HOME, XDG_STATE_HOME = HOME && path.join(HOME, '.local', 'state') } = environment
  return {
    stateHome: XDG_STATE_HOME && path.join(XDG_STATE_HOME, 'passim'),
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
    s3: {
      url: PASSIM_S3_URL,
      bucket: PASSIM_S3_BUCKET,
      accessKeyId: PASSIM_S3_ACCESS_KEY_ID,
      secretAccessKey: PASSIM_S3_SECRET_ACCESS_KEY,
    },
    catalog: { url: PASSIM_CATALOG_URL, schema: PASSIM_CATALOG_SCHEMA },
    ...readSourceCredentials(environment),
    ...(PASSIM_TOKEN_KEY && { server: { tokens: { key: PASSIM_TOKEN_KEY } } }),
    weaviate: {
      urls: PASSIM_WEAVIATE_URLS?.split(',').map(url => url.trim()),
      key: PASSIM_WEAVIATE_KEY,
    },
  }
}

const SOURCE_FIELDS: Readonly<Record<string, string>> = {
  USER: 'user',
  PASSWORD: 'password',
  ACCESS_KEY_ID: 'accessKeyId',
  SECRET_ACCESS_KEY: 'secretAccessKey',
}

/** Reads for example `PASSIM_SOURCE_MAIL_PASSWORD`, of the source `mail`. */
function readSourceCredentials(environment: Environment): object {
  const sources: Record<string, Record<string, string>> = {}
  for (const [variable, value = ''] of Object.entries(environment)) {
    const [, name = '', field = ''] =
      /^PASSIM_SOURCE_(\w+?)_(USER|PASSWORD|ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/.exec(variable) ?? []
    const property = SOURCE_FIELDS[field]
    const source = name.toLowerCase().replaceAll('_', '-')
    if (property) sources[source] = { ...sources[source], [property]: value }
  }
  return Object.keys(sources).length > 0 ? { sources } : {}
}

/** Ignores undefined and empty objects of the upper layer. */
function merge(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above ?? below
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const isSilent =
      value === undefined ||
      (isRecord(value) && Object.values(value).every(inner => inner === undefined))
    if (!isSilent) merged[key] = key in below ? merge(below[key], value) : prune(value)
  }
  return merged
}

function prune(value: unknown): unknown {
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, prune(inner)]))
}

function hasValue(values: unknown, place: readonly PropertyKey[]): boolean {
  let current = values
  for (const key of place) {
    const inner: unknown =
      isRecord(current) || Array.isArray(current) ? Reflect.get(current, key) : undefined
    if (inner === undefined) return false
    current = inner
  }
  return true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function detectScreen({ NO_COLOR, DISPLAY, WAYLAND_DISPLAY } = process.env) {
  return {
    mayColour: !NO_COLOR,
    hasScreen: process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY),
  }
}

export function findProgram(name: string, { PATH = '' } = process.env): string | undefined {
  const folders = PATH.split(path.delimiter).filter(path.isAbsolute)
  return folders.map(folder => path.join(folder, name)).find(isRunnable)
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Ranks the variables as POSIX does. */
export function detectLocaleLanguage({ LC_ALL, LC_MESSAGES, LANG } = process.env): 'en' | 'zh' {
  return /^zh/iu.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en'
}
