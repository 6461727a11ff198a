/**
 * Test files that `npm run test:full` runs and `npm test` leaves out: they take long, need programs that a newcomer may not
 * have, or test what does not ship. CONTRIBUTING.md names them.
 */
export const FULL_SUITE = [
  'test/fault/!(kill).test.ts',
  'test/web/!(page|lit-boxes|query-words|turn).test.ts',
  'test/clients/*.test.ts',
  'test/agent/every-profile.test.ts',
  'test/agent/models/model-profiles.test.ts',
  'test/examples/*.test.ts',
  'test/bench/*.test.ts',
  'test/app/erasure/many-canaries.test.ts',
  'test/app/{shared-contents,shared-index,shared-work,weaviate-collections}.test.ts',
  'test/cli/{audited-commands,command-output,conversations,deleting-many,edit-chunk,engine-move,json-results,mcp-servers,migrate}.test.ts',
  'test/cli/{model-answers,one-collection,plain-results,printable,proved-deletion,put}.test.ts',
  'test/cli/{sentences,sync,usage}.test.ts',
  'test/contract/odd-values.test.ts',
  'test/ingest/parse/isolation/parser-processes.test.ts',
  'test/ingest/parse/parsers/pdf/ocr.test.ts',
  'test/ingest/postgres-catalog.test.ts',
  'test/search/lance/{table-bucket,table-upkeep}.test.ts',
  'test/search/weaviate/weaviate-tables.test.ts',
  'test/server/nodes{,-api}.test.ts',
]

/** Those of the full suite that need the packages of `test/clients/package.json`. */
export const PACKAGED_CLIENTS = 'test/clients/!(python).test.ts'

/** Contract tests that the full suite runs once more, on the engines that are there (PostgreSQL, S3, Weaviate). */
export const ENGINE_CONTRACTS = [
  'test/app/tenants/{stored-answers,rates}.test.ts',
  'test/contract/{blobs,catalog,chunk-index,contents,sources}.test.ts',
]

/** Property tests of which the full suite draws more cases. */
export const LARGE_PROPERTIES = [
  'test/server/visible-documents.test.ts',
  'test/text/{alignment,quantities}.test.ts',
  'test/agent/tokens/encoding-thread.test.ts',
  'test/ingest/chunk/tokens/unigram.test.ts',
]

/** Whether the full suite runs. */
const isFullSuite = process.env.PASSIM_TEST_SUITE === 'full'

/** Returns the size of a property test: of its draws or their length, small in `npm test` and large in the full suite. */
export function chooseDraws(few: number, many: number): number {
  return isFullSuite ? many : few
}

/**
 * Returns the adapters that a contract test runs on: those that are installed, and in the full suite all, where a missing one is
 * skipped by name.
 */
export function chooseAdapters<Adapter>(
  adapters: readonly Adapter[],
  isInstalled: (adapter: Adapter) => boolean,
): readonly Adapter[] {
  return isFullSuite ? adapters : adapters.filter(isInstalled)
}
