import { docParser } from '../../../../src/ingest/parse/parsers/doc/doc.ts'
import { pptParser } from '../../../../src/ingest/parse/parsers/ppt/ppt.ts'
import { xlsParser } from '../../../../src/ingest/parse/parsers/xls/xls.ts'
import { zipParser } from '../../../../src/ingest/parse/parsers/zip.ts'
import { doc, p, row, type WordContents } from '../../../fixtures/doc.ts'
import { propertySet } from '../../../fixtures/ole2.ts'
import { type PptContents, ppt } from '../../../fixtures/ppt.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'
import { record, unicode, xls } from '../../../fixtures/xls.ts'
import { zip } from '../../../fixtures/zip.ts'

type Part<Contents> = readonly [name: string, contents: Contents, skipped?: string]

/** Builds the file of a part by its name. */
function choose<Contents>(
  parts: readonly Part<Contents>[],
  build: (contents?: Contents) => Buffer,
) {
  return {
    build: (name: string) => build(parts.find(([own]) => own === name)?.[1]),
    parts: parts.map(([name, , skipped]): TextPart => ['2', name, name, skipped]),
  }
}

const SUMMARY = '\x05SummaryInformation'
const FURTHER = '\x05DocumentSummaryInformation'
const FACTS: readonly Part<Record<string, Buffer>>[] = [
  ['title', { [SUMMARY]: propertySet({ 2: WORD }) }],
  ['subject', { [SUMMARY]: propertySet({ 3: WORD }) }],
  ['author', { [SUMMARY]: propertySet({ 4: WORD }) }],
  ['keywords', { [SUMMARY]: propertySet({ 5: WORD }) }],
  ['comments on the file', { [SUMMARY]: propertySet({ 6: WORD }) }, 'document properties'],
  ['category', { [FURTHER]: propertySet({ 2: WORD }) }, 'document properties'],
  ['manager', { [FURTHER]: propertySet({ 14: WORD }) }, 'document properties'],
  ['company', { [FURTHER]: propertySet({ 15: WORD }) }, 'document properties'],
  ['property of the user', { [FURTHER]: propertySet({}, { 2: WORD }) }, 'document properties'],
]
const listFacts = <Contents>(write: (more: Record<string, Buffer>) => Contents) =>
  FACTS.map(([name, more, skipped]): Part<Contents> => [name, write(more), skipped])

const field = (instruction: string, result?: string) =>
  `x\x13 ${instruction} ${result === undefined ? '' : `\x14${result}`}\x15`
const text = (content: string): WordContents => ({ paragraphs: [p(content)] })
const DOC = choose<WordContents>(
  [
    ['text', text(WORD)],
    ['heading', { paragraphs: [p(WORD, 1)] }],
    ['cell', { paragraphs: [...row('x', WORD), p('y')] }],
    ['footnote', { paragraphs: [p('x\x02')], notes: [WORD] }],
    ['header', { ...text('x'), headers: [WORD] }],
    ['comment', { ...text('x'), comments: [{ author: 'Ada', text: WORD }] }],
    ['author of a comment', { ...text('x'), comments: [{ author: WORD, text: 'y' }] }],
    ['result of a field', text(field('REF x', WORD))],
    ['equation field', text(field(String.raw`EQ \x(${WORD})`))],
    ['entry of an index', text(field(`XE "${WORD}"`)), 'index entries'],
    ['entry of a list of contents', text(field(`TC "${WORD}"`)), 'index entries'],
    ['button', text(field(`MACROBUTTON x ${WORD}`)), 'form controls'],
    ['hidden text', { ...text(WORD), runs: [{ text: WORD, format: [[0x083c, 1, 1]] }] }],
    [
      'deleted text',
      { ...text(`x ${WORD}`), runs: [{ text: WORD, format: [[0x0800, 1, 1]] }] },
      'deleted texts',
    ],
    ['picture', text('x\x01'), 'pictures'],
    ['drawing', text('x\x08'), 'drawings'],
    ['variable', { ...text('x'), variables: 1 }, 'variables'],
    ['embedded object', { ...text('x'), more: { ObjectPool: { _1: {} } } }, 'embedded objects'],
    ...listFacts(more => ({ ...text('x'), more })),
  ],
  contents => doc(contents ?? text('Base')),
)
testTextParts(
  { specification: 'Word 97 to 2003 ([MS-DOC])', parser: docParser, build: DOC.build },
  DOC.parts,
)

