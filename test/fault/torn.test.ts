import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { emlParser } from '../../src/ingest/parse/parsers/eml/eml.ts'
import { textParser } from '../../src/ingest/parse/parsers/text/text.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXT = Array.from(
  { length: 12 },
  (_, at) => `Part ${at} of a report on herons. ${'They wait. '.repeat(40)}`,
).join('\n\n')

let sandbox: Sandbox
let passim: Passim

/** With something attached, so that it is not stored in one file. */
const MAIL = `Subject: Herons
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

${TEXT}
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="list.bin"

They wait.
--b--
`

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({
    parsers: [{ ...textParser }, { ...emlParser }], // in this process
    settings: { chunking: { tokens: 100, overlap: 0 } },
  })
})
afterAll(() => sandbox.remove())

/** Everything derived from a content, and its bytes. */
async function stored(): Promise<ReadonlyMap<string, Buffer>> {
  const content = path.join(sandbox.home, 'content')
  const entries = await readdir(content, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  return new Map(await Promise.all(files.map(async file => [file, await readFile(file)] as const)))
}

const kinds = (files: Iterable<string>) => [...files].map(file => path.extname(file)).toSorted()

/** Cut each file off at once and in its middle, and index again. */
async function tearEach(
  folder: string,
  files: readonly string[],
  whole: ReadonlyMap<string, Buffer>,
): Promise<void> {
  for (const file of files) {
    for (const share of [0, 0.5]) {
      await truncate(file, Math.floor((await stat(file)).size * share))
      expect(
        (await passim.index([folder], { force: true })).totals,
        `${share} of ${file}`,
      ).toMatchObject({ failed: 0 })
      expect(await stored(), `${share} of ${file}`).toEqual(whole)
    }
  }
}

/** Indexes a document, which is stored in one file. */
async function indexText(): Promise<string> {
  const folder = await sandbox.write({ 'a.txt': TEXT })
  await passim.index([folder])
  return folder
}

test('what a power cut took of stored files is made again the next time that they are needed', async () => {
  const folder = await indexText()
  const whole = await stored()
  expect(kinds(whole.keys())).toEqual(['', '.f32', '.whole']) // the original, and what is derived from it
  await tearEach(folder, [...whole.keys()], whole)
  expect((await passim.verify.run()).problems).toEqual([])
})
test('bytes of a stored file that a power cut left empty are noticed', async () => {
  const folder = await indexText()
  const whole = await stored()
  const file = [...whole.keys()].find(name => name.endsWith('.whole'))!
  const bytes = Buffer.from(whole.get(file)!)
  const middle = Math.floor(bytes.length / 2)
  await writeFile(file, bytes.fill(0, middle, middle + 64))
  expect((await passim.verify.run()).problems).toMatchObject([{ kind: 'derived' }])
  await passim.index([folder], { force: true })
  expect(await stored()).toEqual(whole)
})
test('a search of a torn document fails, naming the document and verify --repair', async () => {
  const folder = await indexText()
  const whole = await stored()
  const file = [...whole.keys()].find(name => name.endsWith('.whole'))!
  const bytes = whole.get(file)!
  const torn = [
    Buffer.alloc(0),
    bytes.subarray(0, 400),
    Buffer.from(bytes).fill(0, 100, 300),
    Buffer.alloc(bytes.length),
  ]
  const failure = {
    code: 'internal',
    message: expect.stringMatching(/stored text of a\.txt is damaged/),
    advice: expect.stringContaining('verify --repair'),
  }
  for (const left of torn) {
    await writeFile(file, left)
    await expect(
      passim.search({ query: 'report on herons', mode: 'keyword', limit: 50 }),
    ).rejects.toMatchObject(failure)
    const [document] = await passim.list((await passim.scope.findCollections())[0]!)
    await expect(passim.library.read(document!.id, 0, 200)).rejects.toMatchObject(failure)
    await expect(readAll(passim.library.readBlocks(document!.id))).rejects.toMatchObject(failure)
    await expect(readAll(passim.library.readChunks(document!.id))).rejects.toMatchObject(failure)
  }
  await passim.index([folder], { force: true })
  expect(await stored()).toEqual(whole)
})
test('the same holds of a document with attachments, which is stored in several files', async () => {
  await sandbox.write({ 'mail.eml': MAIL })
  await passim.index([sandbox.path('mail.eml')])
  const whole = await stored()
  const content = path.dirname(
    path.dirname([...whole.keys()].find(file => file.endsWith('.json'))!),
  )
  const own = [...whole.keys()].filter(
    file => file.startsWith(content) && !file.includes('attachments'),
  )
  expect(kinds(own)).toEqual(['', '.f32', '.json', '.jsonl', '.jsonl', '.u16'])
  await tearEach(sandbox.path('mail.eml'), own, whole)
})
test('what is whole of a document is kept where another form of it is torn', async () => {
  const before = [...(await stored()).keys()]
  const [report, cut] = ['.json', '.whole'].map(
    ending => before.find(file => file.endsWith(ending))!,
  )
  const { mtimeMs } = await stat(report!)
  const [, chunker] = /-([0-9a-f]+)\.whole$/.exec(cut!)! // the mail and the text are cut alike
  await writeFile(`${path.dirname(report!)}-${chunker}.whole`, 'cut off')
  expect((await passim.index([sandbox.path('mail.eml')], { force: true })).totals).toMatchObject({
    failed: 0,
  })
  expect([...(await stored()).keys()]).toEqual(before)
  expect((await stat(report!)).mtimeMs).toBe(mtimeMs) // not parsed anew
})

async function readAll(parts: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of parts) count++
  return count
}
