import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSandboxProblem } from '../../../src/agent/tools/python-sandbox.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { loadSettings } from '../../../src/config.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

const problem = await findSandboxProblem((await loadSettings({ environment: {} })).tools.python)

const script: ScriptedReply[] = []
let sandbox: Sandbox
let server: ScriptedModel
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await startScriptedModel(script)
  passim = await sandbox.open({
    settings: {
      model: { url: server.url, name: 'scripted' },
      conversations: {
        skills: { 1: { name: 'python', tools: ['code_interpreter'], instructions: 'Compute.' } },
      },
    },
  })
  await passim.index([await sandbox.write({ 'note.md': 'Nothing to compute here.' })])
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})

/** What Python says in a turn; one that follows others is first written out by the model. */
async function turn(conversation: string, code: string): Promise<string> {
  if ((await passim.conversations.get(conversation)).turns > 0)
    script.push({ text: ['Compute it.'] })
  script.push({ calls: [{ name: 'code_interpreter', arguments: { code } }] }, { text: ['Done.'] })
  const run = await passim.conversationService.ask(
    { question: 'Compute it.', skill: 1 },
    conversation,
  )
  const told: string[] = []
  for await (const { event } of passim.conversationService.readEvents(
    run.id,
    run.firstEvent,
    AbortSignal.timeout(60_000),
  )) {
    if (event.type === 'tool-result') told.push(event.text)
    if (event.type === 'failed') throw new Error(event.failure.message)
  }
  return told.join()
}

test.skipIf(problem !== undefined)(
  'what Python defined stays for the turns of a conversation, and for no other',
  async () => {
    const { id } = await passim.conversations.create()
    expect(await turn(id, 'x = 41')).toContain('"output":""')
    expect(await turn(id, 'x + 1')).toContain('"value":"42"')
    const { id: other } = await passim.conversations.create()
    expect(await turn(other, 'x + 1')).toContain('NameError')
  },
)
