// Adds to package-lock.json the platform packages that the registry at hand does not serve: run it after `npm install`.
// Without them npm 11 refuses the lock ("Missing: ... from lock file"), and npm 10 installs no binary on those platforms.
// Their version is exact; their integrity is unknown here, so npm takes it from the registry that does serve them.
// And it takes out of the lock that a package has an install script that package.json decided against: older npm runs what the lock names.
import { readFileSync, writeFileSync } from 'node:fs'

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const missing = Object.entries(lock.packages).flatMap(([path, parent]) =>
  Object.entries(parent.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => [`node_modules/${name}`, platformPackage(name, version, parent)]),
)
const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) }).map(([path, entry]) => [path, withoutScript(path, entry)])
packages.sort(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync('package-lock.json', `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
console.log(missing.length === 0 ? 'the lock was complete' : `added ${missing.map(([path]) => path.slice(13)).join(', ')}`)

/** Whether the package at `path` finds `name` in its own node_modules or in one above it. */
function isLocked(path, name) {
  if (lock.packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name)
}

function platformPackage(name, version, parent) {
  const words = name.split(/[-/]/)
  const os = words.find(word => SYSTEMS.includes(word))
  const cpu = words.find(word => PROCESSORS.includes(word))
  if (!os || !cpu || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${name}@${version} does not name a platform and a version`)
  const libc = words.some(word => word.startsWith('musl')) ? ['musl'] : words.some(word => word.startsWith('gnu')) ? ['glibc'] : undefined
  const { dev, license, engines } = parent
  return { version, cpu: [cpu], dev, libc: os === 'linux' ? libc : undefined, license, optional: true, os: [os], engines }
}

function withoutScript(path, { hasInstallScript, ...entry }) {
  const isRun = hasInstallScript && allowScripts[path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] !== false
  return isRun ? { ...entry, hasInstallScript } : entry
}
