import { expect, test } from 'vitest'
import { asciidocParser, orgParser } from '../../../../src/ingest/parse/parsers/line-markup.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

test('Org: headings, items, code and links', async () => {
  const { blocks } = await parseBytes(
    orgParser,
    '#+TITLE: Port\n# hidden\n\n* TODO Hours :a:b:\n:PROPERTIES:\nOpen *daily* from [[https://x.org][six]].\n- one\n- two\n  more\n\n#+BEGIN_SRC sh\n* not a heading\n#+END_SRC\n',
  )
  expect(outline(blocks)).toEqual([
    'paragraph: Port',
    'heading1: Hours',
    'paragraph: Open daily from six.',
    'list: one',
    'list: two /   more',
    'code: * not a heading',
  ])
})

test('AsciiDoc: headings, items, code and links', async () => {
  const { blocks } = await parseBytes(
    asciidocParser,
    '= Port\n:toc:\n// hidden\n\n== Hours\n\nOpen _daily_ from link:https://x.org[six].\n\n* one\n** two\n\n[source,sh]\n----\n= not a heading\n----\n',
  )
  expect(outline(blocks)).toEqual([
    'heading1: Port',
    'heading2: Hours',
    'paragraph: Open daily from six.',
    'list: one',
    'list: two',
    'code: = not a heading',
  ])
})

test('included files are named', async () => {
  const org = await parseBytes(orgParser, 'Text\n#+INCLUDE: "./more.org" :lines "5-10"\n')
  const asciidoc = await parseBytes(
    asciidocParser,
    'Text\n\ninclude::parts/more.adoc[leveloffset=+1]\n',
  )
  expect([...org.warnings, ...asciidoc.warnings].map(({ message }) => message)).toEqual([
    'Skipped: files that the text includes (./more.org). Add them too, to find their text.',
    'Skipped: files that the text includes (parts/more.adoc). Add them too, to find their text.',
  ])
  expect(outline(asciidoc.blocks)).toEqual(['paragraph: Text'])
})
