import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }

describe('install scripts of dependencies', () => {
  const { packages } = read<Lock>('package-lock.json')
  const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>('package.json')
  const withScript = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  test('are all decided on, and none is run', () => {
    expect(withScript.length).toBeGreaterThan(0)
    for (const name of withScript) expect(allowScripts, name).toHaveProperty([name], false)
  })

  test('of packages that are gone are decided on no longer', () => {
    for (const name of Object.keys(allowScripts)) expect(withScript).toContain(name)
  })
})

function read<Value>(file: string): Value {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as Value // npm's own files
}
