/**
 * Holds the lease `x` of a catalog until it is killed, and says so.
 * usage: node --import tsx test/fakes/hold-lease.ts CATALOG
 */
import { Leases } from '../../src/ingest/store/catalog/lease.ts'
import { combineFormats } from '../../src/ingest/store/catalog.ts'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'

const leases = new Leases(SqliteCatalog.open(process.argv[2]!, combineFormats([Leases.tables])))
const lease = await leases.tryAcquire('x')
console.log(lease ? 'held' : 'refused')
setInterval(() => {}, 1_000)
