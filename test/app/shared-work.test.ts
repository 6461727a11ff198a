import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OpenOptions } from '../../src/app/open-search.ts'
import type { Passim } from '../../src/app/passim.ts'
import { AppError } from '../../src/errors.ts'
import type { Embedder } from '../../src/ingest/embed/embedder.ts'
import type { Parser, ParserEvent, ParserInput } from '../../src/ingest/parse/parser.ts'
import { environmentOf } from '../fakes/catalog-environment.ts'
import { GatedEmbedder } from '../fakes/gated-embedder.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'

const there = test.skipIf(!s3Place)
const LAMPS = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`lamp-${at}.txt`, `Lamp number ${at} is lit.`]),
)

let sandbox: Sandbox
let bucket: TestBucket

beforeEach(async () => {
  if (!s3Place) return
  sandbox = await Sandbox.make()
  bucket = new TestBucket(s3Place)
  await bucket.make()
})
afterEach(async () => {
  if (!s3Place) return
  await sandbox.remove()
  await bucket.remove()
})

/** A machine of the store; with a disk of its own where the catalog is none of its files. */
async function machine(
  name: string,
  embedder: Embedder,
  isShared = true,
  own: OpenOptions = {},
): Promise<Passim> {
  const environment = environmentOf(sandbox.home)
  const home = environment.PASSIM_CATALOG_URL ? path.join(sandbox.folder, name) : sandbox.home
  const shared = {
    s3: bucket.settings,
    content: { place: 's3' as const },
    index: { place: 's3' as const },
  }
  const settings = { ...(isShared && shared), ...own.settings }
  return await sandbox.open({ ...own, embedder, home, environment, settings })
}

/** Passages that it embedded. */
const embedded = ({ calls }: GatedEmbedder) =>
  calls.flatMap(({ role, texts }) => (role === 'passage' ? texts : [])).toSorted()

/** A writer that has begun to index the files and waits for its model, and a helper. */
async function begun(files: Readonly<Record<string, string>>, isShared = true) {
  const [own, helping] = [new GatedEmbedder(), new GatedEmbedder()]
  own.shut()
  const docs = await sandbox.write(files)
  const writer = await machine('writer', own, isShared)
  const run = writer.index([docs])
  await expect.poll(() => own.waiting).toBeGreaterThan(0)
  return { own, helping, writer, run, helper: await machine('helper', helping, isShared) }
}

/** The helper has begun with documents, and waits for its model. */
async function toHold(helper: Passim, helping: GatedEmbedder): Promise<void> {
  helping.shut()
  await expect
    .poll(async () => {
      await helper.background.startQueued({ helpsOthers: true })
      return helping.waiting
    })
    .toBeGreaterThan(0)
}

async function keys(): Promise<readonly string[]> {
  const all: string[] = []
  for await (const { key } of bucket.blobs.list('')) all.push(key)
  return all
}

const found = async (passim: Passim) =>
  (await passim.search({ query: 'lamp', limit: 50 })).map(({ name }) => name).toSorted()

there(
  `documents of one collection are prepared by several, each once, and published by one (${NEEDS_S3})`,
  async () => {
    const { own, helping, writer, run, helper } = await begun(LAMPS)
    const begunWith = async () => {
      await (await helper.background.startQueued({ helpsOthers: true }))?.ended
      return own.waiting + embedded(helping).length // documents, of one chunk each
    }
    await expect.poll(begunWith).toBe(12)
    expect(embedded(helping).length).toBeGreaterThanOrEqual(6)
    expect(await writer.jobs.count(undefined)).toMatchObject({ unattended: 0 })
    own.open()
    expect((await run).totals).toMatchObject({ indexed: 12, failed: 0 })
    expect([...embedded(own), ...embedded(helping)].toSorted()).toEqual(
      Object.values(LAMPS).toSorted(),
    )
    expect(await found(writer)).toEqual(Object.keys(LAMPS).toSorted())
    const { ok, rootHash } = await writer.verify.run()
    const alone = await sandbox.open({ home: path.join(sandbox.folder, 'alone') })
    await alone.index([sandbox.path('')])
    expect({ ok, rootHash }).toEqual({ ok: true, rootHash: (await alone.verify.run()).rootHash })
  },
)

there(
  `what is deleted while a helper prepares it is gone, and what else it has goes on (${NEEDS_S3})`,
  async () => {
    const { own, helping, writer, run, helper } = await begun(LAMPS)
    await toHold(helper, helping)
    const name = `lamp-${/number (\d+)/.exec(helping.held[0]!)?.[1]}.txt`
    await writer.delete(
      await writer.scope.findDocument(sandbox.path(name), await writer.scope.findCollections()),
      { now: true },
    )
    await expect.poll(() => helping.stopped).toBe(1)
    helping.open()
    own.open()
    await run
    const left = Object.keys(LAMPS).filter(one => one !== name)
    expect(await found(writer)).toEqual(left.toSorted())
    expect((await keys()).filter(key => key.endsWith('/original'))).toHaveLength(left.length)
    expect(await writer.verify.run()).toMatchObject({ ok: true })
  },
)

