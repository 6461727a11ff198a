import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { namesAnnotations } from '../../../../../src/ingest/parse/parsers/pdf/annotation-bytes.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes, withFile } from '../../../../fixtures/parsed.ts'
import { pdf } from '../../../../fixtures/pdf.ts'

const PAGE = [{ text: 'Invoice 12 of the harbour office', x: 72, y: 100 }]

/** Objects after those of a document with one page, the first with this number. */
const FIRST_OBJECT = 11

const ATTACHED = [
  `<</Type/Filespec/F(figures.csv)/EF<</F ${FIRST_OBJECT + 1} 0 R>>>>`,
  '<</Type/EmbeddedFile/Length 8>>\nstream\na,b\n1,2\n\nendstream',
]

async function outlineOf(file: Buffer) {
  return outline((await parseBytes(pdfParser, file)).blocks)
}

describe('remarks', () => {
  test('follow the text of their page with their authors', async () => {
    const note =
      '<</Type/Annot/Subtype/Text/Contents(Ask Per about this.)/T(Anna)/Rect[300 600 320 620]>>'
    const marked =
      '<</Type/Annot/Subtype/Highlight/Contents(It was paid.)/Rect[72 680 200 700]/QuadPoints[72 700 200 700 72 680 200 680]>>'
    expect(await outlineOf(pdf([PAGE], '', '', [note, marked]))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'paragraph: Comment by Anna: Ask Per about this.',
      'paragraph: Comment: It was paid.',
    ])
  })

  test('that are hidden, and pages that only mark a line, add nothing', async () => {
    const hidden = '<</Type/Annot/Subtype/Text/F 2/Contents(Not for you.)/Rect[300 600 320 620]>>'
    const mark = '<</Type/Annot/Subtype/Highlight/Rect[72 680 200 700]>>'
    expect(await outlineOf(pdf([PAGE], '', '', [hidden, mark]))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
    ])
  })
})

describe('annotations in the bytes of a file', () => {
  const compress = (objects: string, extra = '') =>
    Buffer.concat([
      Buffer.from(`1 0 obj<</Type/ObjStm/Filter/FlateDecode${extra}>>stream\n`),
      deflateSync(objects),
      Buffer.from('\nendstream'),
    ])

  test('are found in object streams', () => {
    expect(namesAnnotations(compress('<</Type/Annot/Subtype/FreeText/Contents(Paid)>>'))).toBe(true)
    expect(namesAnnotations(compress('<</Type/Annot/Subtype/Link/A<</URI(x)>>>>'))).toBe(true)
    expect(namesAnnotations(compress('<</Type/Annot/Subtype/Link/Dest/a>>'))).toBe(false)
  })

  test('are taken for possible if an object stream cannot be looked into', () => {
    expect(namesAnnotations(compress('<<>>', '/Encrypt 5 0 R'))).toBe(true)
    expect(namesAnnotations(Buffer.from('<</Type/ObjStm>>stream\nnot deflated\nendstream'))).toBe(
      true,
    )
  })
})

describe('attachments', () => {
  const catalog = `/Names<</EmbeddedFiles<</Names[(figures.csv) ${FIRST_OBJECT} 0 R]>>>>`

  test('are named after the text', async () => {
    expect(await outlineOf(pdf([PAGE], '', catalog, ATTACHED))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'list: figures.csv',
    ])
  })

  test('are written to the folder for attachments', () =>
    withFile(pdf([PAGE], '', catalog, ATTACHED), 'a.pdf', async file => {
      const attachmentsFolder = path.join(path.dirname(file), 'attached')
      const input = { path: file, name: 'a.pdf', mediaType: 'application/pdf', attachmentsFolder }
      const attachments = []
      for await (const event of pdfParser.parse(input))
        if (event.type === 'attachment') attachments.push(event.attachment)
      expect(attachments).toEqual([{ name: 'figures.csv', file: '1' }])
      expect(await readFile(path.join(attachmentsFolder, '1'), 'latin1')).toBe('a,b\n1,2\n')
    }))

  test('of a portfolio without pages of text are enough to read it', async () => {
    expect(await outlineOf(pdf([[]], '', catalog, ATTACHED))).toEqual(['list: figures.csv'])
  })
})

describe('text that annotations draw', () => {
  const drawn = (text: string) => {
    const content = `BT /F 10 Tf 2 5 Td (${text}) Tj ET`
    return `<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`
  }
  const annotation = (entries: string) =>
    `<</Type/Annot/Rect[72 600 272 620]/F 4${entries}/AP<</N ${FIRST_OBJECT + 1} 0 R>>>>`

  test.each([
    ['a signature', '/Subtype/Widget/FT/Sig/T(s)'],
    ['a stamp', '/Subtype/Stamp'],
    ['a watermark', '/Subtype/Watermark'],
  ])('is read of %s', async (_, entries) => {
    const file = pdf([PAGE], '', '', [annotation(entries), drawn('Signed by Anna Berg')])
    expect(await outlineOf(file)).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'paragraph: Signed by Anna Berg',
    ])
  })

  test('is not read a second time beside the value of a field', async () => {
    const field = annotation('/Subtype/Widget/FT/Tx/T(name)/V(Anna Berg)')
    expect(await outlineOf(pdf([PAGE], '', '', [field, drawn('Anna Berg')]))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'paragraph: Anna Berg',
    ])
  })
})

