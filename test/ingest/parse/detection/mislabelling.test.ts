import { afterEach, beforeEach, expect, test } from 'vitest'
import { Sandbox } from '../../../fakes/store.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

test('a file that is not what its name says is read as what it is, with a warning', async () => {
  const folder = await sandbox.write({
    'page.pdf': '<!DOCTYPE html><title>404</title><p>Not found, says the heron.</p>',
    'notes.docx': 'Plain text of a bittern.',
    'right.txt': 'A crane.',
    'wrong.txt': '{\\rtf1 An egret.}',
  })
  const { documents } = await (await sandbox.open()).index([folder], { withoutVectors: true })
  expect(
    documents.map(({ status, warnings }) => [
      status,
      warnings.map(({ code, message }) => [code, message]),
    ]),
  ).toEqual([
    [
      'indexed',
      [
        [
          'mislabelled',
          expect.stringMatching(/^notes\.docx ends in \.docx, but its content is text\/plain/),
        ],
      ],
    ],
    [
      'indexed',
      [
        [
          'mislabelled',
          expect.stringMatching(/^page\.pdf ends in \.pdf, but its content is text\/html/),
        ],
      ],
    ],
    ['indexed', []],
    [
      'indexed',
      [
        [
          'mislabelled',
          expect.stringMatching(/^wrong\.txt ends in \.txt, but its content is application\/rtf/),
        ],
      ],
    ],
  ])
})
