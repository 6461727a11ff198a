import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../config.ts'
import { getMessages, localizable, withMessage } from '../errors/localizable.ts'
import { AppError, isModelFailure } from '../errors.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import type { Embedder } from '../ingest/embed/embedder.ts'
import { LocalEmbedder } from '../ingest/embed/local.ts'
import { loadTokenCounter } from '../ingest/embed/local-tokens.ts'
import { QueryCache } from '../ingest/embed/query-cache.ts'
import { RemoteEmbedder, UnreachedEmbedder } from '../ingest/embed/remote.ts'
import type { Warning } from '../ingest/parse/parser.ts'

export const DEFAULT_EMBEDDER = 'multilingual-e5-small-enzh'

/** Same path from `src/app` and `dist/app`. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../data/models', import.meta.url))

export function getModelFolder(id: string): string {
  const folder = path.isAbsolute(id) ? id : path.join(MODELS_FOLDER, id)
  if (existsSync(path.join(folder, 'config.json'))) return folder
  throw new AppError(
    'model_unavailable',
    localizable`There is no embedding model ${id} in ${folder}. Nothing is downloaded: give the path of a model folder.`,
  )
}

export async function openEmbedder(
  settings: Settings,
  options?: OpenModelOptions,
): Promise<Embedder> {
  return new QueryCache(await openBareEmbedder(settings, options))
}

/** Reports a server that is down to `onUnreached`; everything without vectors works. */
export async function openBareEmbedder(
  { embedder, embedding }: Settings,
  {
    onUnreached,
    ...options
  }: OpenModelOptions & { readonly onUnreached?: (error: AppError) => void } = {},
): Promise<Embedder> {
  const { url, name } = embedder
  if (!url || !name) return await openModel(embedder, embedding, options)
  const reach = (signal: AbortSignal) =>
    openModel(embedder, embedding, { ...options, signal }).catch(explain)
  return await openModel(embedder, embedding, { ...options, isHasty: true }).catch(error => {
    if (!isModelFailure(error)) throw error
    onUnreached?.(error)
    return new UnreachedEmbedder(name, reach)
  })
}

function explain(error: unknown): never {
  if (!isModelFailure(error)) throw error
  throw new AppError(error.code, localizable`${getMessages(error).message} ${MUST_ANSWER_ONCE}`, {
    cause: error,
    subject: error.subject,
    advice:
      error.advice === undefined ? WITHOUT_SERVER : localizable`${error.advice} ${WITHOUT_SERVER}`,
  })
}

/** Reports a collection for keywords, because the server has never answered. */
export function toKeywordsMessage(name: string, error: AppError): Warning {
  const { code, cause } = error
  const { message: reason } = getMessages(cause instanceof AppError ? cause : error) // without the other remedies
  const advice = localizable`When the server answers, run passim collections re-embed ${name} --embedder MODEL, and index again without --no-vectors.`
  return withMessage(
    { code },
    localizable`The collection ${name} is created for keyword search only. ${reason}`,
    advice,
  )
}

const MUST_ANSWER_ONCE =
  'The length of its vectors is not known yet, so it must answer once before a collection can use it.'

const WITHOUT_SERVER =
  'To work without it, create a collection for keyword search (passim collections create NAME --embedder none), or unset embedder.url ' +
  '(PASSIM_EMBEDDER_URL).'

export type OpenModelOptions = {
  /** Avoids querying the server. */
  readonly dimensions?: number | undefined
  readonly lastDimensions?: number | undefined
  /** Uses a short timeout. */
  readonly isHasty?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Queries unknown dimensions. */
export async function openModel(
  { url, id, name = id, key, ...model }: Settings['embedder'],
  embedding: Settings['embedding'],
  { dimensions, lastDimensions, isHasty, signal }: OpenModelOptions = {},
): Promise<Embedder> {
  if (!url)
    return await LocalEmbedder.open({
      modelPath: getModelFolder(id ?? DEFAULT_EMBEDDER),
      model,
      ...embedding,
    })
  if (model.pooling) {
    throw new AppError(
      'invalid_input',
      'The setting embedder.pooling applies to local models only. With embedder.url, the server pools.',
    )
  }
  if (!name)
    throw new AppError(
      'invalid_input',
      'The setting embedder.url needs embedder.name, the name of the model on that server.',
    )
  const server = {
    url,
    name,
    model,
    lastDimensions,
    isHasty,
    ...(key && { key }),
    ...(dimensions && { dimensions }),
  }
  return await RemoteEmbedder.open(server, signal)
}

export type TokenCounters = {
  /** Counts tokens of chunks and sources. */
  readonly open: () => Promise<TokenCounter>
  /** Counts those of the embedder. */
  readonly openEmbedders: () => Promise<TokenCounter>
}

export function createTokenCounters(settings: Settings, own?: TokenCounter): TokenCounters {
  let counter: Promise<TokenCounter> | undefined
  const openEmbedders = () => (counter ??= openTokenCounter(settings))
  return { open: own ? async () => own : openEmbedders, openEmbedders }
}

/** Uses the shipped vocabulary for a server's model, which cannot be queried. */
export async function openTokenCounter({ embedder }: Settings): Promise<TokenCounter> {
  return await loadTokenCounter(
    getModelFolder(embedder.url ? DEFAULT_EMBEDDER : (embedder.id ?? DEFAULT_EMBEDDER)),
  )
}
