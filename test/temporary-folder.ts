import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Around the tests: what they and the programs that they kill leave in the folder for temporary files is gone at their end. */
export default function useOneTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'passim-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
