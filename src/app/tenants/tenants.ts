import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStoreIn, type Passim } from '../../app.ts'
import { loadSettings, type Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { LEFT_MS } from '../background.ts'
import { Embedders, knownModels } from '../embedders.ts'
import { openBareEmbedder } from '../embedding.ts'
import type { OpenOptions } from '../open-search.ts'
import { openIndexCache } from '../searching/index-memory.ts'
import { openHooks } from './hooks-module.ts'
import { DEFAULT_TENANT, isTenantName } from './keys.ts'

/** A store in use; give it back, once. */
type Lease = { readonly passim: Passim; release(): void }

/** Where a service finds the store of a tenant. */
export interface Stores {
  acquire(tenant: string): Promise<Lease>
  /** Those that are open now. */
  readonly opened: readonly Passim[]
}

type TenantsOptions = {
  readonly open: (tenant: string) => Promise<Passim>
  /** A store is closed so long after its last use, unless it is at work, in milliseconds. */
  readonly idleMs: number
  /** Open at a time. */
  readonly maxOpen: number
  /** How long one stays closed that has work left to try again, in milliseconds. */
  readonly reopenMs?: number
  readonly onError: (message: string, error: unknown) => void
}

/** How long a store stays closed that was closed while its work waited for something to pass, in milliseconds. */
const REOPEN_MS = 60_000

/** PostgreSQL cuts longer names. */
const MAX_SCHEMA_NAME = 63

/** How often who works for others looks for work. */
const LOOK_MS = 1_000

/** How often who waits for room looks for some. */
const ROOM_POLL_MS = 500

type Entry = {
  readonly opening: Promise<Passim>
  passim?: Passim
  uses: number
  idleSince: number
  /** Set while it closes: whoever comes then waits, and opens it anew. */
  closing?: Promise<void>
}

/** The stores of tenants, each opened with its first use and closed when nobody has used it for a while. */
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

  async acquire(tenant: string): Promise<Lease> {
    const entry = await this.#entry(tenant)
    try {
      return this.#lease(entry, await entry.opening)
    } catch (error) {
      entry.uses--
      if (this.#entries.get(tenant) === entry) this.#entries.delete(tenant)
      throw error
    }
  }

  /** The same, but where all stores are in use or at work, one is waited for. */
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

  /** Nobody's store has to be closed for this one. */
  hasRoomFor(tenant: string): boolean {
    return this.#entries.has(tenant) || this.#entries.size < this.#options.maxOpen
  }

  /** Stores that are open, or on their way in or out. */
  get size(): number {
    return this.#entries.size
  }

  get opened(): readonly Passim[] {
    return [...this.#entries.values()].flatMap(({ passim, closing }) =>
      passim && !closing ? [passim] : [],
    )
  }

  /** Close what has been idle for long enough. */
  async closeIdle(): Promise<void> {
    for (const [tenant, entry] of this.#entries) {
      if (entry.uses > 0 || entry.closing || Date.now() - entry.idleSince < this.#options.idleMs)
        continue
      await entry.opening.catch(() => {})
      if (this.#isAtRest(entry)) await this.#closeAloud(tenant, entry)
    }
  }

  /** Everything, used or not. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const timer of this.#reopening.values()) clearTimeout(timer)
    await Promise.all(
      [...this.#entries].map(([tenant, entry]) => entry.closing ?? this.#close(tenant, entry)),
    )
  }

  /** Counted as used before anything is awaited, so that nobody closes it meanwhile. */
  async #entry(tenant: string): Promise<Entry> {
    for (;;) {
      if (this.#isClosed)
        throw new AppError('cancelled', 'The server is shutting down. Ask again in a moment.')
      const known = this.#entries.get(tenant)
      if (known?.closing) {
        await known.closing.catch(() => {}) // whoever closes it tells why
        continue
      }
      if (known) {
        known.uses++
        return known
      }
      if (this.#entries.size >= this.#options.maxOpen) {
        if (await this.#makeRoom()) continue // somebody may have been quicker
        throw new AppError(
          'rate_limited',
          'Too many stores are in use at once. Try again in a moment.',
        )
      }
      const entry: Entry = { opening: this.#options.open(tenant), uses: 1, idleSince: Date.now() }
      entry.opening.then(
        passim => (entry.passim = passim),
        () => {}, // told to whoever waits for it
      )
      this.#entries.set(tenant, entry)
      return entry
    }
  }

  /** Close the store that has been idle longest; false when all are in use or at work. */
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

  /** Closed in the same turn, or it might have been handed out meanwhile. */
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
    const tell = (error: unknown) =>
      this.#options.onError(`The store of ${tenant} did not close cleanly.`, error)
    if (entry.passim?.isWaiting) this.#reopenLater(tenant)
    await this.#close(tenant, entry).catch(tell)
  }

  /** Its work is tried again then, though nobody asks for the store; where there is no room, later. */
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
    const known = this.#reopening.get(tenant)
    clearTimeout(known)
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

/** The stores under a home, with the settings of the home. All embed with the same workers, and their indexes have one bound of memory; nothing else is shared. */
export async function openTenants({ onError, ...options }: OpenTenantsOptions) {
  const settings = await loadSettings(options)
  const onUnreached = (error: AppError) =>
    onError('What needs vectors fails until the embedding server answers.', error)
  const embedder = options.embedder ?? (await openBareEmbedder(settings, { onUnreached }))
  const shared = new Embedders(embedder, knownModels(settings))
  const indexCache = openIndexCache(settings)
  const hooks = await openHooks(settings) // one for all: it is told whose conversation it is
  const open = async (tenant: string) => {
    const passim = await openStoreIn(settingsOfTenant(settings, tenant), {
      indexCache,
      hooks,
      embedders: shared.borrowed(),
      onBackgroundError: onError,
      onNewStore: options.onNewStore,
    })
    await passim.resume({ isLookedFor: settings.catalog.url !== undefined }) // by each of those that share it, in turn
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
    /**
     * Open every store once, so that each goes on with what it has to do; one that cannot be opened is told. Where other services
     * share the stores, go on to look for what one of them left, until it is closed.
     */
    async resume(): Promise<void> {
      for (const tenant of await tenantsIn(settings)) await resume(tenant)
      if (settings.catalog.url === undefined || !settings.server.ingest) return
      const isMeant = (tenant: string) => tenants.hasRoomFor(tenant)
      await workOff(
        { settings, tenants, onError, everyMs: LEFT_MS, helps: false, isMeant },
        closing.signal,
      )
    },
    /** Work off what is queued in any of the stores, whoever queues it, until the signal. */
    async work(signal: AbortSignal): Promise<void> {
      const both = AbortSignal.any([signal, closing.signal])
      await workOff(
        { settings, tenants, onError, everyMs: LOOK_MS, helps: true, isMeant: () => true },
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
  /** Prepares documents for others where there is nothing else to do. */
  readonly helps: boolean
  readonly isMeant: (tenant: string) => boolean
}

/**
 * What cannot be looked at is told, and tried again. After something is begun others have time to look before the next, unless it is
 * done sooner.
 */
async function workOff(
  { settings, tenants, onError, everyMs, helps, isMeant }: Work,
  signal: AbortSignal,
): Promise<void> {
  const look = async (tenant: string) => {
    const { passim, release } = await tenants.acquireWithPatience(tenant, signal)
    try {
      await passim.requireUsable() // looking alone does not tell that a newer program has been there
      return await passim.background.look({ helps })
    } finally {
      release()
    }
  }
  const pause = async (ms: number) => await sleep(ms, undefined, { signal }).catch(() => {}) // then it is over
  while (!signal.aborted) {
    try {
      for (const tenant of await tenantsIn(settings)) {
        if (!isMeant(tenant)) continue
        const begun = await look(tenant).catch(error => {
          if (!signal.aborted) onError(`The store of ${tenant} cannot be looked at.`, error)
        })
        if (begun) await Promise.race([begun.ended, pause(LOOK_MS)])
      }
    } catch (error) {
      onError('The stores of the tenants cannot be listed.', error)
    }
    await pause(everyMs)
  }
}

/** A tenant's store has a home and, in a database, a schema of its own. */
export function settingsOfTenant(settings: Settings, tenant: string): Settings {
  const { url, schema } = settings.catalog
  const own = tenant === DEFAULT_TENANT ? schema : `${schema}_tenant_${tenant}`
  if (url !== undefined && own.length > MAX_SCHEMA_NAME) {
    const most = MAX_SCHEMA_NAME - `${schema}_tenant_`.length
    throw new AppError(
      'invalid_input',
      `Tenant ${tenant}: its name can have at most ${most} characters in this database.`,
    )
  }
  return { ...settings, home: homeOf(settings, tenant), catalog: { url, schema: own } }
}

function homeOf({ home }: Settings, tenant: string): string {
  if (!isTenantName(tenant))
    throw new AppError('invalid_input', `There can be no tenant ${JSON.stringify(tenant)}.`)
  return tenant === DEFAULT_TENANT ? home : path.join(home, 'tenants', tenant)
}

async function tenantsIn({ home, catalog: { url, schema } }: Settings): Promise<readonly string[]> {
  if (url !== undefined) {
    const { listSchemas: schemasIn } = await import(
      '../../ingest/store/catalogs/postgres-connection.ts'
    ) // only who keeps a catalog there loads it
    const prefix = `${schema}_tenant_`
    const names = (await schemasIn(url, prefix)).map(name => name.slice(prefix.length))
    return [DEFAULT_TENANT, ...names.filter(isTenantName)]
  }
  return await tenantsOnDisk(home)
}

/** Tenants that have a home under this one, the default one first. */
export async function tenantsOnDisk(home: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path.join(home, 'tenants'), { withFileTypes: true })
    const stores = entries.filter(entry => entry.isDirectory() && isTenantName(entry.name))
    return [DEFAULT_TENANT, ...stores.map(({ name }) => name)]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [DEFAULT_TENANT] // readdir throws system errors only
    throw error
  }
}
