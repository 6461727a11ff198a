import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/python-clients', import.meta.url))
const INSTALL_MS = 240_000

/** A folder of packages, and how Python finds them and their programs; or why there is none. */
type Packages =
  | { readonly folder: string; readonly env: Readonly<Record<string, string>> }
  | { readonly reason: string }

/** The pinned packages of a list of requirements, installed by the first run. Nothing that is installed is changed. */
export async function pythonPackages(requirements: string): Promise<Packages> {
  const run = promisify(execFile)
  try {
    const { stdout } = await run('python3', [
      '-c',
      'import sys; print("%d.%d" % sys.version_info[:2])',
    ])
    const [major = 0, minor = 0] = stdout.split('.').map(Number)
    if (major !== 3 || minor < 10)
      return { reason: `Python is ${stdout.trim()}, and the packages want 3.10` }
    const digest = createHash('sha256')
      .update(readFileSync(requirements))
      .update(stdout)
      .digest('hex')
    const folder = path.join(CACHE, digest.slice(0, 16))
    if (existsSync(folder)) return found(folder)
    mkdirSync(CACHE, { recursive: true })
    const made = mkdtempSync(path.join(CACHE, 'new-'))
    const options = [
      '--quiet',
      '--disable-pip-version-check',
      '--no-compile',
      '--only-binary',
      ':all:',
    ]
    try {
      const pip = [
        '-m',
        'pip',
        'install',
        ...options,
        '--target',
        made,
        '--requirement',
        requirements,
      ]
      await run('python3', pip, { timeout: INSTALL_MS })
      if (!existsSync(folder)) renameSync(made, folder) // another run may have been quicker
    } finally {
      rmSync(made, { recursive: true, force: true })
    }
    return found(folder)
  } catch (error) {
    const lines = String(error).trim().split('\n')
    return { reason: `the packages cannot be installed: ${lines.at(-1)}` }
  }
}

function found(folder: string): Packages {
  const { PATH = '' } = process.env
  return {
    folder,
    env: { PATH: [path.join(folder, 'bin'), PATH].join(path.delimiter), PYTHONPATH: folder },
  }
}
