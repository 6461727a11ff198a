import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { environmentOf } from './catalog-environment.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What starts the command line as it ships. */
export const CLI = [process.execPath, `${ROOT}dist/cli.js`] as const

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The command line as a user starts it; nothing of this process's environment but the path and where temporary files go. */
export function startCli(
  home: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  /** A program that starts it, with arguments. */
  starter: readonly string[] = [],
) {
  const [program, ...rest] = [...starter, ...CLI, ...args]
  const child = spawn(program!, rest, {
    // CLI is not empty
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      PASSIM_HOME: home,
      ...environmentOf(home),
      ...environment,
    },
  })
  return { child, ended: ending(child) }
}

export async function runCli(
  home: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await startCli(home, args, environment).ended
}

async function ending(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return await new Promise(resolve =>
    child.once('close', code => resolve({ code, stdout, stderr })),
  )
}
