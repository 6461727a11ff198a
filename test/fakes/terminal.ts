import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { CLI } from './cli.ts'

/** Runs a command on a terminal of its own, which has what comes in typed. */
const ON_TERMINAL =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/** Whether this machine can do so: it takes Python. */
export const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0

export function startOnTerminal(
  home: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn('python3', ['-c', ON_TERMINAL, ...CLI, ...args], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      PASSIM_HOME: home,
      TERM: 'dumb',
      NO_COLOR: '1',
      ...environment,
    },
  })
  return {
    child,
    ended: new Promise<number | null>(resolve => child.once('close', resolve)),
    shown: shownBy(child),
  }
}

/** Waits until something is shown that was not shown before. */
function shownBy(child: ChildProcessWithoutNullStreams) {
  let unseen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    unseen += text
  })
  return async (expected: string) => {
    await expect.poll(() => unseen, { timeout: 60_000 }).toContain(expected)
    unseen = unseen.slice(unseen.indexOf(expected) + expected.length)
  }
}
