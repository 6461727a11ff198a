import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { MODEL_FILE, parseModelSettings, type Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { ModelSettingJson } from '../../wire/model.ts'
import { openChatModel } from '../chat-models.ts'
import { probeModel } from '../checks/model-abilities.ts'
import type { Passim } from '../passim.ts'

type ModelSettingDeps = {
  /** Changed in place: stores that open later take the model from them. */
  readonly settings: Settings
  readonly isFixed: boolean
  readonly stores: Pick<Passim, 'setModel'>
  readonly testWaitMs?: number
}

type ModelInput = Parameters<typeof parseModelSettings>[0]

type ModelChange = {
  readonly url: string
  readonly name: string
  /** Default: the key so far, if the server is the same. */
  readonly key?: string
  readonly maxInputTokens?: number
}

/** Time for two answers, so that a model that the server loads first is accepted. */
const TEST_WAIT_MS = 120_000

/** The chat model of a service, as administrators set it while it runs. */
export class ModelSetting {
  readonly #deps: ModelSettingDeps

  constructor(deps: ModelSettingDeps) {
    this.#deps = deps
  }

  describe(): ModelSettingJson {
    const { settings, isFixed } = this.#deps
    const { model } = settings
    const isShared = settings.catalog.url !== undefined // other nodes would not know of a change
    const fixed = { isFixed: isFixed || isShared, isShared }
    if (!model) return { ...fixed, hasKey: false }
    const { url, name, key, maxInputTokens } = model
    const shown = isFixed ? new URL(url).origin : url // the rest may contain secrets of the operator
    return { ...fixed, url: shown, name, maxInputTokens, hasKey: key !== undefined }
  }

  /** Stores a model once it has answered two short requests. Throws `conflict` if it is fixed. */
  async update(
    { url, name, key, maxInputTokens }: ModelChange,
    signal: AbortSignal,
  ): Promise<ModelSettingJson> {
    this.#requireFree()
    const kept = this.#findKey(url)
    const input = {
      url,
      name,
      ...(maxInputTokens !== undefined && { maxInputTokens }),
      ...(key === undefined ? kept && { key: kept } : { key }),
    }
    const model = parseModelSettings(input)
    const abilities = await this.#test(input, signal)
    await this.#write(JSON.stringify({ model: input }))
    this.#apply(model)
    return { ...this.describe(), abilities }
  }

  async #test(input: ModelInput, signal: AbortSignal): ReturnType<typeof probeModel> {
    const { testWaitMs = TEST_WAIT_MS } = this.#deps
    const limit = AbortSignal.timeout(testWaitMs)
    try {
      return await probeModel(openChatModel(input), AbortSignal.any([signal, limit]))
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error
      const seconds = testWaitMs / 1_000
      const message = localizable`The model did not answer two short requests within ${seconds} s. Try again once its server has loaded it.`
      throw new AppError('timeout', message, { cause: error })
    }
  }

  /** Throws `conflict` if it is fixed. */
  async remove(): Promise<ModelSettingJson> {
    this.#requireFree()
    await rm(this.#file, { force: true })
    this.#apply(undefined)
    return this.describe()
  }

  get #file(): string {
    return `${this.#deps.settings.home}/${MODEL_FILE}`
  }

  #requireFree(): void {
    const { isFixed, isShared } = this.describe()
    if (!isFixed) return
    throw new AppError(
      'conflict',
      isShared
        ? 'Several nodes share the database, so the chat model is set in the settings of each: model.url and model.name.'
        : 'The operator of this service has set the chat model, so it cannot be changed here.',
      { advice: 'Change model.url and model.name in the settings file or the environment.' },
    )
  }

  /** Never sends a key to another server than that it was entered for. */
  #findKey(url: string): string | undefined {
    const { model } = this.#deps.settings
    const isSame = model && URL.canParse(url) && new URL(url).origin === new URL(model.url).origin
    return isSame ? model.key : undefined
  }

  async #write(text: string): Promise<void> {
    const draft = `${this.#file}.${randomUUID()}`
    try {
      await writeFile(draft, text, { mode: 0o600 })
      await rename(draft, this.#file)
    } finally {
      await rm(draft, { force: true }) // it contains a key
    }
  }

  #apply(model: Settings['model']): void {
    const { settings, stores } = this.#deps
    settings.model = model
    stores.setModel(model)
  }
}
