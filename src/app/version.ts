import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Same path from `src/app` and `dist/app`. */
export function readPackageVersion(): string {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
