import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { ENGINE_CONTRACTS, FULL_SUITE, LARGE_PROPERTIES, PACKAGED_CLIENTS } from './test/suites.ts'

const SOURCE = new URL('src/', import.meta.url)
const BUILT = new URL('dist/', import.meta.url)

/** The page is built into one file, so its modules are tested from source. */
const PAGE = new URL('web/', SOURCE)

/**
 * Tests import from `src` and run what ships: `dist`, which `test/build.ts` keeps as new as the source. Nothing is
 * transformed then, by us or by the child processes, which is half of the suite's time.
 */
const runBuilt: Plugin = {
  name: 'run-built',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (!importer || !specifier.endsWith('.ts')) return null
    const from = pathToFileURL(importer)
    const { href } = new URL(specifier, from)
    if (
      href.startsWith(PAGE.href) ||
      !href.startsWith(SOURCE.href) ||
      from.href.startsWith(SOURCE.href)
    )
      return null
    const built = new URL(href.slice(SOURCE.href.length).replace(/ts$/, 'js'), BUILT)
    return { id: fileURLToPath(built), external: true }
  },
}

/** Installs the packages of clients, or returns the tests that cannot run without them. */
function findClientsWithoutPackages(): string[] {
  const script = fileURLToPath(new URL('test/clients/install.mjs', import.meta.url))
  if (spawnSync(process.execPath, [script], { stdio: 'inherit' }).status === 0) return []
  console.warn(`Skipped: ${PACKAGED_CLIENTS}, as npm could not install what they need (see above).`)
  return [PACKAGED_CLIENTS]
}

export default defineConfig(({ mode }) => ({
  plugins: [runBuilt],
  test: {
    include:
      mode === 'full'
        ? [...FULL_SUITE, ...ENGINE_CONTRACTS, ...LARGE_PROPERTIES]
        : ['test/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      ...(mode === 'full' ? findClientsWithoutPackages() : FULL_SUITE),
    ],
    env: { PASSIM_TEST_SUITE: mode === 'full' ? 'full' : 'quick' },
    globalSetup: ['test/build.ts', 'test/temporary-folder.ts'],
    setupFiles: ['test/property-seed.ts', 'test/cpu-seconds.ts'],
    pool: 'forks',
    isolate: false, // a worker loads the program once, not for each file: a fifth of the suite's time
    maxWorkers: Math.max(2, availableParallelism() - 1), // tests wait for processes: on two cores, two at a time
    // Generous: a machine that does other work beside must not fail a fact.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
}))