there(`a writer that has done all the rest waits for what a helper has (${NEEDS_S3})`, async () => {
  const { own, helping, writer, run, helper } = await begun(LAMPS)
  await toHold(helper, helping)
  own.open()
  const completed = async () =>
    (await writer.list('default')).filter(({ status }) => status === 'completed').length
  await expect.poll(async () => (await completed()) + helping.waiting).toBe(12)
  expect(await Promise.race([run, sleep(1_000, 'waits')])).toBe('waits')
  helping.open()
  expect((await run).totals).toMatchObject({ indexed: 12, failed: 0 })
})

there(`what a helper cannot read fails once, by the writer (${NEEDS_S3})`, async () => {
  const { own, writer, run, helper } = await begun({
    ...LAMPS,
    'zz.pdf': `%PDF-1.7 ${'torn '.repeat(2_000)}`,
  })
  await (await helper.background.startQueued({ helpsOthers: true }))?.ended
  own.open()
  const { documents, totals } = await run
  expect(totals).toMatchObject({ indexed: 12, failed: 1 })
  expect(documents.find(({ source }) => source.endsWith('zz.pdf'))).toMatchObject({
    error: { code: 'corrupt' },
  })
  expect(await found(writer)).toHaveLength(12)
})

/** Takes too long for zz.txt, where it does; the others wait while the gate is shut. */
class GatedParser implements Parser {
  readonly id: string
  readonly mediaTypes = ['text/plain']
  readonly #gate: Promise<void> | undefined
  waiting = 0
  /** How often zz.txt was tried. */
  tried = 0

  constructor(id: string, gate?: Promise<void>) {
    this.id = id
    this.#gate = gate
  }

  async *parse({ name }: ParserInput): AsyncGenerator<ParserEvent> {
    if (name === 'zz.txt') {
      this.tried++
      if (this.id === 'weak@1') throw new AppError('timeout', 'Reading zz.txt took too long.')
    } else {
      this.waiting++
      await this.#gate
    }
    yield { type: 'block', block: { kind: 'paragraph', text: `text of ${name}` } }
    yield { type: 'page', report: { page: 1, characters: 10, images: 0, garbled: 0 } }
  }
}

describe('a file that a helper gave up', () => {
  const failed = {
    tried: 0,
    document: { status: 'failed', error: { code: 'timeout', message: expect.any(String) } },
  }
  const cases = [
    {
      title: 'fails by its word, and is not tried again',
      parser: 'weak@1',
      own: {},
      expected: failed,
    },
    {
      title: 'is read by a writer with another parser',
      parser: 'strong@1',
      own: {},
      expected: { tried: 1, document: { status: 'indexed' } },
    },
    {
      title: 'is tried by a writer with other limits',
      parser: 'weak@1',
      own: { settings: { parsing: { timeMs: 240_000 } } },
      expected: { ...failed, tried: 1 },
    },
  ]
  for (const { title, parser, own, expected } of cases) {
    there(`${title} (${NEEDS_S3})`, async () => {
      let open = () => {}
      const gate = new Promise<void>(resolve => (open = resolve))
      const [mine, helping] = [new GatedParser(parser, gate), new GatedParser('weak@1')]
      const docs = await sandbox.write({ ...LAMPS, 'zz.txt': 'z'.repeat(10_000) })
      const writer = await machine('writer', new HashingEmbedder(), true, {
        ...own,
        parsers: [mine],
      })
      const run = writer.index([docs])
      await expect.poll(() => mine.waiting).toBeGreaterThan(0)
      const helper = await machine('helper', new HashingEmbedder(), true, { parsers: [helping] })
      await expect
        .poll(async () => {
          await (await helper.background.startQueued({ helpsOthers: true }))?.ended
          return helping.tried
        })
        .toBe(1)
      open()
      const { documents } = await run
      const document = documents.find(({ source }) => source.endsWith('zz.txt'))
      expect({ tried: mine.tried, document }).toMatchObject(expected)
      expect(await found(writer)).toHaveLength(expected.document.status === 'indexed' ? 13 : 12)
      expect(
        (await writer.jobs.list(undefined, 99)).filter(({ state }) => state === 'running'),
      ).toEqual([])
    })
  }
})

there(
  `nobody helps where contents lie on the disk of one machine, nor without being asked to (${NEEDS_S3})`,
  async () => {
    for (const isShared of [false, true]) {
      const { own, writer, run, helper } = await begun(LAMPS, isShared)
      expect(await helper.background.startQueued({ helpsOthers: !isShared })).toBeUndefined()
      own.open()
      await run
      await writer.collections.delete(await writer.scope.findCollection('default'), { now: true })
      await sandbox.close()
    }
  },
)
