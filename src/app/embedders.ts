import path from 'node:path'
import type { Settings } from '../config.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Embedder, OpenEmbedder } from '../ingest/embed/embedder.ts'
import { BorrowedEmbedder } from '../ingest/embed/embedder.ts'
import { QueryCache } from '../ingest/embed/query-cache.ts'
import {
  type Collection,
  type EmbeddedBy,
  NO_EMBEDDER,
} from '../ingest/store/catalog/collections.ts'
import { raceAbort } from '../system/unless-aborted.ts'
import { DEFAULT_EMBEDDER, type OpenModelOptions, openModel } from './embedding.ts'

type ConfiguredModel = {
  /** The settings' name first, then the model's own. */
  readonly names: readonly string[]
  readonly open: (options: OpenModelOptions) => Promise<Embedder>
}

export class Embedders {
  readonly configured: Embedder
  readonly #models: readonly ConfiguredModel[]
  readonly #opened = new Map<ConfiguredModel, Promise<Embedder>>()
  readonly #closing = new AbortController()

  constructor(configured: Embedder, models: readonly ConfiguredModel[]) {
    this.configured = configured
    this.#models = models
  }

  /** Returns a collection's embedder. The model name is the part of its id before `@`. */
  readonly open: OpenEmbedder = async ({ name, embedderId }, signal) => {
    if (embedderId === NO_EMBEDDER) return undefined
    if (this.#canBeConfigured(embedderId) && (await this.reach(signal)).id === embedderId)
      return this.configured
    const models = this.#findModels(embedderId)
    const dimensions = models.length > 1 ? undefined : parseDimensions(embedderId) // several models are told apart by their server
    const embedder = await this.#withId(embedderId, models, { dimensions, signal })
    if (embedder) return embedder
    throw this.#createMismatch(name, embedderId)
  }

  /** Throws `store_mismatch` if no setting names the model. */
  require({ name, embedderId }: Parameters<OpenEmbedder>[0]): void {
    if (
      this.#findModels(embedderId).length === 0 &&
      embedderId !== NO_EMBEDDER &&
      !this.#canBeConfigured(embedderId)
    )
      throw this.#createMismatch(name, embedderId)
  }

  /** Returns the configured model with known dimensions. Throws `model_unavailable`. */
  async reach(signal?: AbortSignal): Promise<Embedder> {
    if (!this.#isReached)
      await raceAbort(this.configured.embed(['dimensions'], 'query', signal), signal)
    return this.configured
  }

  /**
   * Opens a model by name (default the configured one); `none` means keywords only. Throws
   * `invalid_input`.
   */
  async openByName(name: string | undefined, signal?: AbortSignal): Promise<EmbeddedBy> {
    if (name === NO_EMBEDDER) return { embedderId: NO_EMBEDDER, dimensions: 0 }
    const embedder =
      name === undefined ? await this.reach(signal) : await this.#findByName(name, signal)
    return { embedderId: embedder.id, dimensions: embedder.dimensions }
  }

  get names(): readonly string[] {
    const own = [parseModelName(this.configured.id), ...this.#models.map(({ names }) => names[0]!)]
    return [...new Set([...own, NO_EMBEDDER])]
  }

  /** Shares models with another store, whose closing closes nothing. */
  shareModels(): Embedders {
    const shareModel = (embedder: Embedder) => new QueryCache(new BorrowedEmbedder(embedder))
    const models = this.#models.map(model => {
      return {
        names: model.names,
        open: async (options: OpenModelOptions) => shareModel(await this.#open(model, options)),
      }
    })
    return new Embedders(shareModel(this.configured), models)
  }

  async close(): Promise<void> {
    this.#closing.abort(new AppError('cancelled', 'The models are being closed.'))
    await this.configured.close()
    for (const opening of this.#opened.values()) {
      await opening.then(
        embedder => embedder.close(),
        () => {}, // the caller of open received the failure
      )
    }
  }

  async #findByName(name: string, signal?: AbortSignal): Promise<Embedder> {
    if (name === this.configured.id || name === parseModelName(this.configured.id))
      return await this.reach(signal)
    const model =
      this.#models.find(({ names }) => names[0] === name) ??
      this.#models.find(({ names }) => names.includes(name))
    const embedder = model
      ? await this.#open(model, { signal })
      : await this.#withId(name, this.#findModels(name), { signal })
    if (embedder) return embedder
    throw new AppError(
      'invalid_input',
      localizable`There is no embedder ${name}. There are: ${this.names.join(', ')}. Setting embedders adds others.`,
    )
  }

  get #isReached(): boolean {
    return this.configured.dimensions > 0
  }

