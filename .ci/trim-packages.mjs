// Two packages travel inside of the tarball of `npm pack`, without what nobody needs: their install scripts (that of the ONNX runtime
// would fetch CUDA from another host, 300 MB), what these need, and the packages that LanceDB lists for embedding functions of its own.
// The one binary that LanceDB needs is an optional dependency of Passim itself. Of the ONNX runtime a checkout keeps the processors' part
// of its platform, and the tarball that of every platform; what Windows loads for graphics cards, when it is asked to, goes.
// Runs after installing, and before packing with `--every-platform`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const RUNTIME = 'node_modules/onnxruntime-node'
const PLATFORMS = `${RUNTIME}/bin/napi-v6`
const isForEveryPlatform = process.argv.includes('--every-platform')

const NOT_NEEDED = {
  'onnxruntime-node': name => ['adm-zip', 'global-agent'].includes(name),
  '@lancedb/lancedb': name => ['@huggingface/transformers', 'openai'].includes(name) || name.startsWith('@lancedb/'),
}
const GRAPHICS = /\/(?:DirectML|dxcompiler|dxil)\.dll$/
/** Beside it lies the same file under the name that is loaded. */
const TWICE = /\/libonnxruntime\.\d+\.\d+\.\d+\.dylib$/

if (isForEveryPlatform && readdirSync(PLATFORMS).length === 1) {
  rmSync(RUNTIME, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...options], { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(1)
}

for (const [name, isNotNeeded] of Object.entries(NOT_NEEDED)) {
  const file = `node_modules/${name}/package.json`
  if (!existsSync(file)) continue // left out as optional
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  const without = entries => Object.fromEntries(Object.entries(entries ?? {}).filter(([dependency]) => !isNotNeeded(dependency)))
  const { dependencies, optionalDependencies } = manifest
  const trimmed = { ...manifest, dependencies: without(dependencies), optionalDependencies: without(optionalDependencies) }
  // A new file makes the folder newer than node_modules/.package-lock.json, which npm would believe otherwise: it names what was trimmed.
  writeFileSync(`${file}.new`, `${JSON.stringify(trimmed, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

for (const file of readdirSync(PLATFORMS, { recursive: true }).map(name => `${PLATFORMS}/${name.replaceAll('\\', '/')}`))
  if (GRAPHICS.test(file) || TWICE.test(file)) rmSync(file)

if (!isForEveryPlatform)
  for (const folder of readdirSync(PLATFORMS, { recursive: true }).map(name => name.replaceAll('\\', '/')))
    if (!`${process.platform}/${process.arch}/`.startsWith(`${folder.split('/', 2).join('/')}/`))
      rmSync(`${PLATFORMS}/${folder}`, { recursive: true, force: true })
