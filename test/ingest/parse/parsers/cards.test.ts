import { expect, test } from 'vitest'
import { cardsParser } from '../../../../src/ingest/parse/parsers/cards.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

test('extension fields are counted if they have words, however long they are', async () => {
  const long = `X-LONG:${'1'.repeat(59_000)} x\n`
  const { blocks, warnings } = await parseBytes(
    cardsParser,
    `BEGIN:VCARD\nFN:Ada\nX-KEY:a-1-b\nX-BUSY:TRUE\nX-NOTE:on leave\n${long.repeat(4)}END:VCARD\n`,
  )
  expect(outline(blocks)).toEqual(['heading2: Ada'])
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('extension fields 5'),
  ])
})

test('a quoted-printable line without an end is read in linear time', async () => {
  const line = `${'=41'.repeat(24)}=\n`
  const card = `BEGIN:VCARD\nVERSION:2.1\nFN:Ada\nNOTE;ENCODING=QUOTED-PRINTABLE:${line.repeat(100_000)}`
  const { blocks } = await parseBytes(cardsParser, card)
  expect(outline(blocks)[0]).toBe('heading2: Ada')
  expect(outline(blocks)[1]).toMatch(/^paragraph: Note: A{1000}/)
})