  /** Compares names: nothing else is known before an answer. */
  #canBeConfigured(embedderId: string): boolean {
    const { id } = this.configured
    return (
      embedderId === id || (!this.#isReached && parseModelName(embedderId) === parseModelName(id))
    )
  }

  #findModels(embedderId: string): readonly ConfiguredModel[] {
    return this.#models.filter(({ names }) => names.includes(parseModelName(embedderId)))
  }

  /** Reports an opening failure only if no other model matches. */
  async #withId(
    id: string,
    models: readonly ConfiguredModel[],
    options: OpenModelOptions,
  ): Promise<Embedder | undefined> {
    const failures: unknown[] = []
    for (const model of models) {
      try {
        const embedder = await this.#open(model, options)
        if (embedder.id === id) return embedder
      } catch (error) {
        options.signal?.throwIfAborted()
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    return undefined
  }

  /** Opens once for all callers; cancelling one stops no other. */
  async #open(model: ConfiguredModel, { dimensions, signal }: OpenModelOptions): Promise<Embedder> {
    signal?.throwIfAborted()
    const opened =
      this.#opened.get(model) ?? model.open({ dimensions, signal: this.#closing.signal })
    this.#opened.set(model, opened)
    opened.catch(() => this.#opened.delete(model))
    return await raceAbort(opened, signal)
  }

  #createMismatch(name: string, embedderId: string): AppError {
    return new AppError(
      'store_mismatch',
      localizable`The collection ${name} is embedded with ${embedderId}, which is not among the configured models. Keyword search works as it is.`,
      {
        subject: 'collection',
        advice: localizable`Add the model to the setting embedders, or change the collection: passim collections re-embed ${name} --embedder ID, where ID is ${this.names.join(' or ')}.`,
      },
    )
  }
}

export function listModels(settings: Settings): readonly ConfiguredModel[] {
  const named = Object.entries(settings.embedders).map(([name, embedder]) => {
    const { id, name: own = id } = embedder
    return {
      names: [name, ...(own ? [own, path.basename(own)] : [])],
      open: (options: OpenModelOptions) => openModel(embedder, settings.embedding, options),
    }
  })
  const shipped = { names: [DEFAULT_EMBEDDER], open: () => openModel({}, settings.embedding) }
  return [...named, shipped]
}

export function withQueryCaches(models: readonly ConfiguredModel[]): readonly ConfiguredModel[] {
  return models.map(({ names, open }) => ({
    names,
    open: async options => new QueryCache(await open(options)),
  }))
}

export function findLastDimensions(
  collections: readonly Pick<Collection, 'embedderId' | 'createdAt'>[],
  { embedder: { id, name = id } }: Settings,
): number | undefined {
  const own = collections.filter(({ embedderId }) => parseModelName(embedderId) === name)
  const [latest] = own.toSorted((a, b) => b.createdAt - a.createdAt)
  return latest && parseDimensions(latest.embedderId)
}

/** Returns `BAAI/bge-m3` of `BAAI/bge-m3@1:1024`. */
export function parseModelName(id: string): string {
  const index = id.lastIndexOf('@')
  return index > 0 ? id.slice(0, index) : id
}

/** Returns the 1024 of `bge-m3@1:1024`, if any. */
function parseDimensions(id: string): number | undefined {
  const [, dimensions] = id.match(/@\d+:(\d+)$/) ?? []
  return dimensions === undefined ? undefined : Number(dimensions)
}
