import { existsSync } from 'node:fs'
import { access, constants, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from '../../config.ts'
import { Conversations } from '../../conversations/conversations.ts'
import { Runs } from '../../conversations/runs.ts'
import { StoredResponses } from '../../conversations/stored-responses.ts'
import { conversationTables } from '../../conversations/tables.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError, getReason, toAppError } from '../../errors.ts'
import { Batches } from '../../ingest/store/catalog/batches.ts'
import { Collections } from '../../ingest/store/catalog/collections.ts'
import { Deletions } from '../../ingest/store/catalog/deletions.ts'
import { documentTables } from '../../ingest/store/catalog/document-rows.ts'
import { Documents } from '../../ingest/store/catalog/documents.ts'
import { Events } from '../../ingest/store/catalog/events.ts'
import { FileBatches } from '../../ingest/store/catalog/file-batches.ts'
import { Jobs } from '../../ingest/store/catalog/jobs.ts'
import { Leases } from '../../ingest/store/catalog/lease.ts'
import { ReEmbeddings } from '../../ingest/store/catalog/re-embeddings.ts'
import { ReceiptKeys } from '../../ingest/store/catalog/receipt-keys.ts'
import { SharedPlaces } from '../../ingest/store/catalog/shared-places.ts'
import { SourceRuns } from '../../ingest/store/catalog/source-runs.ts'
import { SourceSkips } from '../../ingest/store/catalog/source-skips.ts'
import { Uploads } from '../../ingest/store/catalog/uploads.ts'
import { VersionDocuments } from '../../ingest/store/catalog/version-documents.ts'
import { Versions } from '../../ingest/store/catalog/versions.ts'
import { WebhookPositions } from '../../ingest/store/catalog/webhook-positions.ts'
import { type Catalog, combineFormats } from '../../ingest/store/catalog.ts'
import type { PostgresPlace } from '../../ingest/store/catalogs/postgres-connection.ts'
import { MEMORY, SqliteCatalog } from '../../ingest/store/catalogs/sqlite.ts'
import { ContentStore } from '../../ingest/store/contents/content.ts'
import { Files } from '../../ingest/store/contents/files.ts'
import { SharedContents } from '../../ingest/store/contents/shared-contents.ts'
import { Library } from '../../ingest/store/library.ts'
import { meansSchema } from '../../search/language-means.ts'
import { termRaritySchema } from '../../search/term-rarity.ts'
import { hashParts } from '../../system/digest.ts'
import { makeFolder, removeAbandoned } from '../../system/disk.ts'
import { parseOwnJson } from '../../system/own-json.ts'

/** Formats without new tables that older programs cannot read. */
const WITHOUT_TABLES = {
  8: [], // small documents in one file each
  9: [], // chunks without the language of their vectors
}

export const FORMATS = combineFormats([
  Leases.tables,
  Collections.tables,
  Files.tables,
  documentTables,
  Versions.tables,
  Jobs.tables,
  { 1: meansSchema },
  FileBatches.tables,
  Uploads.tables,
  { 3: termRaritySchema },
  ReEmbeddings.tables,
  WITHOUT_TABLES,
  Deletions.tables,
  conversationTables,
  SharedPlaces.tables,
  SharedContents.tables,
  ReceiptKeys.tables,
  Events.tables,
  WebhookPositions.tables,
  SourceRuns.tables,
  SourceSkips.tables,
  Batches.tables,
])

export const VIEWS = 'views'

export const TAKING_OVER = '.taking-over'

/** Suffix of a migrated file, which nobody reads. */
export const TAKEN_OVER = '.taken-over'

/** Throws `conflict` during a migration, `store_mismatch` after it. */
export function requireNotMigrated(file: string): void {
  if (!existsSync(file) && existsSync(`${file}${TAKEN_OVER}`)) {
    const message = localizable`${file} was moved to a database.`
    const advice = localizable`Use the settings of that migration, for example with --config. To start a new store here instead, remove ${file}${TAKEN_OVER}.`
    throw new AppError('store_mismatch', message, { subject: 'store', advice })
  }
  if (!existsSync(`${file}${TAKING_OVER}`)) return
  const message = localizable`${file} is being migrated to a database, or its migration was interrupted.`
  const advice = localizable`Run passim migrate again, with the same catalog.url and catalog.schema. If that database is lost, rename ${file}${TAKING_OVER} to ${file}.`
  throw new AppError('conflict', message, { subject: 'store', advice })
}

export const STORE_FORMAT = FORMATS.length

export async function openCatalog(file: string): Promise<SqliteCatalog> {
  return await SqliteCatalog.open(file, FORMATS)
}

export async function createEmptyCatalog(format: number): Promise<SqliteCatalog> {
  return await SqliteCatalog.open(MEMORY, FORMATS.slice(0, format))
}

export type Store = {
  readonly home: string
  readonly catalog: Catalog
  readonly content: ContentStore
  readonly collections: Collections
  readonly files: Files
  readonly fileBatches: FileBatches
  readonly batches: Batches
  readonly uploads: Uploads
  readonly responses: StoredResponses
  readonly conversations: Conversations
  readonly runs: Runs
  readonly documents: Documents
  readonly versions: Versions
  readonly deletions: Deletions
  readonly events: Events
  readonly webhookPositions: WebhookPositions
  readonly sourceRuns: SourceRuns
  readonly sourceSkips: SourceSkips
  readonly jobs: Jobs
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly library: Library
  readonly places: SharedPlaces
}

export type StoreOptions = {
  /** Database of the catalog, if it is not a file. */
  readonly catalog?: Settings['catalog'] | undefined
  readonly mustExist?: boolean | undefined
  readonly onNewStore?: ((home: string) => void) | undefined
  /** Records stores on other disks. */
  readonly stateHome?: string | undefined
}

/** Opens or creates the store, readable by its owner only. Throws why it cannot be used. */
export async function openStore(home: string, options: StoreOptions = {}): Promise<Store> {
  const content = new ContentStore(home)
  const { url, schema } = options.catalog ?? {}
  const catalog = await (url && schema
    ? openShared(home, content, { url, schema }, options)
    : openOwn(home, content, options))
  return composeStore(home, catalog, content)
}

export function composeStore(home: string, catalog: Catalog, content: ContentStore): Store {
  const documents = new Documents(catalog)
  const versions = new Versions(catalog)
  const files = new Files(catalog, content)
  const leases = new Leases(catalog)
  return {
    home,
    catalog,
    content,
    collections: new Collections(catalog),
    files,
    fileBatches: new FileBatches(catalog),
    batches: new Batches(catalog),
    uploads: new Uploads(catalog, home),
    responses: new StoredResponses(catalog),
    conversations: new Conversations(catalog),
    runs: new Runs(catalog),
    documents,
    versions,
    deletions: new Deletions(catalog),
    events: new Events(catalog),
    webhookPositions: new WebhookPositions(catalog),
    sourceRuns: new SourceRuns(catalog),
    sourceSkips: new SourceSkips(catalog),
    jobs: new Jobs(catalog),
    reEmbeddings: new ReEmbeddings(catalog),
    leases,
    library: new Library({
      content,
      documents,
      versions,
      ofVersions: new VersionDocuments(catalog),
    }),
    places: new SharedPlaces(catalog),
  }
}

async function openOwn(
  home: string,
  content: ContentStore,
  options: StoreOptions,
): Promise<Catalog> {
  const places = options.stateHome === undefined ? undefined : new StorePlaces(options.stateHome)
  requireNotMigrated(createCatalog(home))
  const isNew = !existsSync(createCatalog(home))
  if (isNew) await requireNone(home, options, places)
  await prepareHome(home, content)
  if (isNew) await requireEmpty(home, content)
  const catalog = await openCatalog(createCatalog(home))
  if (isNew) options.onNewStore?.(home)
  await places?.note(home)
  return catalog
}

/** Opens a catalog shared by machines; the home contains copies and unfinished work. */
async function openShared(
  home: string,
  content: ContentStore,
  place: PostgresPlace,
  { mustExist, onNewStore }: StoreOptions,
): Promise<Catalog> {
  if ([createCatalog(home), `${createCatalog(home)}${TAKING_OVER}`].some(existsSync)) {
    const message = localizable`The home ${home} already contains a store of its own.`
    const advice = 'Move it into the database with passim migrate, or use another home.'
    throw new AppError('store_mismatch', message, { subject: 'store', advice })
  }
  await prepareHome(home, content)
  const { PostgresCatalog } = await import('../../ingest/store/catalogs/postgres.ts')
  const catalog = await PostgresCatalog.open(place, FORMATS, { mustExist })
  if (catalog.isNew) onNewStore?.(catalog.name)
  return catalog
}

const createCatalog = (home: string) => path.join(home, 'catalog.db')

/** Throws for a missing store, which may be on an unmounted disk. */
async function requireNone(
  home: string,
  { mustExist }: StoreOptions,
  places: StorePlaces | undefined,
): Promise<void> {
  await places?.requireMounted(home)
  if (!mustExist) return
  throw new AppError('not_found', localizable`There is no store in ${home}.`, {
    subject: 'store',
    advice:
      'To create one, run passim index PATH. If the store is in another folder, name that with --home or PASSIM_HOME; ' +
      'if it is on another disk, mount that first.',
  })
}

/** Throws for content, which a new catalog would remove as unused. */
async function requireEmpty(home: string, content: ContentStore): Promise<void> {
  if ((await content.list()).length === 0) return
  throw new AppError(
    'store_mismatch',
    localizable`The store ${home} has lost its catalog: there is no ${createCatalog(home)}, but there are documents. Put it back from a backup, or remove the folders content and index and index the documents again.`,
    { subject: 'store' },
  )
}

async function prepareHome(home: string, content: ContentStore): Promise<void> {
  try {
    await makeFolder(home, 0o700)
    await access(home, constants.W_OK)
    await content.prepare()
    const views = path.join(home, VIEWS)
    if (existsSync(views)) await removeAbandoned(views)
  } catch (error) {
    const message = localizable`Cannot use ${home} as a store: ${getReason(error)}.`
    const advice = 'Choose another folder with --home or PASSIM_HOME.'
    throw new AppError(toAppError(error).code, message, { cause: error, subject: 'store', advice })
  }
}

type Note = { readonly home: string; readonly mountPoint: string }

/** Records stores on mounted disks: an unmounted one looks like a first run. */
class StorePlaces {
  readonly #folder: string

  constructor(stateHome: string) {
    this.#folder = path.join(stateHome, 'stores')
  }

  /** Called before a store is created. Throws `not_found` if its disk is away. */
  async requireMounted(home: string): Promise<void> {
    const note = await this.#read(home)
    if (!note || note.mountPoint === (await findMountPoint(await findNearest(home)))) return
    throw new AppError(
      'not_found',
      localizable`The store ${home} is on the disk mounted at ${note.mountPoint}, which is not mounted now. Mount it.`,
      {
        subject: 'store',
        advice: localizable`Or use another store with --home or PASSIM_HOME. To start a new one here, remove ${this.#getFile(home)}.`,
      },
    )
  }

  async note(home: string): Promise<void> {
    const mountPoint = await findMountPoint(await realpath(home))
    const noted = await this.#read(home)
    const isOnRootDisk = mountPoint === path.parse(mountPoint).root
    if (isOnRootDisk ? noted === undefined : noted?.mountPoint === mountPoint) return
    try {
      if (isOnRootDisk) return await rm(this.#getFile(home), { force: true })
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(this.#getFile(home), JSON.stringify({ home, mountPoint } satisfies Note))
    } catch {
      // A read-only state folder only disables this check.
    }
  }

  async #read(home: string): Promise<Note | undefined> {
    try {
      return parseOwnJson<Note>(await readFile(this.#getFile(home), 'utf8'))
    } catch {
      return undefined // missing or cut off: written again
    }
  }

  #getFile(home: string): string {
    return path.join(this.#folder, `${hashParts(home)}.json`)
  }
}

async function findMountPoint(folder: string): Promise<string> {
  const parent = path.dirname(folder)
  if (parent === folder || (await stat(parent)).dev !== (await stat(folder)).dev) return folder
  return await findMountPoint(parent)
}

async function findNearest(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    return await findNearest(path.dirname(folder))
  }
}
