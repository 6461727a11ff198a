import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { responseSchema, StoredResponses } from '../agent/stored-responses.ts'
import { AppError, toAppError } from '../errors.ts'
import { Attachments } from '../ingest/catalog/attachments.ts'
import {
  Collections,
  collectionExpirySchema,
  collectionSchema,
  collectionTableSchema,
} from '../ingest/catalog/collections.ts'
import { attachmentSchema, documentSchema, validatorSchema } from '../ingest/catalog/document-rows.ts'
import { Documents } from '../ingest/catalog/documents.ts'
import { FileBatches, fileBatchSchema } from '../ingest/catalog/file-batches.ts'
import { Files, fileExpirySchema, fileSchema } from '../ingest/catalog/files.ts'
import { Jobs, jobSchema } from '../ingest/catalog/jobs.ts'
import { Uploads, uploadSchema } from '../ingest/catalog/uploads.ts'
import { VersionDocuments } from '../ingest/catalog/version-documents.ts'
import { Versions, versionSchema } from '../ingest/catalog/versions.ts'
import { Catalog, type Formats } from '../ingest/catalog.ts'
import { makeFolder } from '../ingest/disk.ts'
import { Library } from '../ingest/library.ts'
import { ReEmbeddings, reEmbeddingSchema } from '../ingest/re-embedding/re-embeddings.ts'
import { ContentStore } from '../ingest/stored/content.ts'
import { Leases, leaseSchema } from '../ingest/work/lease.ts'
import { termRaritySchema } from '../search/analysis/term-rarity.ts'
import { meansSchema } from '../search/language-means.ts'
import { StorePlaces } from './store-place.ts'

/** The tables of every owner, by the format that brought them. What stands here is in stores by now: only ever append. */
const FORMATS: Formats = [
  [leaseSchema, collectionSchema, fileSchema, documentSchema, versionSchema, jobSchema, meansSchema],
  [fileExpirySchema, collectionExpirySchema, fileBatchSchema, uploadSchema],
  [termRaritySchema],
  [validatorSchema],
  [responseSchema],
  [attachmentSchema],
  [collectionTableSchema, reEmbeddingSchema],
  [], // small documents in one file each, which older programs do not find
  [], // chunks that do not say in which language they are embedded, which older programs read there
]

export const STORE_FORMAT = FORMATS.length

/** The catalog of a store, made or brought forward. */
export function openCatalog(file: string): Catalog {
  return Catalog.open(file, FORMATS)
}

/** One directory: catalog, files, and what they are read through. */
export type Store = {
  readonly home: string
  readonly catalog: Catalog
  readonly content: ContentStore
  readonly collections: Collections
  readonly files: Files
  readonly fileBatches: FileBatches
  readonly uploads: Uploads
  readonly responses: StoredResponses
  readonly documents: Documents
  readonly versions: Versions
  readonly attachments: Attachments
  readonly jobs: Jobs
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly library: Library
}

export type StoreOptions = {
  /** Make none where there is none. */
  readonly mustExist?: boolean | undefined
  /** Told when there was none, and one was made. */
  readonly onNewStore?: ((home: string) => void) | undefined
  /** Where it is remembered which stores lie on other disks. */
  readonly stateHome?: string | undefined
}

/** Open or make the store in `home`, readable by its owner only. Throws what keeps it from being used. */
export async function openStore(home: string, options: StoreOptions = {}): Promise<Store> {
  const content = new ContentStore(home)
  const places = options.stateHome === undefined ? undefined : new StorePlaces(options.stateHome)
  const isNew = !existsSync(catalogOf(home))
  if (isNew) await requireNone(home, options, places)
  await prepareHome(home, content)
  if (isNew) await requireEmpty(home, content)
  const catalog = openCatalog(catalogOf(home))
  if (isNew) options.onNewStore?.(home)
  await places?.note(home)
  const documents = new Documents(catalog)
  const versions = new Versions(catalog)
  const files = new Files(catalog, content)
  const reEmbeddings = new ReEmbeddings(catalog)
  const leases = new Leases(catalog)
  return {
    home,
    catalog,
    content,
    collections: new Collections(catalog),
    files,
    fileBatches: new FileBatches(catalog),
    uploads: new Uploads(catalog, home),
    responses: new StoredResponses(catalog),
    documents,
    versions,
    attachments: new Attachments({ content, files, documents, versions }),
    jobs: new Jobs(catalog, reEmbeddings, leases),
    reEmbeddings,
    leases,
    library: new Library({ content, documents, versions, ofVersions: new VersionDocuments(catalog) }),
  }
}

const catalogOf = (home: string) => path.join(home, 'catalog.db')

/** Where there is no store it may be that none was ever made, or that its disk is away. */
async function requireNone(home: string, { mustExist }: StoreOptions, places: StorePlaces | undefined): Promise<void> {
  await places?.requireMounted(home)
  if (!mustExist) return
  throw new AppError(
    'not_found',
    `There is no store in ${home}. If it lies on another disk, mount that first. passim index PATH makes a new one; ` +
      '--home or PASSIM_HOME names another.',
    { subject: 'store' },
  )
}

/** Content that no catalog knows of would be swept away as nobody's. */
async function requireEmpty(home: string, content: ContentStore): Promise<void> {
  if ((await content.list()).length === 0) return
  throw new AppError(
    'store_mismatch',
    `The store ${home} has lost its catalog: there is no ${catalogOf(home)}, but there are documents. Put it back from a ` +
      `backup, or remove the folders content and index and index the documents again.`,
    { subject: 'store' },
  )
}

async function prepareHome(home: string, content: ContentStore): Promise<void> {
  try {
    await makeFolder(home, 0o700)
    await access(home, constants.W_OK)
    await content.prepare()
  } catch (error) {
    const { code, message } = toAppError(error)
    throw new AppError(code, `Cannot use ${home} as a store: ${message}. Choose another with --home or PASSIM_HOME.`, {
      cause: error,
      subject: 'store',
    })
  }
}
