import { expect, test } from 'vitest'
import { cardsParser } from '../../../../src/ingest/parse/parsers/cards.ts'
import { xmlParser } from '../../../../src/ingest/parse/parsers/xml.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

const readXml = async (xml: string) => outline((await parseBytes(xmlParser, xml)).blocks)
const readCards = async (text: string) => parseBytes(cardsParser, text.replaceAll('\n', '\r\n'))

test('elements with running text are paragraphs, whatever is marked in it', async () => {
  expect(
    await readXml(
      '<article><title>Port</title><sect><title>Hours</title><p><b>Open</b> from six, <i>daily</i>.</p><p>Closed in May.</p></sect></article>',
    ),
  ).toEqual([
    'heading1: Port',
    'heading2: Hours',
    'paragraph: p: Open from six, daily. / p: Closed in May.',
  ])
})

test('elements of single values are records, with their attributes', async () => {
  expect(
    await readXml(
      '<rates xmlns="urn:x"><rate id="7"><port>Ulm</port><fee currency="EUR">40</fee></rate><rate id="8" port="Rees"/></rates>',
    ),
  ).toEqual([
    'paragraph: id: 7 / port: Ulm / fee: 40 (currency EUR)',
    'paragraph: id: 8 / port: Rees',
  ])
})

test('XML is read in the charset that it states', async () => {
  const bytes = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-2"?><a>P\xf8\xedstav</a>',
    'latin1',
  )
  expect(outline((await parseBytes(xmlParser, bytes)).blocks)).toEqual(['paragraph: Přístav'])
})

test('XML that is not well-formed is read as text, with a warning', async () => {
  const { blocks, warnings } = await parseBytes(xmlParser, '<a>Nine tonnes &nbsp;<b></a>')
  expect(outline(blocks)).toEqual(['paragraph: <a>Nine tonnes &nbsp;<b></a>'])
  expect(warnings).toMatchObject([{ code: 'malformed' }])
})

test('a declaration of XML is no heading of a text', async () => {
  const { blocks } = await parseBytes(
    xmlParser,
    '<?xml version="1.0"?>\n\n<a>\n\n<b>Open daily &nbsp; from nine.\n',
  )
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([])
})

test('a calendar is its events; lines are joined and escapes undone', async () => {
  const { blocks } = await readCards(
    'BEGIN:VCALENDAR\nPRODID:x\nBEGIN:VEVENT\nUID:1\nSUMMARY:Port opens\nDTSTART;TZID="Europe/Berlin":20240501T060000\nLOCATION:Ulm\\, pier 2\nDESCRIPTION:Bring\n  papers\nEND:VEVENT\nEND:VCALENDAR\n',
  )
  expect(outline(blocks)).toEqual([
    'heading2: Port opens',
    'paragraph: Start: 2024-05-01 06:00 / Location: Ulm, pier 2 / Description: Bring papers',
  ])
})

test('an address card is a person; its picture is counted', async () => {
  const { blocks, warnings } = await readCards(
    'BEGIN:VCARD\nVERSION:2.1\nN:Brook;Ada\nFN;ENCODING=QUOTED-PRINTABLE:Ada Br=C3=B6=\nok\nitem1.TEL;TYPE=work:+49 731 1\nADR:;;Pier 2;Ulm;;;\nPHOTO;ENCODING=b:iVBORw0KGgo=\nEND:VCARD\n',
  )
  expect(outline(blocks)).toEqual([
    'heading2: Ada Bröok',
    'paragraph: Name: Brook, Ada / Telephone: +49 731 1 / Address: Pier 2, Ulm',
  ])
  expect(warnings).toMatchObject([{ message: expect.stringContaining('pictures 1') }])
})

test('a calendar has its name; extensions with words are counted', async () => {
  const { blocks, warnings } = await parseBytes(
    cardsParser,
    'BEGIN:VCALENDAR\nX-WR-CALNAME:Port\nX-WR-TIMEZONE:UTC\nBEGIN:VTIMEZONE\nTZID:Europe/Oslo\nEND:VTIMEZONE\nBEGIN:VEVENT\nSUMMARY:Hours\nX-ALT-DESC:Open all day\nX-NUMBER:12\nEND:VEVENT\nEND:VCALENDAR\n',
  )
  expect(outline(blocks)).toEqual(['heading2: Port', 'heading2: Hours'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: extension fields 1. Their text is not searchable.',
  ])
})

test('entities that grow, refer to themselves or are declared nowhere are not expanded', async () => {
  const grow = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(9)}">`)
  for (const [dtd, used] of [
    [`<!ENTITY e0 "ha ha">${grow.join('')}`, 'e9'],
    ['<!ENTITY a "x &b;"><!ENTITY b "y &a;">', 'b'],
    [`<!ENTITY a "${'x'.repeat(1_001)}">`, 'a'],
    ['<!ENTITY b "x">', 'a'],
  ] as const) {
    const xml = `<!DOCTYPE p [${dtd}]><p>Nine &${used};</p>`
    const { blocks, warnings } = await parseBytes(xmlParser, xml)
    expect(blocks.map(({ text }) => text).join('\n')).toContain(`Nine &${used};`)
    expect(warnings).toMatchObject([{ code: 'malformed' }])
  }
})
