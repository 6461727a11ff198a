/**
 * Loaded before a program (`--import`): it is killed when it renames a file to a name that ends with PASSIM_TEST_DIE_RENAMING, before it does
 * or, with PASSIM_TEST_DIE=after, once it has.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { PASSIM_TEST_DIE_RENAMING: ending, PASSIM_TEST_DIE: when } = process.env
const { renameSync } = fs

fs.renameSync = (from, to) => {
  const isMeant = String(to).endsWith(ending)
  if (isMeant && when !== 'after') process.kill(process.pid, 'SIGKILL')
  renameSync(from, to)
  if (isMeant) process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
