import { createRequire } from 'node:module'
import type Database from 'libsql'

/** Loads the engine on demand, so that other commands work without its binary. */
export function loadSqliteEngine(): typeof Database {
  return createRequire(import.meta.url)('libsql') as typeof Database // CommonJS, whose exports are the class
}
