import { formatBytes } from '../../system/byte-sizes.ts'
import type { DeletionPlace, DeletionReportJson, Unproved } from '../../wire/deletion.ts'

const PLACES: Readonly<Record<DeletionPlace, string>> = {
  documents: 'Catalog: documents',
  jobs: 'Catalog: jobs',
  files: 'Catalog: uploaded files',
  originals: 'Contents: originals',
  texts: 'Contents: parsed texts',
  vectors: 'Contents: vectors',
  pictures: 'Contents: page pictures',
  index: 'Index: rows',
  bucket: 'Bucket: objects',
  caches: 'Cached answers and notes',
  conversations: 'Conversations that cite it',
  responses: 'Stored responses that cite it',
  runs: 'Runs that name it',
  hits: 'Lists of hits that name it',
  events: 'Events, of which ids stay',
}

const UNPROVED: Readonly<Record<Unproved, string>> = {
  disk: 'blocks and snapshots of the file system',
  backups: 'backups',
  outside: 'logs, receipts and answers given out, model servers',
  source: 'the source file, which still exists',
  retries: 'answers kept for 24 hours for an Idempotency-Key',
  log: 'the log of the catalog, which another process reads',
  database: 'the log, column statistics, replicas and backups of PostgreSQL',
  bucket: 'object versions of the bucket',
  machines: 'copies on other machines',
  weaviate: 'files of Weaviate',
}

/** Results of commands that list or change documents, collections, keys and backups. */
export const enResults = {
  status: (status: string) => status,
  searchableBy: (matching: string) => `searchable by ${matching}`,
  field: (name: string) => name,
  matching: (searchable: 'words' | 'all'): string =>
    searchable === 'words' ? 'words' : 'keyword and meaning',
  page: (page: number, text: string) => `p. ${page}: ${text}`,
  documents: (all: string, others: readonly string[]) =>
    others.length > 0 ? `${all} (${others.join(', ')})` : all,
  inStatus: (count: number, status: string) => `${count} ${status.replace('_', ' ')}`,
  createdCollection: (name: string, id: string, facts: readonly string[]) =>
    `Created ${name} (${id}), ${facts.join(', ')}.`,
  engine: (engine: string) => `in ${engine}`,
  comma: ', ',
  exported: (files: string, file: string) => `Exported ${files} to ${file}.`,
  restoreBackup: (file: string) =>
    `To try it, restore it into a new folder: passim --home FOLDER import ${file}. Then check that with passim --home FOLDER verify.`,
  imported: (files: string, home: string) => `Imported ${files} into ${home}.`,
  missingContents: (contents: string) =>
    `${contents} of documents missing or damaged. Run passim verify to list them.`,
  noKeys: 'No keys: the service accepts requests from this machine only.',
  storeKey: 'Store it safely: it is not shown again.',
  useKey: (scope: string) =>
    `This key has the scope ${scope}. Programs send it as "Authorization: Bearer KEY"; the page of the service asks for it. From now on the service refuses requests without a key.`,
  revoked: (name: string, id: string) => `Revoked ${name} (${id}).`,
  noValidKey:
    'No valid key is left: the service refuses all requests until you create one with passim keys create.',
  neverUsed: 'never used',
  usedOn: (day: string) => `used ${day}`,
  revokedKey: 'revoked',
  collection: (name: string) => `collection ${name}`,
  collectionSize: (name: string, size: string) => `Collection ${name}: ${size}`,
  deletedCollection: (name: string) => `Deleted collection ${name}.`,
  deletedDocument: (source: string, collection: string) => `Deleted ${source} from ${collection}.`,
  deletedDocuments: (documents: string) => `Deleted ${documents}.`,
  deletedForGood: (name: string) => `Permanently deleted ${name}.`,
  fileExists: 'Its file still exists: indexing its folder adds it again.',
  permanently: (what: string) => `${what}, permanently.`,
  heading: (what: string) => `${what}.`,
  typeName: (name: string) => `Type ${name} to delete it: `,
  wayBack: (days: string, command: string) => `To restore it within ${days}: ${command}`,
  everything: 'everything in the store',
  report: ({ places, scan, unproved, proved }: DeletionReportJson) => [
    ...places.map(({ place, removed, left }) =>
      left > 0
        ? `${PLACES[place]}: ${removed} removed, ${left} left`
        : `${PLACES[place]}: ${removed} removed`,
    ),
    `Searched ${scan.files} files (${formatBytes(scan.bytes)}) for ${scan.texts} phrases, ${scan.vectors} vectors and ${scan.originals} pieces of the originals (${scan.shared} of them stand in other documents, too): ${scan.found.length === 0 ? 'none found.' : `found in ${scan.found.length} files.`}`,
    ...scan.found.map(({ file, traces }) => `  ${file}: ${traces}`),
    proved ? 'Proved: nothing is left in this store.' : 'Not proved.',
    `Not covered: ${unproved.map(place => UNPROVED[place]).join('; ')}.`,
  ],
  nothingToRestore: 'There is nothing to restore.',
  restored: (name: string) => `Restored ${name}.`,
  ofCollection: (document: string, collection: string) => `${document} of ${collection}`,
  deletedAt: (deleted: string, expires: string) =>
    `; deleted ${deleted}, can be restored until ${expires}`,
}
