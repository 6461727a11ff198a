import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Write a page where only this user can read it, and show it in the browser; says whether that could be started. */
export async function openPage(
  html: string,
  hasScreen: boolean,
): Promise<{ readonly file: string; readonly isOpened: boolean }> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'passim-answer-')), 'answer.html')
  await writeFile(file, html, { mode: 0o600 })
  return { file, isOpened: hasScreen && (await start(file)) }
}

/** Without an opener, nothing is started. */
function start(file: string): Promise<boolean> {
  const [command, ...rest] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise(resolve => {
    const child = spawn(command, [...rest, file], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
