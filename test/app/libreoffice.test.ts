import { chmod, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'
import { zip } from '../fixtures/zip.ts'

const ODT = zip({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml':
    '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>The last will.</text:p></office:text></office:body></office:document-content>',
})

let sandbox: Sandbox
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  docs = await sandbox.write({ 'note.md': 'A note.' })
  await writeFile(`${docs}/will.wpd`, Buffer.from('\xffWPC', 'latin1'))
  await writeFile(`${docs}/talk.mp3`, Buffer.from('ID3 \0\0\0', 'latin1'))
})
afterEach(() => sandbox.remove())

async function open(libreOffice: string) {
  const settings = { parsing: { libreOffice } }
  return await sandbox.open({ embedder: new HashingEmbedder(), settings })
}

test('of each refused format in a folder it is said what to do', async () => {
  const passim = await open('off')
  const { documents } = await passim.index([docs])
  expect(documents.filter(({ status }) => status === 'skipped')).toMatchObject([
    { source: `${docs}/talk.mp3`, error: { message: expect.stringMatching(/transcript/) } },
    {
      source: `${docs}/will.wpd`,
      error: {
        message: expect.stringMatching(/WordPerfect.*\.docx/),
        advice: expect.stringContaining('LibreOffice is installed'),
      },
    },
  ])
})

test('an installed LibreOffice reads other formats, and doctor says so', async () => {
  const ready = `${sandbox.home}-ready.odt`
  const program = `${sandbox.home}-soffice`
  await writeFile(ready, ODT)
  await writeFile(
    program,
    `#!/bin/sh\n[ "$1" = --version ] && exec echo LibreOffice 7.4\nmkdir converted && cp ${ready} converted/original.odt\n`,
  )
  await chmod(program, 0o755)
  const passim = await open(program)
  const { documents } = await passim.index([docs])
  expect(documents.map(({ source, status }) => [source.slice(docs.length + 1), status])).toEqual([
    ['note.md', 'indexed'],
    ['talk.mp3', 'skipped'],
    ['will.wpd', 'indexed'],
  ])
  expect((await passim.search({ query: 'last will' }))[0]?.text).toContain('The last will.')
  expect((await passim.doctor()).checks).toContainEqual({
    name: 'LibreOffice',
    ok: true,
    detail: `${program} (LibreOffice 7.4) converts formats that Passim does not read itself`,
  })
})
