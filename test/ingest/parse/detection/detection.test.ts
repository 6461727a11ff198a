import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Content, createDetector } from '../../../../src/ingest/parse/detection/detection.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-detection-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What is said of a file, and again when other bytes lie there. */
async function check(before: string, content: Content | undefined, expected: readonly string[]) {
  const file = path.join(folder, 'file')
  const detect = createDetector([])
  await writeFile(file, before)
  const first = await detect(file, 'a.txt', content)
  await writeFile(file, '<html><body>another</body></html>')
  expect([first, await detect(file, 'a.txt', content && { sha256: content.sha256 })]).toEqual(
    expected,
  )
}

test('a content that was looked at is not looked at again', () =>
  check('words', { sha256: 'a', bytes: Buffer.from('words') }, ['text/plain', 'text/plain']))

test('bytes at hand decide, whatever lies in the file by then', () =>
  check('<html></html>', { sha256: 'a', bytes: Buffer.from('words') }, [
    'text/plain',
    'text/plain',
  ]))

test('a file of no named content is looked at each time', () =>
  check('words', undefined, ['text/plain', 'text/html']))

test('a container, which is looked into where it lies, is looked at each time', async () => {
  const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]) // an empty one
  const file = path.join(folder, 'container')
  const detect = createDetector([])
  await writeFile(file, zip)
  const first = await detect(file, 'a.md', { sha256: 'a', bytes: zip })
  await writeFile(file, 'words')
  expect([first, await detect(file, 'a.md', { sha256: 'a' })]).toEqual([
    'application/zip',
    'text/markdown',
  ])
})
