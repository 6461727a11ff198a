import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, runCli } from '../fakes/cli.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

/** Runs a command on a terminal of its own, which has what comes in typed. */
const ON_TERMINAL =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

const CTRL_C = '\u0003'
const hanging = silentAfter('Hotels cost')

describe.skipIf(!hasPython)('passim chat at a terminal (needs Python)', () => {
  const script: ScriptedReply[] = []
  let sandbox: Sandbox
  let model: ScriptedModel
  beforeAll(async () => {
    sandbox = await Sandbox.make()
    model = await startScriptedModel(script)
    const docs = await sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' })
    await runCli(sandbox.home, ['index', docs, '--no-vectors'])
  })
  afterAll(async () => {
    await model.close()
    await sandbox.remove()
  })

  function startChat() {
    const environment = {
      PASSIM_MODEL_URL: model.url,
      PASSIM_MODEL: 'scripted',
      TERM: 'dumb',
      NO_COLOR: '1',
    }
    const child = spawn('python3', ['-c', ON_TERMINAL, ...CLI, 'chat'], {
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), PASSIM_HOME: sandbox.home, ...environment },
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

  test('Ctrl-C stops the answer that is being made, and at the prompt it leaves', async () => {
    script.push(hanging, { text: ['At most 120 euros [1].'] }, { text: ['At most 120 euros [1].'] })
    const { child, ended, shown } = startChat()
    await shown('> ')
    child.stdin.write('What do hotels cost?\r')
    await shown('Hotels')
    await model.request(0)
    child.stdin.write(CTRL_C)
    await shown('The answer was stopped.')
    await shown('> ')
    child.stdin.write('What do hotels cost at most?\r')
    await shown('At most 120 euros')
    await shown('> ')
    child.stdin.write(CTRL_C)
    expect(await ended).toBe(0)
    const { conversations } = await sandbox.open()
    expect((await conversations.list({ limit: 10 })).map(({ turns }) => turns)).toEqual([2])
  })
})
