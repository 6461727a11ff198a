import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The package's version, seen from `src/app` and from `dist/app` alike. */
export function packageVersion(): string {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version // our own package.json
}
