import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Before the tests: builds `dist`, which they run against, unless it is as new as its source. */
export default function buildWhenStale(): void {
  if (newest(join(ROOT, 'src')) < newest(join(ROOT, 'dist'))) return
  console.log('src is newer than dist: building')
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
}

/** Time of the last change of a file below `folder`, in ms since 1970; -1 when there is none. */
function newest(folder: string): number {
  if (!existsSync(folder)) return -1
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return Math.max(-1, ...files.map(file => statSync(join(file.parentPath, file.name)).mtimeMs))
}
