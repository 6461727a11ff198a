import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }

describe('install scripts of dependencies', () => {
  const { packages } = read<Lock>('package-lock.json')
  const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>(
    'package.json',
  )
  const clients = read<Lock>('test/clients/package-lock.json').packages
  const locked = new Set(Object.keys(packages).map(path => path.split('node_modules/').at(-1)))

  test('are not named by the lock, so that no npm runs one', () => {
    for (const lock of [packages, clients])
      expect(Object.keys(lock).filter(path => lock[path]?.hasInstallScript)).toEqual([])
  })

  test('are decided against where a package has one, and of packages that are gone no longer', () => {
    for (const [name, isAllowed] of Object.entries(allowScripts)) {
      expect(isAllowed, name).toBe(false)
      expect(locked).toContain(name)
    }
  })
})

test('npm packs what was trimmed, not what it installed: a lock of its own that is newer than the folders is believed', () => {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
  execFileSync(process.execPath, ['.ci/trim-packages.mjs'], { cwd: path.dirname(modules) })
  const changedMs = (name: string) => statSync(path.join(modules, name)).mtimeMs
  for (const name of ['@lancedb/lancedb', 'onnxruntime-node']) {
    if (existsSync(path.join(modules, name)))
      expect(changedMs(name)).toBeGreaterThan(changedMs('.package-lock.json'))
  }
})

function read<Value>(file: string): Value {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as Value // npm's own files
}
