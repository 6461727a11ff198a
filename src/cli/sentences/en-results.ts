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
  imported: (files: string, home: string) => `Imported ${files} into ${home}.`,
  missingContents: (contents: string) =>
    `${contents} of documents missing or damaged. Run passim verify to list them.`,
  noKeys: 'No keys: the service accepts requests from this machine only.',
  storeKey: 'Store it safely: it is not shown again.',
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
  deletedForGood: (name: string) => `Permanently deleted ${name}.`,
  fileExists: 'Its file still exists: indexing its folder adds it again.',
  permanently: (what: string) => `${what}, permanently.`,
  heading: (what: string) => `${what}.`,
  typeName: (name: string) => `Type ${name} to delete it: `,
  wayBack: (days: string, command: string) => `To restore it within ${days}: ${command}`,
  nothingToRestore: 'There is nothing to restore.',
  restored: (name: string) => `Restored ${name}.`,
  ofCollection: (document: string, collection: string) => `${document} of ${collection}`,
  deletedAt: (deleted: string, expires: string) =>
    `; deleted ${deleted}, can be restored until ${expires}`,
}
