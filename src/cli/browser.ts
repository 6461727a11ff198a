import { spawn } from 'node:child_process'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

export function openInBrowser(target: string): Promise<boolean> {
  const [command, ...rest] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise(resolve => {
    const child = spawn(command, [...rest, target], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
