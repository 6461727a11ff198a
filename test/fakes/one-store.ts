import type { Passim } from '../../src/app/passim.ts'
import type { Stores } from '../../src/app/tenants/tenants.ts'

/** One store for everybody, opened and closed by its owner. */
export function oneStore(passim: Passim): Stores {
  return { acquire: async () => ({ passim, release: () => {} }), opened: [passim] }
}
