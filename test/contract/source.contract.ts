import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { Settings } from '../../src/config.ts'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { Sandbox } from '../fakes/store.ts'

type SourceInput = { readonly type: Settings['sources'][string]['type'] } & Readonly<
  Record<string, unknown>
>

/** A real server on loopback, with the documents of a source. */
export type SourceServer = {
  readonly settings: SourceInput
  /** Never shown. */
  readonly secrets: readonly string[]
  /** Paths of the source as the server has them. */
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** Makes one document fail, where the server can be made to. */
  breakItem?: (path: string) => void
  /** Ends lists before their end, or refuses them. */
  breakList(): void | Promise<void>
  repair(): void | Promise<void>
  /** Number of documents that were read, where it can be counted. */
  countReads?: () => number
  /** Its path in the list, if the server chooses that. */
  toName?: (path: string) => string
  /** Beginning of its documents' sources. Default: that of a named source. */
  readonly root?: string
  /** A document that the server has by itself. */
  readonly ownPage?: string
  /** It states what is gone, so that an empty list removes it, and skipped items are read again. */
  readonly isCrawled?: boolean
  readonly isLocal?: boolean
  readonly reportsChanges?: boolean
  /** Beside those of the source. */
  readonly otherSettings?: object
  close(): Promise<void>
}

