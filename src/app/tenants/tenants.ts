import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWithSettings } from '../../app.ts'
import { selectTenantCatalog, TENANT_INFIX } from '../../config/storage.ts'
import { loadServiceSettings, type Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { RESUME_INTERVAL_MS } from '../background.ts'
import type { Access } from '../documents/visible-documents.ts'
import { Embedders, listModels } from '../embedders.ts'
import { openBareEmbedder } from '../embedding.ts'
import type { OpenOptions } from '../open-search.ts'
import type { Passim } from '../passim.ts'
import { openIndexCache } from '../searching/index-memory.ts'
import { openHooks } from './hooks-module.ts'
import { DEFAULT_TENANT, isTenantName } from './keys.ts'
import { ModelSetting } from './model-setting.ts'

/** Release it once. */
type Lease = { readonly passim: Passim; release(): void }

export interface Stores {
  acquire(tenant: string, access?: Access): Promise<Lease>
  readonly opened: readonly Passim[]
}

type TenantsOptions = {
  readonly open: (tenant: string) => Promise<Passim>
  readonly idleMs: number
  readonly maxOpen: number
  readonly reopenMs?: number
  readonly onError: (message: string, error: unknown) => void
}

/** Time that a store waiting for recovery stays closed, so that others get its place. */
const REOPEN_MS = 60_000

/** Interval of a worker's search for work, so that uploads start within a second. */
const LOOK_MS = 1_000

/** Poll interval for a free place, so that waiting costs little. */
const ROOM_POLL_MS = 500

type Entry = {
  readonly isView: boolean
  readonly opening: Promise<Passim>
  passim?: Passim
  uses: number
  idleSince: number
  /** Callers wait and reopen. */
  closing?: Promise<void>
}

export class Tenants implements Stores {
  readonly #options: TenantsOptions
  readonly #entries = new Map<string, Entry>()
  readonly #timer: NodeJS.Timeout
  readonly #reopening = new Map<string, NodeJS.Timeout>()
  #isClosed = false

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.closeIdle(), Math.max(10, options.idleMs / 4)).unref()
  }

  async acquire(tenant: string, access?: Access): Promise<Lease> {
    if (!access)
      return await this.#acquire(tenant, false, async () => await this.#options.open(tenant))
    const { passim, release } = await this.acquire(tenant)
    try {
      const own = await passim.narrowAccess(access)
      const name = `${tenant} ${JSON.stringify(own)}`
      return await this.#acquire(name, true, async () => await this.#openView(tenant, own))
    } finally {
      release()
    }
  }

  async #acquire(name: string, isView: boolean, open: () => Promise<Passim>): Promise<Lease> {
    const entry = await this.#getEntry(name, isView, open)
    try {
      return this.#lease(entry, await entry.opening)
    } catch (error) {
      entry.uses--
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      throw error
    }
  }

  async #openView(tenant: string, access: Access): Promise<Passim> {
    const { passim, release } = await this.acquire(tenant)
    try {
      return await passim.openView(access, release)
    } catch (error) {
      release()
      throw error
    }
  }

  async acquireWithPatience(tenant: string, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      try {
        return await this.acquire(tenant)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
      }
      await sleep(ROOM_POLL_MS, undefined, { signal, ref: false })
    }
  }

  hasRoomFor(tenant: string): boolean {
    return this.#entries.has(tenant) || this.#entries.size < this.#options.maxOpen
  }

  get size(): number {
    return this.#entries.size
  }

  get opened(): readonly Passim[] {
    return [...this.#entries.values()].flatMap(({ isView, passim, closing }) =>
      passim && !closing && !isView ? [passim] : [],
    )
  }

  /** Includes views of restricted keys, which have settings of their own, and stores that still open. */
  setModel(model: Settings['model']): void {
    for (const { opening } of this.#entries.values())
      opening.then(
        passim => passim.setModel(model),
        () => {}, // reported to its waiters
      )
  }

  async closeIdle(): Promise<void> {
    for (const [tenant, entry] of this.#entries) {
      if (entry.uses > 0 || entry.closing || Date.now() - entry.idleSince < this.#options.idleMs)
        continue
      await entry.opening.catch(() => {})
      if (this.#isAtRest(entry)) await this.#closeAloud(tenant, entry)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const timer of this.#reopening.values()) clearTimeout(timer)
    await Promise.all(
      [...this.#entries].map(([tenant, entry]) => entry.closing ?? this.#close(tenant, entry)),
    )
  }

  /** Counts the use before awaiting, so that nobody closes it. */
  async #getEntry(name: string, isView: boolean, open: () => Promise<Passim>): Promise<Entry> {
    for (;;) {
      if (this.#isClosed)
        throw new AppError('cancelled', 'The server is shutting down. Ask again in a moment.')
      const existing = this.#entries.get(name)
      if (existing?.closing) {
        await existing.closing.catch(() => {}) // its closer reports the failure
        continue
      }
      if (existing) {
        existing.uses++
        return existing
      }
      if (this.#entries.size >= this.#options.maxOpen) {
        if (await this.#makeRoom()) continue // somebody may have been faster
        throw new AppError(
          'rate_limited',
          'Too many stores are in use at once. Try again in a moment.',
        )
      }
      const entry: Entry = { isView, opening: open(), uses: 1, idleSince: Date.now() }
      entry.opening.then(
        passim => (entry.passim = passim),
        () => {}, // reported to its waiters
      )
      this.#entries.set(name, entry)
      return entry
    }
  }

  async #makeRoom(): Promise<boolean> {
    const isIdle = ([, { uses, closing }]: [string, Entry]) => uses === 0 && !closing
    const idle = [...this.#entries]
      .filter(isIdle)
      .toSorted(([, a], [, b]) => a.idleSince - b.idleSince)
    for (const [tenant, entry] of idle) {
      await entry.opening.catch(() => {})
      if (!this.#isAtRest(entry)) continue
      await this.#closeAloud(tenant, entry)
      return true
    }
    return false
  }

  /** Checks synchronously before closing, so that it is not handed out meanwhile. */
  #isAtRest({ uses, closing, passim }: Entry): boolean {
    return uses === 0 && !closing && passim !== undefined && !passim.isBusy
  }

  #lease(entry: Entry, passim: Passim): Lease {
    let isReleased = false
    return {
      passim,
      release() {
        if (isReleased) return
        isReleased = true
        entry.uses--
        entry.idleSince = Date.now()
      },
    }
  }

  async #closeAloud(tenant: string, entry: Entry): Promise<void> {
    const reportError = (error: unknown) =>
      this.#options.onError(`The store of ${tenant} did not close cleanly.`, error)
    if (entry.passim?.isWaiting) this.#reopenLater(tenant)
    await this.#close(tenant, entry).catch(reportError)
  }

  /** Retries its work without a request; later if there is no place. */
  #reopenLater(tenant: string): void {
    const reopen = async () => {
      this.#reopening.delete(tenant)
      try {
        ;(await this.acquire(tenant)).release()
      } catch (error) {
        if (this.#isClosed) return
        if (error instanceof AppError && error.code === 'rate_limited') this.#reopenLater(tenant)
        else this.#options.onError(`The store of ${tenant} cannot be opened.`, error)
      }
    }
    const timer = this.#reopening.get(tenant)
    clearTimeout(timer)
    this.#reopening.set(
      tenant,
      setTimeout(() => void reopen(), this.#options.reopenMs ?? REOPEN_MS).unref(),
    )
  }

  async #close(tenant: string, entry: Entry): Promise<void> {
    entry.closing = entry.opening.then(
      passim => passim.close(),
      () => {}, // it never opened
    )
    await entry.closing.finally(() => this.#entries.delete(tenant))
  }
}

type OpenTenantsOptions = Pick<
  OpenOptions,
  'home' | 'configFile' | 'settings' | 'embedder' | 'environment' | 'onNewStore'
> & {
  readonly onError: (message: string, error: unknown) => void
}

/** Opens stores that share embedding workers and the bound of the index cache. */
export async function openTenants({ onError, ...options }: OpenTenantsOptions) {
  const { settings, isModelFixed } = await loadServiceSettings(options)
  const onUnreached = (error: AppError) =>
    onError('Requests that need vectors fail until the embedding server answers.', error)
  const embedder = options.embedder ?? (await openBareEmbedder(settings, { onUnreached }))
  const shared = new Embedders(embedder, listModels(settings))
  const indexCache = openIndexCache(settings)
  const hooks = await openHooks(settings) // shared; each call names its conversation
  const open = async (tenant: string) => {
    const passim = await openWithSettings(toTenantSettings(settings, tenant), {
      indexCache,
      hooks,
      embedders: shared.shareModels(),
      onBackgroundError: onError,
      onNewStore: options.onNewStore,
    })
    await passim.resume({ isLookedFor: settings.catalog.url !== undefined }) // sharing services take turns
    return passim
  }
  const { idleStoreMs: idleMs, maxOpenStores: maxOpen } = settings.server
  const tenants = new Tenants({ open, idleMs, maxOpen, onError })
  const closing = new AbortController()
  const resume = async (tenant: string) => {
    try {
      ;(await tenants.acquireWithPatience(tenant, closing.signal)).release()
    } catch (error) {
      if (!closing.signal.aborted) onError(`The store of ${tenant} cannot be opened.`, error)
    }
  }
  return {
    settings,
    stores: tenants,
    modelSetting: new ModelSetting({ settings, isFixed: isModelFixed, stores: tenants }),
    /** Also looks for work of dead services with shared stores. */
    async resume(): Promise<void> {
      for (const tenant of await listTenants(settings)) await resume(tenant)
      if (settings.catalog.url === undefined || !settings.server.ingest) return
      const isMeant = (tenant: string) => tenants.hasRoomFor(tenant)
      await drainStores(
        { settings, tenants, onError, everyMs: RESUME_INTERVAL_MS, helpsOthers: false, isMeant },
        closing.signal,
      )
    },
    async runWork(signal: AbortSignal): Promise<void> {
      const both = AbortSignal.any([signal, closing.signal])
      await drainStores(
        { settings, tenants, onError, everyMs: LOOK_MS, helpsOthers: true, isMeant: () => true },
        both,
      )
    },
    async close(): Promise<void> {
      closing.abort()
      await tenants.close()
      await shared.close()
    },
  }
}

type Work = Pick<OpenTenantsOptions, 'onError'> & {
  readonly settings: Settings
  readonly tenants: Tenants
  readonly everyMs: number
  readonly helpsOthers: boolean
  readonly isMeant: (tenant: string) => boolean
}

/** Reports failures and retries. Pauses after a start, so that others find the next. */
async function drainStores(
  { settings, tenants, onError, everyMs, helpsOthers, isMeant }: Work,
  signal: AbortSignal,
): Promise<void> {
  const startWork = async (tenant: string) => {
    const { passim, release } = await tenants.acquireWithPatience(tenant, signal)
    try {
      await passim.requireUsable() // detects an upgrade by a newer program
      return await passim.background.startQueued({ helpsOthers })
    } finally {
      release()
    }
  }
  const pause = async (ms: number) => await sleep(ms, undefined, { signal }).catch(() => {}) // the loop ends
  while (!signal.aborted) {
    try {
      for (const tenant of await listTenants(settings)) {
        if (!isMeant(tenant)) continue
        const startedWork = await startWork(tenant).catch(error => {
          if (!signal.aborted) onError(`The store of ${tenant} cannot be checked.`, error)
        })
        if (startedWork) await Promise.race([startedWork.ended, pause(LOOK_MS)])
      }
    } catch (error) {
      onError('The stores of the tenants cannot be listed.', error)
    }
    await pause(everyMs)
  }
}

export function toTenantSettings(settings: Settings, tenant: string): Settings {
  const catalog =
    tenant === DEFAULT_TENANT ? settings.catalog : selectTenantCatalog(settings.catalog, tenant)
  const webhooks = settings.webhooks.filter(hook => hook.tenant === tenant)
  const sources = Object.fromEntries(
    Object.entries(settings.sources).filter(([, source]) => source.tenant === tenant),
  )
  return { ...settings, home: getHome(settings, tenant), catalog, webhooks, sources }
}

function getHome({ home }: Settings, tenant: string): string {
  if (!isTenantName(tenant))
    throw new AppError(
      'invalid_input',
      localizable`There can be no tenant ${JSON.stringify(tenant)}.`,
    )
  return tenant === DEFAULT_TENANT ? home : path.join(home, 'tenants', tenant)
}

async function listTenants({ home, catalog }: Settings): Promise<readonly string[]> {
  const { url, schema } = catalog
  if (url !== undefined) {
    const { listSchemas: schemasIn } = await import(
      '../../ingest/store/catalogs/postgres-connection.ts'
    ) // loaded only if it is used
    const prefix = `${schema}${TENANT_INFIX}`
    const names = (await schemasIn(url, prefix)).map(name => name.slice(prefix.length))
    return [DEFAULT_TENANT, ...names.filter(isTenantName)]
  }
  return await listTenantsOnDisk(home)
}

export async function listTenantsOnDisk(home: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path.join(home, 'tenants'), { withFileTypes: true })
    const stores = entries.filter(entry => entry.isDirectory() && isTenantName(entry.name))
    return [DEFAULT_TENANT, ...stores.map(({ name }) => name)]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return [DEFAULT_TENANT]
    throw error
  }
}