type Xls = Parameters<typeof xls>
const sheet = (contents: Partial<Xls[0][number]>, more: Xls[1] = {}): Xls => [
  [{ name: 'S', rows: [['Base']], ...contents }],
  more,
]
const object = (type: number) =>
  record(0x5d, Buffer.from([0x15, 0, 0x12, 0, type, 0, 1, 0]), Buffer.alloc(14))
const validation = Buffer.concat([Buffer.alloc(4), ...[WORD, '\0', '\0', '\0'].map(unicode)])
const XLS = choose<Xls>(
  [
    ['cell', sheet({ rows: [[WORD]] })],
    ['result of a formula', sheet({ rows: [[{ result: WORD }]] })],
    ['name of a sheet', sheet({ name: WORD })],
    ['hidden sheet', sheet({ rows: [[WORD]], isHidden: true })],
    ['comment', sheet({ comments: [{ row: 0, column: 0, text: WORD }] })],
    ['text box', sheet({ textBox: WORD })],
    ['header', sheet({ header: `&C${WORD}` }), 'headers'],
    ['footer', sheet({ records: record(0x15, unicode(`&C${WORD}`)) }), 'footers'],
    ['picture', sheet({ records: object(8) }), 'pictures'],
    ['prompt of a validation', sheet({ records: record(0x1be, validation) }), 'validation texts'],
    ['scenario', sheet({ records: record(0xaf, Buffer.alloc(20)) }), 'scenarios'],
    ['tip of a link', sheet({ records: record(0x800, Buffer.alloc(12)) }), 'text alternatives'],
    ['embedded object', sheet({}, { streams: { MBD0001: {} } }), 'embedded objects'],
    ...listFacts(streams => sheet({}, { streams })),
  ],
  contents => xls(...(contents ?? sheet({}))),
)
testTextParts(
  { specification: 'Excel 97 to 2003 ([MS-XLS])', parser: xlsParser, build: XLS.build },
  XLS.parts,
)

const slide = (...shapes: PptContents['slides'][number]['shapes']): PptContents => ({
  slides: [{ shapes: [{ text: 'Base' }, ...shapes] }],
})
const withNotes = (notes: string): PptContents => ({ slides: [{ shapes: [{ text: 'x' }], notes }] })
const PPT = choose<PptContents>(
  [
    ['text', slide({ text: WORD })],
    ['title', slide({ text: WORD, kind: 0 })],
    ['shape in a group', slide({ cells: [{ text: WORD, box: [0, 0, 1, 1] }] })],
    ['word art', slide({ wordArt: WORD })],
    ['notes', withNotes(WORD)],
    ['footer', { ...slide(), footer: WORD }],
    ['text of the master', { ...slide(), master: [{ text: WORD }] }],
    ['hidden slide', { slides: [{ shapes: [{ text: WORD }], isHidden: true }] }],
    ['comment', { slides: [{ shapes: [{ text: 'x' }], comment: { author: 'Ada', text: WORD } }] }],
    [
      'author of a comment',
      { slides: [{ shapes: [{ text: 'x' }], comment: { author: WORD, text: 'y' } }] },
    ],
    ['picture', slide({ isPicture: true }), 'pictures'],
    ['text of a picture', slide({ isPicture: true, description: WORD }), 'text alternatives'],
    ['chart', { ...slide({ object: 1 }), objects: [14] }, 'charts'],
    ['embedded object', { ...slide({ object: 1 }), objects: [2] }, 'embedded objects'],
    ...listFacts(more => ({ ...slide(), more })),
  ],
  contents => ppt(contents ?? slide()),
)
testTextParts(
  { specification: 'PowerPoint 97 to 2003 ([MS-PPT])', parser: pptParser, build: PPT.build },
  PPT.parts,
)

const same = zip({ 'a.txt': 'x', 'b.txt': 'y' }).toString('latin1')
const file = { 'x.txt': 'x' }
const ZIP = choose<Buffer>(
  [
    ['name of a file', zip({ [`${WORD}.txt`]: 'x' })],
    ['text of a file', zip({ 'x.txt': WORD })],
    ['archive in an archive', zip({ 'x.zip': zip({ [`${WORD}.txt`]: 'x' }) })],
    ['comment', zip(file, { comment: WORD })],
    ['comment of a file', zip(file, { entryComment: WORD })],
    [
      'file of a name that another has',
      Buffer.from(same.replaceAll('b.txt', 'a.txt'), 'latin1'),
      'embedded objects',
    ],
  ],
  contents => contents ?? zip(file),
)
testTextParts({ specification: 'ZIP (APPNOTE)', parser: zipParser, build: ZIP.build }, ZIP.parts)
