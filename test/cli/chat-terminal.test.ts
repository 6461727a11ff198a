import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { hasTerminal, startOnTerminal } from '../fakes/terminal.ts'

const CTRL_C = '\u0003'
const hanging = silentAfter('Hotels cost')

describe.skipIf(!hasTerminal)('passim chat at a terminal (needs Python)', () => {
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

  const startChat = () =>
    startOnTerminal(sandbox.home, ['chat'], {
      PASSIM_MODEL_URL: model.url,
      PASSIM_MODEL: 'scripted',
    })

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
