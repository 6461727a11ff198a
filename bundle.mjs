/**
 * Puts the command line and the processes it starts into few files: Node spends more on finding and linking hundreds of
 * modules than a search takes. Runs after tsc and leaves its output, the library, as it is. Packages that are needed from the
 * start are taken in, with their licences; those with binaries, and all that are loaded on use, stay outside.
 */
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const OUT = 'dist/bundle' // as deep as dist/app: what lies beside dist is found by the same relative path
const PAGE = 'dist/web'
const INSIDE = new Set([
  ...['@lancedb/lancedb', 'apache-arrow', 'commander', 'eventsource-parser', 'franc-min', 'ignore', 'porter2', 'yaml', 'yauzl', 'zod'],
])

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
  name => !INSIDE.has(name),
)

rmSync(OUT, { recursive: true, force: true })
const inputs = [await bundle(['dist/cli.js']), await bundle(processEntries())]
writeFileSync('dist/cli.js', "#!/usr/bin/env node\nimport './bundle/cli.js'\n")
chmodSync('dist/cli.js', 0o755) // npx runs it where it is, and npm says so of it only when it links it
writeFileSync(path.join(OUT, 'LICENSES.txt'), licences(Object.assign({}, ...inputs)))
await bundlePage()

/**
 * The web page: scripts and a style sheet under names with their hashes, and the document that names those of its first view.
 * Other views are one script that loads on use.
 */
async function bundlePage() {
  rmSync(PAGE, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: ['src/web/main.tsx', 'src/web/style.css', 'src/web/icon.svg'],
    outdir: PAGE,
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    target: ['chrome123', 'firefox121', 'safari17.5'], // light-dark() in the style sheet
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  })
  const outputs = Object.entries(metafile.outputs)
  const [, script] = outputs.find(([, { entryPoint }]) => entryPoint === 'src/web/main.tsx')
  const shared = script.imports.find(({ kind }) => kind === 'import-statement').path
  const named = ending =>
    ending === 'shared' ? shared : outputs.find(([file, { entryPoint }]) => entryPoint && file.endsWith(`.${ending}`))[0]
  const html = readFileSync('src/web/index.html', 'utf8').replace(/@(\w+)/g, (_, name) => `assets/${path.basename(named(name))}`)
  writeFileSync(path.join(PAGE, 'index.html'), html)
  writeFileSync(path.join(PAGE, 'verify.html'), allowOwnParts(readFileSync('src/web/verify.html', 'utf8')))
  writeFileSync(path.join(PAGE, 'LICENSES.txt'), licences(metafile.inputs))
}

/** Puts the hashes of the page's script and style into its policy. */
function allowOwnParts(html) {
  const hash = name => createHash('sha256').update(new RegExp(`<${name}>([^]*)</${name}>`).exec(html)[1]).digest('base64')
  return html.replace(/@(script|style)/g, (_, name) => `sha256-${hash(name)}`)
}

/** Apart from one another, so that what several have in common does not fall into many small files. */
async function bundle(entryPoints) {
  const { metafile } = await build({
    entryPoints,
    outdir: OUT,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: outside.flatMap(name => [name, `${name}/*`]),
    // what is inside and CommonJS asks for Node's own modules
    banner: { js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)" },
    plugins: [ownImports(), lanceInside()],
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    logLevel: 'warning',
  })
  refuseLostNames(metafile.inputs)
  return metafile.inputs
}

/**
 * Fails for an `import()` of a CommonJS package that is taken in: it would have its default export alone, where Node itself finds
 * names, too. Import such a package by name in a module of ours, and that module by `import()`.
 */
function refuseLostNames(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const lost = imports.find(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
    if (lost) throw new Error(`${file}: import('${lost.original}') has no names in the bundle, for it is CommonJS.`)
  }
}

/** The modules that are started as processes of their own: whoever starts one names it beside itself. */
function processEntries() {
  const modules = readdirSync('dist', { recursive: true }).filter(file => file.endsWith('.js') && !file.startsWith('bundle'))
  const entries = modules.flatMap(module => {
    const code = readFileSync(path.join('dist', module), 'utf8')
    const names = [...code.matchAll(/getChildEntry\('([^']+)'/g)].map(([, name]) => `${name}.js`)
    return names.map(name => path.join('dist', path.dirname(module), name))
  })
  return [...new Set(entries)]
}

/**
 * What our own files import, as esbuild can take it in: only a namespace that is imported as one is left out in parts, which of Zod is
 * its 50 languages and half of the rest; and what is required when it is first used is named to a `require` that it knows.
 */
function ownImports() {
  const load = async ({ path: file }) => {
    if (path.relative(OUT, file).includes('node_modules')) return undefined // others': as they are
    const code = await readFile(file, 'utf8')
    const inParts = code.replace("import { z } from 'zod';", "import * as z from 'zod';")
    return { contents: inParts.replace("createRequire(import.meta.url)('apache-arrow')", "require('apache-arrow')") }
  }
  return { name: 'own imports', setup: build => build.onLoad({ filter: /\.js$/, namespace: 'file' }, load) }
}

/** LanceDB's own code and Arrow, nearly 200 files, come in. Its native part stays outside, and is found from where LanceDB is. */
function lanceInside() {
  const native = "const name = '@lancedb/lancedb'; module.exports = require('node:module').createRequire(require.resolve(name))('./native.js')"
  const setup = build => {
    build.onResolve({ filter: /\/native(\.js)?$/ }, ({ importer }) =>
      importer.includes('@lancedb') ? { path: 'native', namespace: 'lance' } : undefined,
    )
    build.onLoad({ filter: /^native$/, namespace: 'lance' }, () => ({ contents: native }))
    build.onLoad({ filter: /lancedb\/dist\/otel\.js$/ }, () => ({ contents: '' })) // metrics that nobody asks for, by 44 files
  }
  return { name: 'lance inside', setup }
}

/** The licences of all packages that were taken in, with the notices that go with them. */
function licences(inputs) {
  const packages = Object.keys(inputs).map(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
  return [...new Set(packages)].filter(folder => folder !== undefined).toSorted().map(licence).join('\n\n')
}

function licence(folder) {
  const files = readdirSync(folder).filter(name => /^(?:licen[cs]e|notice)(?:\.|$)/i.test(name))
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const texts = files.map(file => readFileSync(path.join(folder, file), 'utf8'))
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
