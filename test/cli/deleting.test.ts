import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeCollection } from '../../src/cli/deleting/delete.ts'
import { restore } from '../../src/cli/deleting/restore.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
  const passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'a.txt': 'An albatross.' })], {
    collection: 'birds',
    withoutVectors: true,
  })
  await sandbox.close()
})
afterEach(() => sandbox.remove())

/** Deletes the collection where somebody at a terminal types what is given; what they were shown, and what is left. */
async function deleteTyping(keys: string) {
  const [stdin, stdout, stderr] = [0, 1, 2].map(() =>
    Object.assign(new PassThrough(), { isTTY: true }),
  )
  let shown = ''
  stderr!.on('data', (text: Buffer) => {
    if (!shown.includes('Type ') && `${shown}${text}`.includes('Type ')) stdin!.write(keys)
    shown += text
  })
  const terminal = { stdin, stdout, stderr } as unknown as NodeJS.Process // all that is used
  const refusal = await removeCollection(
    'birds',
    { home: sandbox.home, wait: true },
    terminal,
  ).catch(String)
  const left = (await (await sandbox.open()).collections.list()).map(({ name }) => name)
  return { shown, refusal, left }
}

test('a collection whose name is typed is deleted, once its size was told', async () => {
  const { shown, refusal, left } = await deleteTyping('birds\n')
  expect(shown).toMatch(
    /Collection birds: 1 document, 1 chunk, 13 bytes\.\nType birds to delete it: /,
  )
  expect(shown).toContain('To restore it within 7 days: passim restore -c birds')
  expect([refusal, left]).toEqual([undefined, []])
})

test('another name deletes nothing', async () => {
  const { refusal, left } = await deleteTyping('bird\n')
  expect([refusal, left]).toEqual([expect.stringContaining('the name does not match'), ['birds']])
})

test('nor does an empty line', async () =>
  expect((await deleteTyping('\n')).left).toEqual(['birds']))

test('Ctrl-C and Ctrl-D in place of the name delete nothing', async () => {
  for (const key of ['\u0003', '\u0004']) {
    const { refusal, left } = await deleteTyping(key)
    expect([refusal, left]).toEqual([expect.stringContaining('AbortError'), ['birds']])
  }
})

test('what was brought back by a run that was stopped is made findable by the next one', async () => {
  const options = { home: sandbox.home, wait: true, quiet: true }
  const stopped = async (
    what: { readonly document?: string; readonly collection?: string },
    as?: string,
  ) => {
    const passim = await sandbox.open()
    if (what.document)
      await passim.delete(
        await passim.scope.findDocument(what.document, await passim.scope.findCollections()),
      )
    else await passim.collections.delete(await passim.scope.findCollection('birds'))
    await passim.restoring.start(await passim.restoring.find(what), as)
    await sandbox.close()
  }
  const found = async (collection: string) => {
    const passim = await sandbox.open()
    const hits = await passim.search({
      query: 'albatross',
      mode: 'keyword',
      collections: [collection],
    })
    await sandbox.close()
    return hits.map(({ name }) => name)
  }
  await stopped({ document: 'a.txt' })
  expect(await found('birds')).toEqual([])
  await restore('a.txt', options)
  expect(await found('birds')).toEqual(['a.txt'])
  await stopped({ collection: 'birds' }, 'more')
  await restore(undefined, { ...options, collection: 'birds', as: 'more' })
  expect(await found('more')).toEqual(['a.txt'])
  await expect(restore('a.txt', options)).rejects.toMatchObject({ code: 'not_found' })
})