describe('fields of a form', () => {
  const field = (entries: string) =>
    `<</Type/Annot/Subtype/Widget/Rect[72 600 272 620]/T(f)/F 4/DA(/Helv 10 Tf 0 g)${entries}>>`
  const shows = (entries: string, text: string) => {
    const content = `BT /F 10 Tf 2 5 Td (${text}) Tj ET`
    const drawn = `<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`
    return [field(`${entries}/AP<</N ${FIRST_OBJECT + 1} 0 R>>`), drawn]
  }
  const choices = '/Opt[[(l)(London)][(p)(Paris)][(r)(Rome)]]/V(p)'

  test.each([
    ['buttons are read by their names', shows('/FT/Btn/Ff 65536', 'Send'), 'Send'],
    ['numbers are read as they are shown', shows('/FT/Tx/V(1200.5)', '1,200.50'), '1,200.50'],
    ['other texts are read as they were typed', shows('/FT/Tx/V(Anna 2)', 'Anna'), 'Anna 2'],
    [
      'open lists are read with all choices',
      [field(`/FT/Ch${choices}`)],
      '☐ London ☑ Paris ☐ Rome',
    ],
  ])('%s', async (_, fields, text) => {
    const { blocks, warnings } = await parseBytes(pdfParser, pdf([PAGE], '', '', fields))
    expect(blocks.at(-1)?.text).toBe(text)
    expect(warnings).toEqual([])
  })

  test('that are hidden, and choices that are not shown, are counted', async () => {
    const hidden = field('/FT/Tx/V(secret)').replace('/F 4', '/F 2')
    const file = pdf([PAGE], '', '', [field(`/FT/Ch/Ff 131072${choices}`), hidden])
    const { blocks, warnings } = await parseBytes(pdfParser, file)
    expect(blocks.at(-1)?.text).toBe('Paris')
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: choices of lists 2, hidden elements 1. Their text is not searchable.',
    ])
  })
})

describe('an XFA form', () => {
  const form = `/AcroForm<</Fields[]/XFA[(template) ${FIRST_OBJECT} 0 R(datasets) ${FIRST_OBJECT + 1} 0 R]>>`
  const packet = (xml: string) => `<</Length ${xml.length}>>\nstream\n${xml}\nendstream`
  const value = (text: string) => `<value><text>${text}</text></value>`
  const caption = (text: string) => `<caption>${value(text)}</caption>`
  const template = [
    '<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1">',
    `<draw>${value('Application for a berth')}</draw>`,
    `<draw presence="hidden">${value('For the office only')}</draw>`,
    `<field name="boat">${caption('Name of the boat:')}<event><script>alert(1)</script></event></field>`,
    `<field name="length">${caption('Length')}${value('12')}</field>`,
    `<exclGroup name="power">${caption('Power')}`,
    `<field><ui><checkButton/></ui>${caption('sail')}<items><text>s</text></items></field>`,
    `<field><ui><checkButton/></ui>${caption('engine')}<items><text>e</text></items></field>`,
    '</exclGroup>',
    `<field name="port"><ui><choiceList/></ui>${caption('Port')}<items><text>Ribe</text><text>Esbjerg</text></items><items save="1"><text>1</text><text>2</text></items></field>`,
    `<field name="season"><ui><choiceList open="always"/></ui>${caption('Season')}<items><text>summer</text><text>winter</text></items></field>`,
    `<field name="crew"><ui><choiceList open="multiSelect"/></ui>${caption('Crew')}<items><text>cook</text><text>mate</text><text>pilot</text></items></field>`,
    `<field><ui><button/></ui>${caption('Send')}</field>`,
    '</subform></template>',
  ].join('')
  const data =
    '<x:datasets xmlns:x="http://www.xfa.org/schema/xfa-data/1.0/"><x:data><form1><boat>Seagull</boat><power>e</power><port>2</port><season>winter</season><crew><value>cook</value><value>pilot</value></crew><berth>B 12</berth></form1></x:data></x:datasets>'

  test('is read by its template, with what was filled in', async () => {
    const { blocks, warnings } = await parseBytes(
      pdfParser,
      pdf([PAGE], '', form, [packet(template), packet(data)]),
    )
    expect(blocks.map(({ text }) => text)).toEqual([
      'Invoice 12 of the harbour office',
      'Application for a berth',
      'Name of the boat: Seagull',
      'Length: 12',
      'Power',
      '☐ sail',
      '☑ engine',
      'Port: Esbjerg',
      'Season',
      '☐ summer',
      '☑ winter',
      'Crew',
      '☑ cook',
      '☐ mate',
      '☑ pilot',
      'Send',
      'berth: B 12',
    ])
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: choices of lists 1, hidden elements 1. Their text is not searchable.',
    ])
  })

  test('is read once where the page shows most of it, without the bytes of its pictures', async () => {
    const picture = '<value><image contentType="image/png">iVBORw0KGgo</image></value>'
    const draws = ['Invoice 12 of the', 'harbour office', 'Berth 7'].map(value)
    const xml = `<template><subform>${[...draws, picture].map(draw => `<draw>${draw}</draw>`).join('')}<field name="logo"/></subform></template>`
    const logo =
      '<x:datasets><x:data><form1><logo xfa:contentType="image/png">iVBORw0KGgo</logo></form1></x:data></x:datasets>'
    const { blocks, warnings } = await parseBytes(
      pdfParser,
      pdf([PAGE], '', form, [packet(xml), packet(logo)]),
    )
    expect(blocks.map(({ text }) => text)).toEqual(['Invoice 12 of the harbour office', 'Berth 7'])
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: pictures 1. Their text is not searchable.',
    ])
  })

  test.each([
    ['holds no text', '<xdp></xdp>'],
    ['is damaged', template.slice(0, -20)],
  ])('that %s has a warning that it was left out', async (_, xml) => {
    const { warnings } = await parseBytes(pdfParser, pdf([PAGE], '', form, [packet(xml)]))
    expect(warnings).toMatchObject([{ code: 'left_out', message: expect.stringContaining('XFA') }])
  })
})
