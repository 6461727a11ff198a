import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { ConversationHooks } from '../../src/conversations/hooks.ts'
import { Sandbox } from '../fakes/store.ts'

const CHILD = fileURLToPath(new URL('../fakes/pay.ts', import.meta.url))

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await sandbox.write({ ledger: '' })
})
afterAll(() => sandbox.remove())

async function work(conversation: string, dieAfter: number): Promise<void> {
  const args = [sandbox.home, sandbox.path('ledger'), conversation, String(dieAfter)]
  await once(fork(CHILD, args, { execArgv: ['--import', 'tsx'], stdio: 'inherit' }), 'exit')
}

const ledgerOf = (conversation: string) =>
  readFileSync(sandbox.path('ledger'), 'utf8')
    .split('\n')
    .filter(id => id.startsWith(conversation))

test('what was paid when its process was killed is charged again under the same id only', async () => {
  const { id } = await passim.conversations.create()
  await work(id, 3) // after the answer and two of three calls, none of which began
  await work(id, 0)
  expect((await passim.conversationService.findLastRun(id))?.status).toBe('completed')
  const answer = `${id}/1`
  const calls = ['call_a', 'call_b', 'call_c'].map(call => `${answer}/${call}`)
  expect(ledgerOf(id)).toEqual([answer, ...calls.slice(0, 2), answer, ...calls])
}, 120_000)

test('calls that were paid before the first of them began are not charged again', async () => {
  const { id } = await passim.conversations.create()
  const calls = ['call_a', 'call_b'].map(callId => ({ id: callId, name: 'note', arguments: '{}' }))
  const first = await passim.conversationService.ask({ question: 'Note.' }, id, {
    agent: {
      content: 'Note.',
      async *answer({ signal }) {
        for (const call of calls) yield { type: 'tool-call', call }
        yield { type: 'tool-start', id: 'call_a', name: 'note' }
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        signal.throwIfAborted()
      },
    },
  })
  const told = async () =>
    (await passim.conversationService.runs.readEventsAfter(first.id, 0)).map(
      ({ event }) => event.type,
    )
  await expect.poll(told).toContain('tool-start')
  await passim.conversationService.stop(first.id)
  await sandbox.close()
  const charged: unknown[] = []
  const charge: ConversationHooks['charge'] = (_, what) => {
    charged.push(what)
    return 'ok'
  }
  passim = await sandbox.open({ hooks: { charge } })
  const again = await passim.conversationService.resume(id, {
    agent: {
      async *answer() {
        yield { type: 'tool-start', id: 'call_b', name: 'note' }
        yield { type: 'tool-result', call: calls[1]!, text: 'Noted.' }
      },
    },
  })
  for await (const _ of passim.conversationService.readEvents(
    again.id,
    again.firstEvent - 1,
    AbortSignal.timeout(10_000),
  ));
  expect(charged).toEqual([{ kind: 'answer', id: `${id}/1` }])
})
