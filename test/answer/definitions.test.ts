import { expect, test } from 'vitest'
import type { InlineDocument } from '../fakes/memory-searcher.ts'
import { quotesFor } from '../fakes/quoted-answer.ts'

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
  expect((await quotesFor('What is a fid?', GLOSSARY))[0]).toContain(
    'A pointed tool of wood that opens the strands.',
  )
  expect((await quotesFor('What does "chafe" mean?', GLOSSARY))[0]).toContain('Wear of a line')
})

test('a sentence that begins with the word and says what it is comes first', async () => {
  expect((await quotesFor('什么是木笔？', 词汇))[0]).toMatch(/^木笔，是指用来分开绳股的尖头工具。/)
})
