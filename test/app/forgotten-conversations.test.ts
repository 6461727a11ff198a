import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeIn } from '../fakes/catalog-environment.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

const DAY_MS = 86_400_000

/** Makes a conversation that was used last so many days ago; gives its id. */
async function used(daysAgo: number): Promise<string> {
  const { conversations, catalog } = await storeIn(sandbox.home)
  const { id } = await conversations.create({
    items: [{ kind: 'message', role: 'user', content: 'What do hotels cost?' }],
  })
  await catalog.run(
    'UPDATE conversations SET updated_at = ? WHERE id = ?',
    Date.now() - daysAgo * DAY_MS,
    id,
  )
  await catalog.close()
  return id
}

test('a conversation goes for good so many days after its last use, and not where nothing is set', async () => {
  const [old, recent] = [await used(8), await used(6)]
  const keeping = await sandbox.open()
  await keeping.expiry.sweep()
  expect(await keeping.conversations.find(old)).toBeDefined()
  await sandbox.close()
  const passim = await sandbox.open({ settings: { conversations: { keepDays: 7 } } })
  await passim.expiry.sweep()
  expect(await passim.conversations.find(old)).toBeUndefined()
  expect(await passim.conversations.items(old, { limit: 9, order: 'asc' })).toEqual([])
  expect(await passim.conversations.items(recent, { limit: 9, order: 'asc' })).toHaveLength(1)
})

test('it goes although other things could not be removed', async () => {
  const id = await used(8)
  const passim = await sandbox.open({ settings: { conversations: { keepDays: 7 } } })
  passim.files.deleteExpired = async () => {
    throw new Error('The disk is away.')
  }
  await expect(passim.expiry.sweep()).rejects.toThrow('The disk is away.')
  expect(await passim.conversations.find(id)).toBeUndefined()
  await sandbox.close()
})

test('one that is being answered, or was used since it was looked for, is not forgotten', async () => {
  const model = await startScriptedModel([{ hang: true }])
  const settings = { model: { url: model.url, name: 'scripted' }, conversations: { keepDays: 7 } }
  const passim = await sandbox.open({ settings })
  const id = await used(8)
  const run = await passim.conversationService.ask(
    { question: 'What do hotels cost?', plain: true },
    id,
  )
  await model.request(0)
  const { catalog } = await storeIn(sandbox.home)
  await catalog.run(
    'UPDATE conversations SET updated_at = ? WHERE id = ?',
    Date.now() - 8 * DAY_MS,
    id,
  )
  await catalog.close()
  await passim.expiry.sweep()
  expect(await passim.conversationService.findRun(run.id)).toMatchObject({ status: 'in_progress' })
  await passim.conversationService.stop(run.id)
  await passim.conversationService.deleteUnused(id, Date.now() - 7 * DAY_MS)
  expect(await passim.conversations.find(id)).toBeDefined()
  await model.close()
})
