import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { SharedPlaces } from '../../ingest/store/catalog/shared-places.ts'
import type { Formats } from '../../ingest/store/catalog.ts'
import { PostgresCatalog } from '../../ingest/store/catalogs/postgres.ts'
import { stripCredentials } from '../../ingest/store/catalogs/postgres-connection.ts'
import { SqliteCatalog } from '../../ingest/store/catalogs/sqlite.ts'
import { syncFolder } from '../../system/disk.ts'
import type { Migration } from '../../wire/backup.ts'
import { CATALOG } from '../stores/backup.ts'
import { FORMATS, TAKEN_OVER, TAKING_OVER } from '../stores/store.ts'
import { getKeysPlace, KEY_FORMATS, KEYS_FILE } from './keys.ts'
import { listTenantsOnDisk, toTenantSettings } from './tenants.ts'

/**
 * Moves the catalogs of a home and its tenants, and the keys, each completely or not at all. Can
 * be repeated. Throws `conflict` if one is open or the database has other content.
 */
export async function migrate(settings: Settings): Promise<Migration> {
  const { url } = settings.catalog
  if (url === undefined) {
    const message = 'No target database is configured.'
    const advice = 'Set catalog.url or PASSIM_CATALOG_URL.'
    throw new AppError('invalid_input', message, { subject: 'store', advice })
  }
  const tenants: string[] = []
  for (const tenant of await listTenantsOnDisk(settings.home)) {
    const { home, catalog } = toTenantSettings(settings, tenant)
    if (await migrateFile(path.join(home, CATALOG), { url, schema: catalog.schema }, migrateStore))
      tenants.push(tenant)
  }
  await migrateFile(
    path.join(settings.home, KEYS_FILE),
    getKeysPlace({ ...settings.catalog, url }),
    migrateKeys,
  )
  return { tenants, place: stripCredentials(url) }
}

type Place = { readonly url: string; readonly schema: string }

async function migrateFile(
  file: string,
  place: Place,
  migrateContent: (file: string, place: Place) => Promise<void>,
): Promise<boolean> {
  const isStarted = existsSync(`${file}${TAKING_OVER}`)
  if (!isStarted && !existsSync(file)) return false
  const existingFiles = [file, `${file}${TAKING_OVER}`, `${file}${TAKEN_OVER}`].filter(existsSync)
  if (existingFiles.length > 1) {
    throw new AppError(
      'conflict',
      localizable`There are ${existingFiles.join(' and ')}, but only one can be migrated. Move the others away.`,
    )
  }
  await migrateContent(file, place)
  return true
}

async function migrateStore(file: string, place: Place): Promise<void> {
  await migrateRows(file, { formats: FORMATS, place }, async own => {
    await new SharedPlaces(own).storeId() // recognises it after a kill
  })
}

async function migrateKeys(file: string, place: Place): Promise<void> {
  await migrateRows(file, { formats: KEY_FORMATS, place })
}

type Target = { readonly formats: Formats; readonly place: Place }

/** Renames the file before its rows are committed, so that nothing writes to it after a kill. */
async function migrateRows(
  file: string,
  { formats, place }: Target,
  first?: (own: SqliteCatalog) => Promise<void>,
) {
  const taking = `${file}${TAKING_OVER}`
  const isResumed = existsSync(taking)
  const own = SqliteCatalog.open(isResumed ? taking : file, formats)
  const shared = await PostgresCatalog.open(place, formats)
  const rename = async (from: string, to: string) => {
    renameSync(from, to)
    await syncFolder(path.dirname(file))
  }
  try {
    await first?.(own)
    if (!(await own.lockExclusively())) {
      throw new AppError(
        'conflict',
        localizable`Another process has ${file} open. Stop it, and try again.`,
        {
          advice: 'It may be passim serve, passim mcp or passim work.',
        },
      )
    }
    await shared.takeAll(own, {
      isResumed,
      ...(!isResumed && { last: async () => await rename(file, taking) }),
    })
    await rename(taking, `${file}${TAKEN_OVER}`)
  } finally {
    await own.close()
    await shared.close()
  }
}
