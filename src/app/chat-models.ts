import path from 'node:path'
import type { ChatModel } from '../agent/model.ts'
import { AdaptedModel } from '../agent/models/adapted.ts'
import { CachedModel } from '../agent/models/cached.ts'
import { configureModel, selectCallStyle } from '../agent/models/configured.ts'
import type { GenerateConfig } from '../agent/models/generate-config.ts'
import { ModelHabits } from '../agent/models/model-habits.ts'
import { identifyServer, OpenAIModel } from '../agent/models/openai/openai.ts'
import { RetryingModel } from '../agent/models/retrying.ts'
import { DiskCache } from '../agent/models/text-cache.ts'
import { nousTemplate } from '../agent/models/text-calls/nous-template.ts'
import { qwenTemplate } from '../agent/models/text-calls/qwen-template.ts'
import { reactTemplate } from '../agent/models/text-calls/react-template.ts'
import { type CallTemplate, TextCallModel } from '../agent/models/text-calls/text-calls.ts'
import { WrittenCallModel } from '../agent/models/text-calls/written-calls.ts'
import { ThoughtModel } from '../agent/models/thoughts.ts'
import { TruncatedModel } from '../agent/models/truncated.ts'
import { O200kTokens } from '../agent/tokens/o200k.ts'
import { parseModelSettings, type Settings } from '../config.ts'
import { type LocalizableMessage, localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import { RecentMap } from '../system/recent-map.ts'
import { TracedModel } from './tracing.ts'

export type CountOptions = {
  readonly model?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Limits of notes; the oldest are evicted. */
const NOTES = { ttlMs: 30 * 24 * 60 * 60 * 1000, maxBytes: 64 * 2 ** 20 }

/** Bounds memory, because callers may name any model. */
const MAX_HABITS = 1_000

type ModelSettings = NonNullable<Settings['model']>
type ModelInput = Parameters<typeof parseModelSettings>[0]

/** Name at the configured server, model, or settings of another server. */
export type ModelChoice = string | ChatModel | ModelInput

export class ChatModels {
  #settings: ModelSettings | undefined
  readonly #cache: DiskCache
  readonly #notes: DiskCache
  readonly #onCacheError: (error: unknown) => void
  /** Loaded once, because a vocabulary takes a second. */
  readonly #tokens = new Map<string, O200kTokens>()
  readonly #habits = new RecentMap<string, ModelHabits>(MAX_HABITS)

  constructor(
    { home, model }: Pick<Settings, 'home' | 'model'>,
    onCacheError: (error: unknown) => void = () => {},
  ) {
    this.#settings = model
    const folder = path.join(home, 'cache', 'answers')
    this.#cache = new DiskCache({ folder, ...(model?.cache ?? { ttlMs: 0, maxBytes: 0 }) })
    this.#notes = new DiskCache({ folder: path.join(home, 'cache', 'notes'), ...NOTES })
    this.#onCacheError = onCacheError
  }

  /** Uses another model from now on; open models stay as they are. */
  configure(settings: ModelSettings | undefined): void {
    this.#settings = settings
  }

  /** Opens the configured model by default. Throws `model_unavailable` without a server. */
  open(choice?: ModelChoice): ChatModel {
    if (isChatModel(choice)) return choice
    const settings = this.#chooseSettings(choice)
    const limited = new TruncatedModel(
      buildReliable(settings, this.#getHabits(settings)),
      this.#getTokens(settings.name),
    )
    const isCached = settings.cache.maxBytes > 0
    const about = { place: settings.url, onError: this.#onCacheError }
    const cached = isCached ? new CachedModel(limited, this.#cache, about) : limited
    return configureModel(cached, selectConfig(settings))
  }

  /** Caches answers, for reading documents in parts. */
  openCached(choice?: ModelChoice): ChatModel {
    const place = isChatModel(choice) ? '' : this.#chooseSettings(choice).url
    return new CachedModel(this.open(choice), this.#notes, { place, onError: this.#onCacheError })
  }

  #chooseSettings(choice: string | ModelInput | undefined): ModelSettings {
    if (typeof choice === 'object') return parseModelSettings(choice)
    if (this.#settings) return { ...this.#settings, name: choice ?? this.#settings.name }
    const message =
      choice === undefined
        ? 'No chat model is configured.'
        : localizable`No server is configured for model ${choice}. Ask without a model.`
    throw new AppError('model_unavailable', message, {
      advice: 'To use one, set PASSIM_MODEL_URL.',
    })
  }

  async countTokens(text: string, { model, signal }: CountOptions): Promise<number> {
    return await this.#getTokens(model ?? this.#settings?.name ?? '').count(text, signal)
  }

  getToolLimits(
    model: string,
    { agent: { toolTimeoutMs, maxToolTokens } }: Pick<Settings, 'agent'>,
  ) {
    return { toolTimeoutMs, maxToolTokens, tokens: this.#getTokens(model) }
  }

  listAdaptations(): readonly LocalizableMessage[] {
    if (!this.#settings) return []
    const { hasTools, thoughts, adaptations } = this.#getHabits(this.#settings).form
    return [
      ...adaptations.map(({ name }) => name),
      ...(thoughts.type === 'everywhere'
        ? [localizable`every message has a field for thoughts`]
        : []),
      ...(thoughts.type === 'left-out' ? [localizable`thoughts are left out`] : []),
      ...(hasTools ? [] : [localizable`tools are left out`]),
    ]
  }

  #getTokens(model: string): O200kTokens {
    const fresh = new O200kTokens(model)
    const tokens = this.#tokens.get(fresh.id) ?? fresh
    this.#tokens.set(tokens.id, tokens)
    return tokens
  }

  #getHabits(settings: ModelSettings): ModelHabits {
    const server = identifyServer(settings)
    const habits = this.#habits.get(server) ?? new ModelHabits()
    this.#habits.set(server, habits)
    return habits
  }

  /** Clears cached answers, which may quote deleted documents. */
  async forgetAnswers(): Promise<void> {
    await this.#cache.clear()
    await this.#notes.clear()
  }
}

function isChatModel(choice: ModelChoice | undefined): choice is ChatModel {
  return typeof choice === 'object' && 'stream' in choice
}

/** Opens a chat model without a store. Throws `invalid_input` for invalid settings. */
export function openChatModel(modelOrSettings: ChatModel | ModelInput): ChatModel {
  if (isChatModel(modelOrSettings)) return modelOrSettings
  if (typeof modelOrSettings === 'string')
    throw new AppError(
      'invalid_input',
      'A model is named at the server of a store: pass passim.model(name), or { url, name }.',
    )
  const settings = parseModelSettings(modelOrSettings)
  const reliable = buildReliable(settings, new ModelHabits())
  const limited = new TruncatedModel(reliable, new O200kTokens(settings.name))
  return configureModel(limited, selectConfig(settings))
}

function buildReliable(
  { url, name, key, timeoutMs: silenceMs }: ModelSettings,
  habits: ModelHabits,
): ChatModel {
  const server = identifyServer({ url, name })
  const remote = new TracedModel(new OpenAIModel({ url, name, silenceMs, ...(key && { key }) }))
  const adapted = new AdaptedModel(new RetryingModel(remote), { server, habits })
  const thinking = new ThoughtModel(adapted, habits)
  const writeConfig = (template: CallTemplate) => new TextCallModel(thinking, template, server)
  return selectCallStyle({
    native: new WrittenCallModel(thinking),
    nous: writeConfig(nousTemplate),
    qwen: writeConfig(qwenTemplate),
    react: writeConfig(reactTemplate),
  })
}

function selectConfig({
  url: _u,
  name: _n,
  key: _k,
  timeoutMs: _t,
  cache: _c,
  ...config
}: ModelSettings): GenerateConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}
