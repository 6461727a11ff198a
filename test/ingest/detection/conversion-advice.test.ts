import { expect, test } from 'vitest'
import { chooseParser } from '../../../src/ingest/parse/parser.ts'
import { builtinParsers } from '../../../src/ingest/parse/parsers/index.ts'

function check(mediaType: string, advice: RegExp) {
  const choose = () => chooseParser(builtinParsers, { name: 'a.bin', mediaType })
  expect(choose).toThrow(
    expect.objectContaining({ code: 'unsupported_format', message: expect.stringMatching(advice) }),
  )
}

test('what an older Office program wrote is to be saved anew', () =>
  check('application/x-ole-storage', /\.docx, \.xlsx/))
test('a Publisher document is to be saved as PDF', () =>
  check('application/x-mspublisher', /Publisher.*\.pdf/))
test('a WordPerfect document is to be saved as a Word file', () =>
  check('application/vnd.wordperfect', /WordPerfect.*\.docx/))
test('a Pages document is to be exported', () =>
  check('application/vnd.apple.iwork', /Pages.*export/))
test('an archive is to be unpacked', () => check('application/gzip', /unpack/))
test('of a recording the text is to be added', () => check('video/mp4', /transcript/))
test('of a database the tables are to be exported', () => check('application/vnd.sqlite3', /CSV/))
test('of anything else it is said what can be read', () =>
  check('application/octet-stream', /supported format: pdf, docx.* image\./))
test('that LibreOffice would help is advice for the operator', () => {
  const choose = () =>
    chooseParser(builtinParsers, { name: 'a.vsd', mediaType: 'application/vnd.visio' })
  expect(choose).toThrow(
    expect.objectContaining({ advice: expect.stringContaining('LibreOffice is installed') }),
  )
})
