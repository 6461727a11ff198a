import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }

describe('install scripts of dependencies', () => {
  const { packages } = read<Lock>('package-lock.json')
  const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>('package.json')
  const locked = new Set(Object.keys(packages).map(path => path.split('node_modules/').at(-1)))

  test('are not named by the lock, so that no npm runs one', () => {
    expect(Object.keys(packages).filter(path => packages[path]?.hasInstallScript)).toEqual([])
  })

  test('are decided against where a package has one, and of packages that are gone no longer', () => {
    for (const [name, isAllowed] of Object.entries(allowScripts)) {
      expect(isAllowed, name).toBe(false)
      expect(locked).toContain(name)
    }
  })
})

function read<Value>(file: string): Value {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as Value // npm's own files
}
