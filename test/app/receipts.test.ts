import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { type ReceiptJson, signedReceiptSchema } from '../../src/wire/receipt.ts'
import { loadVerifier, type VerifyReceipt } from '../fakes/receipt-verifier.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'

const POLICY = '# Travel policy\n\nA hotel costs at most 140 euros a night. 酒店 😀 included.\n'
const TERMS = pdf([[{ text: 'The warranty lasts two years.', x: 72, y: 100, size: 12 }]])

const MUTATIONS = 10_000

let sandbox: Sandbox
let passim: Passim
let verify: VerifyReceipt

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'policy.md': POLICY, 'terms.pdf': TERMS })])
  verify = await loadVerifier()
})
afterAll(() => sandbox.remove())

async function issue(question: string): Promise<Buffer> {
  const answer = await passim.ask({ question }).result
  return Buffer.from(await passim.receipts.sign({ ...answer, at: Date.now() }))
}

test('the page verifies a receipt, which states quotations, hashes and what is stated', async () => {
  const bytes = await issue('What may a hotel cost?')
  const key = await passim.receipts.getKey()
  const { receipt, isOfKey } = await verify(bytes, key)
  expect(isOfKey).toBe(true)
  expect(signedReceiptSchema.parse(JSON.parse(String(bytes))).receipt).toEqual(receipt)
  const [document] = receipt.documents
  const hash = (given: Buffer) => createHash('sha256').update(given).digest('hex')
  expect(document?.sha256).toBe(hash(await readFile(sandbox.path('policy.md'))))
  const text = await passim.library.read(document?.id ?? '', 0, document?.characters ?? 0)
  expect(document?.textSha256).toBe(hash(Buffer.from(text, 'utf16le')))
  const [quotation] = receipt.quotations
  expect(text.slice(quotation?.charStart, quotation?.charEnd)).toBe(quotation?.text)
  expect(receipt.outcome).toBe('answered')
  expect(receipt.sentences).toContainEqual(
    expect.objectContaining({ text: expect.stringContaining('140 euros'), status: 'stated' }),
  )
})

test('sentences are stated, not confirmed or unsupported, as the answer was judged', async () => {
  const { citations } = await passim.ask({ question: 'What may a hotel cost?' }).result
  const text = 'A hotel costs 140 euros [1]. Breakfast is included. It costs 900 euros. Hello!'
  const judged = { unconfirmed: ['Breakfast is included.'], unsupported: ['It costs 900 euros.'] }
  const question = 'What may a hotel cost?'
  const answer = { ...judged, question, text, citations, mode: 'model', abstained: false } as const
  const { receipt } = await verify(
    Buffer.from(await passim.receipts.sign({ ...answer, at: 0 })),
    '',
  )
  const statuses = receipt.sentences.map(({ status }) => status)
  expect(statuses).toEqual(['stated', 'not-confirmed', 'unsupported', 'uncited'])
})

test('a refusal has a receipt, without stated sentences', async () => {
  const { receipt, isOfKey } = await verify(await issue('Who won the cup in 1998?'), '')
  expect([receipt.outcome, receipt.sentences, isOfKey]).toEqual(['refused', [], false])
})

test('the pages of quotations are pictures in the receipt', async () => {
  const { receipt } = await verify(await issue('How long does the warranty last?'), '')
  expect(receipt.undrawn).toEqual([])
  const [picture] = receipt.pictures
  expect(picture?.page).toBe(1)
  expect(picture?.boxes.length).toBeGreaterThan(0)
  expect(Buffer.from(picture?.png ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG')
})

test('none of 10,000 random mutations is accepted, whichever key is expected', async () => {
  const bytes = await issue('What may a hotel cost?')
  const key = await passim.receipts.getKey()
  const draw = createDraw(60)
  for (let count = 0; count < MUTATIONS; ) {
    const mutated = mutate(bytes, draw)
    if (mutated.equals(bytes)) continue
    count++
    await expect(verify(mutated, count % 2 === 0 ? key : '')).rejects.toThrow()
  }
}, 120_000)

test('a receipt that another key signs anew is refused where the key is expected', async () => {
  const { receipt } = await verify(await issue('What may a hotel cost?'), '')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = Buffer.from(x, 'base64url').toString('hex')
  const forged: ReceiptJson = { ...receipt, answer: 'A hotel costs 900 euros.', key }
  const body = JSON.stringify(forged)
  const signature = sign(null, Buffer.from(body), privateKey).toString('hex')
  const bytes = Buffer.from(`{"receipt":${body},"signature":"${signature}"}\n`)
  expect((await verify(bytes, '')).isOfKey).toBe(false)
  await expect(verify(bytes, await passim.receipts.getKey())).rejects.toThrow('key')
})

test('the key stays that of the store, and an answer of changed text gets no receipt', async () => {
  const key = await passim.receipts.getKey()
  const answer = await passim.ask({ question: 'What may a hotel cost?' }).result
  await writeFile(sandbox.path('policy.md'), POLICY.replace('140', '150'))
  await passim.index([sandbox.path('policy.md')])
  await expect(passim.receipts.sign({ ...answer, at: 0 })).rejects.toMatchObject({
    code: 'conflict',
  })
  await sandbox.close()
  passim = await sandbox.open()
  expect(await passim.receipts.getKey()).toBe(key)
})

test('the page that verifies has at most 15 KB and needs nothing else', async () => {
  expect((await stat('dist/web/verify.html')).size).toBeLessThanOrEqual(15 * 1024)
  const html = await readFile('dist/web/verify.html', 'utf8')
  expect(html).not.toMatch(/\b(?:https?:|import\b|src=|href=|fetch\()/)
})

/** Mulberry32, so that every run draws the same mutations. */
function createDraw(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Of bytes, of JSON that stays the same to a parser, and of values. */
function mutate(bytes: Buffer, draw: (below: number) => number): Buffer {
  const at = draw(bytes.length)
  const end = at + 1 + draw(8)
  const insert = (...given: number[]) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(given), bytes.subarray(at)])
  const changed = Buffer.from(bytes)
  switch (draw(9)) {
    case 0:
      changed[at] = draw(256)
      return changed
    case 1:
      changed[at] = (changed[at] ?? 0) ^ (1 << draw(8))
      return changed
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 3:
      return insert(draw(256))
    case 4:
      return insert(...[0x20, 0x0a, 0x09, 0x0d].slice(draw(4)))
    case 5:
      return bytes.subarray(0, at)
    case 6:
      return Buffer.concat([bytes, bytes.subarray(at, end)])
    case 7:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(at)])
    default:
      return mutateJson(String(bytes), draw)
  }
}

function mutateJson(text: string, draw: (below: number) => number): Buffer {
  const parsed = JSON.parse(text)
  const names = Object.keys(parsed.receipt)
  const name = names[draw(names.length)] ?? ''
  const value = parsed.receipt[name]
  const spaced = () => JSON.stringify(parsed, undefined, 1 + draw(4))
  if (draw(4) === 0) return Buffer.from(spaced())
  if (draw(3) === 0) return Buffer.from(text.replace('{"format"', '{"format":"","format"'))
  if (draw(2) === 0) delete parsed.receipt[name]
  else parsed.receipt[name] = typeof value === 'string' ? value.toUpperCase() + draw(9) : draw(9)
  return Buffer.from(`${JSON.stringify(parsed)}\n`)
}
