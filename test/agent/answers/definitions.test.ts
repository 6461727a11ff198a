import { expect, test } from 'vitest'
import { beginsWithDefinition, definedTerm } from '../../../src/agent/language/defined-term.ts'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { quotesFor } from '../../fakes/quoted-answer.ts'

const GLOSSARY: InlineDocument = {
  name: 'glossary.md',
  text: [
    '# Words of the rope yard',
    '### Chafe\n\nWear of a line where it rubs against something.',
    '### Fid\n\nA pointed tool of wood that opens the strands. A fid of bone is called a bodkin.',
    '## Splicing\n\nThe fid will slip when the line is wet, and a fid that slips cuts a hand. A fid of oak lasts a fid maker for years.',
  ].join('\n\n'),
}
const 词汇: InlineDocument = {
  name: '词汇.md',
  text: '# 绳索\n\n绞缆时木笔容易滑手，木笔要保持干燥。\n\n木笔，是指用来分开绳股的尖头工具。\n\n木笔每年检查一次，木笔由库房保管。',
}

test('what a word means is told by what stands under it in a glossary, not by what else is said of it', async () => {
  expect((await quotesFor('What is a fid?', GLOSSARY))[0]).toContain('A pointed tool of wood that opens the strands.')
  expect((await quotesFor('What does "chafe" mean?', GLOSSARY))[0]).toContain('Wear of a line')
})

test('a sentence that begins with the word and says what it is comes first', async () => {
  expect((await quotesFor('什么是木笔？', 词汇))[0]).toBe('木笔，是指用来分开绳股的尖头工具。')
})

test('the term of a question for a meaning is known, and other questions have none', () => {
  expect(definedTerm('What are fids?')).toBe('fid')
  expect(definedTerm('木笔是什么意思？')).toBe('木笔')
  expect(definedTerm('What is the length of the fid in the shed by the sea wall of the yard?')).not.toBe('fid')
  expect(definedTerm('When is the fid used?')).toBe(undefined)
  expect(beginsWithDefinition('Fids (of any size) are pointed tools.', 'fid')).toBe(true)
  for (const [text, term] of [
    ['Fids slip when wet.', 'fid'],
    ['The fid', 'fid'],
    ['VAT is charged at 19 percent.', 'vat'],
    ['保修期即将届满时请联系客服。', '保修期'],
    ['保修期是否可以延长由店长决定。', '保修期'],
    ['管理员指定专人负责。', '管理员'],
  ] as const)
    expect(beginsWithDefinition(text, term), text).toBe(false)
})
