import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url))

/** A module of the tests as a process of what is built can load it, without a compiler of its own. Gives its URL. */
export async function builtModule(file: URL): Promise<string> {
  const outfile = path.join(await mkdtemp(path.join(tmpdir(), 'passim-module-')), 'module.mjs')
  await build({
    ...{
      entryPoints: [fileURLToPath(file)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    },
    plugins: [
      {
        name: 'from-dist',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.ts$/ }, ({ path: specifier, resolveDir }) => {
            const module = path.resolve(resolveDir, specifier)
            if (!module.startsWith(SOURCE)) return undefined
            return {
              path: path.join(BUILT, module.slice(SOURCE.length).replace(/ts$/, 'js')),
              external: true,
            }
          }),
      },
    ],
  })
  return pathToFileURL(outfile).href
}
