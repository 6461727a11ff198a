// Installs the packages of the clients, which only these tests need, unless those of this lock are there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = import.meta.dirname
const mark = path.join(folder, 'node_modules', '.installed')
const lock = createHash('sha256')
  .update(readFileSync(path.join(folder, 'package-lock.json')))
  .digest('hex')

if (readMark() !== lock) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status === 0) writeFileSync(mark, lock)
  process.exitCode = status ?? 1
}

function readMark() {
  try {
    return readFileSync(mark, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}