/** Runs the contract of sources on one kind. `reason` is why it is skipped. */
export function testSource(
  kind: string,
  start: () => Promise<SourceServer>,
  reason?: string,
): void {
  describe.skipIf(reason !== undefined)(`${kind}${reason ? ` (${reason})` : ''}`, () => {
    let sandbox: Sandbox
    let server: SourceServer
    let passim: Passim
    beforeEach(async () => {
      sandbox = await Sandbox.make()
      server = await start()
      passim = await openStore()
    })
    afterEach(async () => {
      await sandbox.remove()
      await server.close()
    })

    async function openStore(allowPrivate = true): Promise<Passim> {
      const access = server.isLocal ? {} : { allowPrivate }
      const kept = { ...access, ...server.settings, collection: 'kept' }
      const sources = { kept } as unknown as Settings['sources'] // what the schema parses
      return await sandbox.open({ settings: { sources, ...server.otherSettings } })
    }

    const root = () => server.root ?? 'sync:kept/'

    async function run(): Promise<Readonly<Record<string, number>>> {
      return count(await passim.sources.run('kept'), server.ownPage)
    }

    async function listDocuments() {
      return (await passim.list('kept')).filter(({ source }) => source !== server.ownPage)
    }

    async function search(query: string): Promise<readonly string[]> {
      const hits = await passim.search({ query, collections: ['kept'], mode: 'keyword' })
      return hits.map(({ source }) => source)
    }

    test('new, changed and removed documents are followed; unchanged ones are not read again', async () => {
      await server.write('birds/heron.txt', 'The grey heron waits.')
      await server.write('fox.txt', 'The quick brown fox.')
      expect(await run()).toEqual({ indexed: 2 })
      expect((await search('heron'))[0]).toMatch(new RegExp(`^${root()}.+`))
      const reads = server.countReads?.()
      expect(await run()).toEqual({ unchanged: 2 })
      expect(server.countReads?.()).toBe(reads)
      await server.write('fox.txt', 'The quick red vixen.')
      expect(await run()).toMatchObject({ unchanged: 1 })
      expect(await search('vixen')).toHaveLength(1)
      expect(await search('brown')).toEqual([])
      await server.remove('birds/heron.txt')
      expect(await run()).toEqual({ unchanged: 1, removed: 1 })
      expect(await search('heron')).toEqual([])
      expect(await passim.restoring.list()).not.toEqual([]) // it can be restored
    })

    test('what is restarted after a stop continues, each document once', async () => {
      for (let n = 0; n < 5; n++) await server.write(`note ${n}.txt`, `Note number ${n} of five.`)
      const stop = new AbortController()
      const stopped = passim.sources.run('kept', {
        signal: stop.signal,
        onEvent: ({ type }) => type === 'found' && stop.abort(),
      })
      await expect(stopped).rejects.toThrow()
      await sandbox.close()
      passim = await openStore()
      await run()
      const documents = await listDocuments()
      expect(documents.map(({ status }) => status)).toEqual(Array(5).fill('completed'))
    })

    test('a document that fails stops no other, and the run says so', async () => {
      if (!server.breakItem) return
      await server.write('a.txt', 'The first.')
      await server.write('b.txt', 'The second.')
      await server.write('c.txt', 'The third.')
      const broken = server.toName?.('b.txt') ?? 'b.txt'
      server.breakItem('b.txt')
      expect(await run()).toEqual({ indexed: 2, failed: 1 })
      const [source] = await passim.sources.list()
      expect(source).toMatchObject({
        state: 'failed',
        failures: [{ source: root() + broken }],
      })
      await server.repair()
      expect(await run()).toEqual({ indexed: 1, unchanged: 2 })
      expect((await passim.sources.list())[0]).toMatchObject({ state: 'completed', failures: [] })
    })

    test('a list that fails or is empty removes nothing, and no message has a secret', async () => {
      await server.write('a.txt', 'The first.')
      await run()
      await server.breakList()
      expect(await run()).toEqual({ failed: 1 })
      const broken = await showAll()
      expect(broken).toContain('"state":"failed"')
      for (const secret of server.secrets) expect(broken).not.toContain(secret)
      await server.repair()
      await server.remove('a.txt')
      if (server.isCrawled) return expect(await run()).toEqual({ removed: 1 })
      expect(await run()).toEqual({ failed: 1 })
      expect(await showAll()).toContain('remains in the collection')
      return expect(await passim.list('kept')).toHaveLength(1)
    })

    test('a private address is refused unless it is allowed', async () => {
      if (server.isLocal) return
      await server.write('a.txt', 'The first.')
      await sandbox.close()
      passim = await openStore(false)
      await passim.sources.run('kept').catch(() => {}) // the list shows it
      const [source] = await passim.sources.list()
      expect(source).toMatchObject({ state: 'failed', error: { code: 'forbidden_source' } })
      expect(await listDocuments()).toEqual([])
    })

    async function showAll(): Promise<string> {
      return JSON.stringify([await passim.sources.list(), await passim.jobs.list(undefined, 9)])
    }

    test('a format that cannot be read is skipped, and not read again', async () => {
      await server.write('program.exe', 'MZ\u0000\u0001\u0000\u0002\u0000\u0003')
      await server.write('a.txt', 'The first.')
      const first = await run()
      const reads = server.countReads?.()
      expect(await run()).toEqual({
        unchanged: first.indexed,
        ...(first.skipped && { skipped: 1 }),
      })
      if (!server.isCrawled) expect(server.countReads?.()).toBe(reads)
    })

    test('a change starts a run before the next one is due', async () => {
      if (!server.reportsChanges) return
      await server.write('a.txt', 'The first.')
      await passim.resume()
      await expect.poll(listDocuments, { timeout: 20_000 }).toHaveLength(1)
      await server.write('b.txt', 'The second.')
      await expect.poll(listDocuments, { timeout: 30_000 }).toHaveLength(2)
    })

    test('a renamed document keeps its identity', async () => {
      await server.write('heron.txt', 'The grey heron waits.')
      await server.write('fox.txt', 'The quick brown fox.')
      await run()
      const [before] = await passim.search({ query: 'heron', collections: ['kept'] })
      await server.write('bird.txt', 'The grey heron waits.')
      await server.remove('heron.txt')
      if (server.isCrawled || server.toName) return
      expect(await run()).toEqual({ moved: 1, unchanged: 1 })
      expect(await run()).toEqual({ unchanged: 2 })
      const [after] = await passim.search({ query: 'heron', collections: ['kept'] })
      expect(after).toMatchObject({ documentId: before?.documentId, source: `${root()}bird.txt` })
    })
  })
}

function count(
  { documents }: IndexResult,
  except: string | undefined,
): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {}
  for (const { source, status } of documents)
    if (source !== except || status === 'failed') totals[status] = (totals[status] ?? 0) + 1
  return totals
}
