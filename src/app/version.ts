import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseOwnJson } from '../system/own-json.ts'

export function readPackageVersion(): string {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url))
  return parseOwnJson<{ version: string }>(readFileSync(file, 'utf8')).version
}
