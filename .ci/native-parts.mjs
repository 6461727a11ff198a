// The database, the index and the bundler are native programs, and npm leaves them out together with the packages for OCR when it is
// told `--omit=optional`: their owners list one for each platform as optional. This puts the one for here in its place.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const OWNERS = ['libsql', '@lancedb/lancedb', 'esbuild']
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const libc = process.report.getReport().header.glibcVersionRuntime ? /gnu|^(?!.*musl)/ : /musl/

const missing = OWNERS.flatMap(owner => {
  const names = Object.keys(packages[`node_modules/${owner}`].optionalDependencies).filter(isForHere)
  return names.some(name => existsSync(`node_modules/${name}`)) ? [] : names.map(withVersion)
})
if (missing.length > 0) {
  process.stderr.write(`Installing ${missing.join(' and ')}, which Passim cannot be built or run without.\n`)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
  const { status } = spawnSync('npm', ['install', ...options, ...missing], { stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
}

function isForHere(name) {
  const { os, cpu } = packages[`node_modules/${name}`] ?? {}
  const isLibc = process.platform !== 'linux' || libc.test(name)
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch)) && isLibc
}

function withVersion(name) {
  return `${name}@${packages[`node_modules/${name}`].version}`
}
