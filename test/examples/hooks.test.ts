import { afterAll, beforeAll, expect, test } from 'vitest'
import { Credits } from '../../examples/credits.ts'
import { guardrail } from '../../examples/guardrail.ts'
import type { ConversationHooks } from '../../src/conversations/hooks.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let model: ScriptedModel
beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ text: ['Hotels cost 120 euros [1].'] }])
  await sandbox.write({ 'hotel.md': 'Hotels cost 120 euros.' })
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

/** The statuses of a conversation in which these questions were asked. */
async function statuses(
  hooks: ConversationHooks,
  ...questions: readonly string[]
): Promise<readonly string[]> {
  const passim = await sandbox.open({
    hooks,
    settings: { model: { url: model.url, name: 'scripted' } },
  })
  await passim.index([sandbox.path('')])
  const { id } = await passim.conversations.create()
  for (const question of questions) {
    const run = await passim.conversationService.ask({ question }, id)
    for await (const _ of passim.conversationService.readEvents(
      run.id,
      0,
      new AbortController().signal,
    ));
  }
  const items = await passim.conversations.items(id, { limit: 100, order: 'asc' })
  return items.flatMap(item => (item.kind === 'status' ? [item.code] : []))
}

test('the guardrail takes back what names a card number', async () => {
  expect(
    await statuses(guardrail, 'What do hotels cost?', 'Is 4111 1111 1111 1111 a hotel?'),
  ).toEqual(['revoked'])
})

test('an account is charged until it is empty', async () => {
  const credits = new Credits()
  credits.give('default', 2)
  expect(await statuses(credits, 'What do hotels cost?', 'Hotels: sure?', 'And now?')).toEqual([
    'credits',
  ])
})
