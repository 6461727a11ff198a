import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import { SharedPlaces } from '../ingest/catalog/shared-places.ts'
import { databaseIn, PostgresCatalog } from '../ingest/catalogs/postgres.ts'
import { SqliteCatalog } from '../ingest/catalogs/sqlite.ts'
import { syncFolder } from '../ingest/disk.ts'
import { CATALOG } from './backup.ts'
import { KEY_FORMATS, KEYS_FILE, keysPlace } from './keys.ts'
import { FORMATS } from './store.ts'
import { settingsOfTenant, tenantsOnDisk } from './tenants.ts'

/** How the name of a file ends that was taken over: it is kept, and read by nobody. */
const TAKEN_OVER = '.taken-over'

type Migration = {
  /** Names of the tenants whose stores were taken over now. */
  readonly tenants: readonly string[]
  /** The database. */
  readonly place: string
}

/**
 * Take the catalogs of a home and of its tenants, and the keys, over into the database of the settings. Each goes whole or not
 * at all, and one that was killed can be done again. Throws `conflict` while another process has one open, or where the database
 * has something else already.
 */
export async function migrate(settings: Settings): Promise<Migration> {
  const { url } = settings.catalog
  if (url === undefined) {
    const message = 'Name the database to take the store over to: set catalog.url or PASSIM_CATALOG_URL.'
    throw new AppError('invalid_input', message, { subject: 'store' })
  }
  const tenants: string[] = []
  for (const tenant of await tenantsOnDisk(settings.home)) {
    const { home, catalog } = settingsOfTenant(settings, tenant)
    if (await takeOver(path.join(home, CATALOG), { url, schema: catalog.schema }, takeStore)) tenants.push(tenant)
  }
  await takeOver(path.join(settings.home, KEYS_FILE), keysPlace({ ...settings.catalog, url }), takeKeys)
  return { tenants, place: databaseIn(url) }
}

type Place = { readonly url: string; readonly schema: string }

/** False where there is nothing to take. */
async function takeOver(
  file: string,
  place: Place,
  take: (file: string, place: Place) => Promise<void>,
): Promise<boolean> {
  if (!existsSync(file)) return false
  await take(file, place)
  return true
}

async function takeStore(file: string, place: Place): Promise<void> {
  await takeRows(SqliteCatalog.open(file, FORMATS), await PostgresCatalog.open(place, FORMATS), async own => {
    await new SharedPlaces(own).storeId() // by which it is known again where this was killed
  })
}

async function takeKeys(file: string, place: Place): Promise<void> {
  await takeRows(SqliteCatalog.open(file, KEY_FORMATS), await PostgresCatalog.open(place, KEY_FORMATS))
}

async function takeRows(own: SqliteCatalog, shared: PostgresCatalog, first?: (own: SqliteCatalog) => Promise<void>) {
  try {
    await first?.(own)
    if (!(await own.keepAlone())) {
      throw new AppError(
        'conflict',
        `Another process has ${own.path} open. Stop passim serve and the like, and try again.`,
      )
    }
    await shared.takeAll(own)
    renameSync(own.path, `${own.path}${TAKEN_OVER}`) // before anybody else can write to it
    await syncFolder(path.dirname(own.path))
  } finally {
    await own.close()
    await shared.close()
  }
}
