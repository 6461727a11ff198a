import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'

/** A package of the npm registry, installed for one measurement. */
export type PeerPackage = {
  readonly require: NodeJS.Require
  /** Path of the entry, for `import()`. */
  readonly entry: (name: string) => string
  readonly megabytes: number
  readonly remove: () => void
}

/** Installs packages into a temporary folder. No install script runs. */
export function installPackages(...names: readonly string[]): PeerPackage {
  const folder = mkdtempSync(path.join(tmpdir(), 'passim-replaced-'))
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...names], { cwd: folder, stdio: 'inherit' })
  const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  const require = createRequire(path.join(folder, 'index.js'))
  console.log(describeMachine())
  return {
    require,
    entry: name => require.resolve(name),
    megabytes: Number.parseInt(size, 10),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10)
  return `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${date}`
}

/** CPU milliseconds of this process that the work takes, native threads included. */
export async function measureCpu<Result>(
  work: () => Promise<Result> | Result,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}
