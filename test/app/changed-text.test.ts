import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { emlParser } from '../../src/ingest/parse/parsers/eml/eml.ts'
import { textParser } from '../../src/ingest/parse/parsers/text/text.ts'
import { Sandbox } from '../fakes/store.ts'

/** With something attached, so that its text, its blocks and its chunks lie in files of their own. */
const MAIL = `Subject: Offer
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

We offer a discount of 4% on this order.
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="list.bin"

Nothing.
--b--
`

let sandbox: Sandbox
let passim: Passim
beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ parsers: [emlParser, textParser] }) // in this process
  await passim.index([await sandbox.write({ 'offer.eml': MAIL })])
})
afterEach(() => sandbox.remove())

async function storedFile(pattern: RegExp): Promise<string> {
  const content = path.join(sandbox.home, 'content')
  const found = (await readdir(content, { recursive: true })).find(name => pattern.test(name))
  return path.join(content, found!)
}

/** Put other letters in place of some, as many as before. */
async function change(
  file: string,
  encoding: 'utf8' | 'utf16le',
  from: string,
  to: string,
): Promise<void> {
  const text = await readFile(file, encoding)
  expect(text).toContain(from)
  await writeFile(file, text.replace(from, to), encoding)
}

test.each([
  { what: 'text', file: /text\.u16$/, encoding: 'utf16le', from: '4%', to: '9%' },
  { what: 'blocks', file: /blocks\.jsonl$/, encoding: 'utf8', from: 'paragraph', to: 'headinghh' },
  { what: 'chunks', file: /chunks-[^/]*\.jsonl$/, encoding: 'utf8', from: 'Offer', to: 'Order' },
] as const)(
  'stored $what of which letters were changed are found by verify, and made again by its repair',
  async ({ file, encoding, from, to }) => {
    const before = await passim.verify.run()
    expect(before.problems).toEqual([])
    await change(await storedFile(file), encoding, from, to)
    const message = 'The parsed text of offer.eml is missing or damaged.'
    expect((await passim.verify.run()).problems).toMatchObject([{ kind: 'derived', message }])
    expect(await passim.verify.repair()).toMatchObject({
      ok: true,
      rootHash: before.rootHash,
      repaired: [{ message }],
    })
    const hits = await passim.search({ query: 'discount', mode: 'keyword' })
    expect(hits.map(({ text }) => text)).toEqual([expect.stringContaining('a discount of 4%')])
  },
)
test.each(['before', 'after'])(
  'what a document shares with another is as it was made, changed %s',
  async when => {
    const spoil = async () => await change(await storedFile(/text\.u16$/), 'utf16le', '4%', '9%')
    if (when === 'before') await spoil()
    await passim.index([sandbox.path('offer.eml')], { collection: 'copies' })
    if (when === 'after') await spoil()
    expect((await passim.verify.run()).problems).toHaveLength(2)
  },
)
