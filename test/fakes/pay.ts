/**
 * A process that makes three calls in a conversation, or goes on with an answer that another one began, and notes in LEDGER what
 * its account is charged for; it kills itself when it was charged DIE_AFTER times.
 * usage: fork('test/fakes/pay.ts', [HOME, LEDGER, CONVERSATION, DIE_AFTER], { execArgv: ['--import', 'tsx'] })
 */

import { appendFileSync } from 'node:fs'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { TurnContext } from '../../src/agent/stored-turns.ts'
import { open } from '../../src/app.ts'
import { environmentOf } from './catalog-environment.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

const [home, ledger, conversation, dieAfter] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
] // the parent gives them
const IDS = ['call_a', 'call_b', 'call_c']
let charged = 0
const hooks = {
  async charge(_owner: unknown, { id }: { readonly id: string }) {
    appendFileSync(ledger, `${id}\n`)
    if (++charged === Number(dieAfter)) process.kill(process.pid, 'SIGKILL')
    return 'ok' as const
  },
}

/** Those that have no result are made, after all of them were told. */
async function* answer({ messages }: TurnContext): AsyncGenerator<AgentEvent> {
  const known = (role: string) =>
    messages.flatMap(one => (one.role === role ? (one.functionId ?? []) : []))
  const calls = IDS.map(id => ({ id, name: 'note', arguments: '{}' }))
  for (const call of calls)
    if (!known('assistant').includes(call.id)) yield { type: 'tool-call', call, mayRepeat: true }
  for (const call of calls.filter(({ id }) => !known('function').includes(id))) {
    yield { type: 'tool-start', id: call.id, name: call.name }
    yield { type: 'tool-result', call, text: 'Noted.' }
  }
  const result = {
    question: 'Note.',
    text: 'Done.',
    abstained: false,
    mode: 'model',
    citations: [],
  } as const
  yield {
    type: 'finish',
    result: { ...result, unsupported: [], finishReason: 'stop', messages: [] },
  }
}

const passim = await open({
  home,
  environment: environmentOf(home),
  embedder: new HashingEmbedder(),
  hooks,
})
const { conversationService: conversing } = passim
const run = await ((await conversing.findLastRun(conversation))
  ? conversing.resume(conversation, { agent: { answer } })
  : conversing.ask({ question: 'Note.' }, conversation, { agent: { content: 'Note.', answer } }))
for await (const _ of conversing.readEvents(
  run.id,
  run.firstEvent - 1,
  new AbortController().signal,
));
await passim.close()
process.disconnect()
