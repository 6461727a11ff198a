/**
 * Holds the lease `x` of a catalog until it is killed, and says so.
 * usage: node --import tsx test/fakes/hold-lease.ts CATALOG
 */
import { Leases, leaseSchema } from '../../src/ingest/catalog/lease.ts'
import { SqliteCatalog } from '../../src/ingest/catalogs/sqlite.ts'

const leases = new Leases(SqliteCatalog.open(process.argv[2]!, [[leaseSchema]]))
const lease = await leases.tryAcquire('x')
console.log(lease ? 'held' : 'refused')
setInterval(() => {}, 1_000)
