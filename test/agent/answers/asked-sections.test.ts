import { expect, test } from 'vitest'
import { type Answer, collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { type InlineDocument, MemorySearcher } from '../../fakes/memory-searcher.ts'

const NOTES: InlineDocument = {
  name: 'notes.txt',
  text: [
    'Release notes for Larkspur',
    'Larkspur 7.1.0 (2024-05-02)\n- Maps can be printed.\n- Fixed a crash of the compass.',
    'Larkspur 7.0.2 (2024-02-11)\n- Fixed the scale of maps.\n- Routes load faster.',
    'Larkspur 7.0.0 (2023-12-01)\n- Routes can be shared.',
  ].join('\n\n'),
}
const RULES: InlineDocument = {
  name: 'rules.md',
  text: [
    '# House rules\n\n## Article 1 Keys\n\nKeys are handed out by the porter.',
    '## Article 2 Noise\n\nTenants must not:\n\n- play drums,\n\n- drill after 20:00.\n\n### Exceptions\n\nNone on Sundays.',
    '## Article 3 Bicycles\n\nBicycles stand in the yard.',
  ].join('\n\n'),
}
const 规约: InlineDocument = {
  name: '规约.txt',
  text: '小区管理规约\n\n第一条 本规约适用于全体业主。\n第二条 业主的义务：\n(一)按时缴纳物业费；\n(二)爱护公共设施。\n第三条 物业费为每平方米二元。\n第十一条 本规约自公布之日起施行。',
}
const FAQ: InlineDocument = {
  name: 'faq.md',
  text: '# FAQ\n\n## Can I change my booking?\n\nYes, up to two days before.\n\nAfterwards a fee is due.\n\n## Can I bring a dog?\n\nNo.',
}

async function ask(question: string, document: InlineDocument): Promise<Answer> {
  const memory = new MemorySearcher([document])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}

const SECTIONS: readonly (readonly [string, InlineDocument, string])[] = [
  [
    'What changed in Larkspur 7.0.2?',
    NOTES,
    'Larkspur 7.0.2 (2024-02-11)\n- Fixed the scale of maps.\n- Routes load faster. [1]',
  ],
  ['What was fixed in Larkspur 7.1.0?', NOTES, '- Fixed a crash of the compass. [1]'],
  [
    'What does Article 2 say?',
    RULES,
    'Article 2 Noise\nTenants must not:\n- play drums,\n- drill after 20:00.\nExceptions\nNone on Sundays. [1]',
  ],
  ['第二条规定了什么？', 规约, '第二条 业主的义务：\n(一)按时缴纳物业费；\n(二)爱护公共设施。 [1]'],
  ['第11条的内容是什么？', 规约, '第十一条 本规约自公布之日起施行。 [1]'],
  [
    'FAQ: Can I change my booking?',
    FAQ,
    'Can I change my booking?\nYes, up to two days before.\nAfterwards a fee is due. [1]',
  ],
]
test.each(SECTIONS)(
  'a part that is asked for by its heading is quoted with its list: %s',
  async (question, document, expected) => {
    const { answer, citations } = await ask(question, document)
    expect(answer.split('\n').slice(1).join('\n')).toBe(expected)
    expect(citations.every(({ verified }) => verified)).toBe(true)
  },
)

test('of several parts that differ in their number, only the one that is named may answer', async () => {
  const { citations } = await ask('When was Larkspur 7.0.0 released?', NOTES)
  expect(citations.map(({ text }) => text)).toEqual(['Larkspur 7.0.0 (2023-12-01)'])
})
test.each([
  ['What changed in Larkspur 7.2.0?', NOTES],
  ['What does Article 8 say?', RULES],
  ['第七条规定了什么？', 规约],
] as const)('of a part that the document does not have, it does not say: %s', async (question, document) => {
  expect(await ask(question, document)).toMatchObject({ abstained: true })
})
test('of a long part its beginning is quoted, and how much more there is', async () => {
  const lines = Array.from({ length: 90 }, (_, at) => `- Improved the handling of map tile number ${at} at night.`)
  const text = `Larkspur 8.0.0 (2025-01-01)\n${lines.join('\n')}\n\n${NOTES.text}`
  const { answer, citations } = await ask('What changed in Larkspur 8.0.0?', { name: 'notes.txt', text })
  expect(citations[0]!.charEnd - citations[0]!.charStart).toBeLessThanOrEqual(1_500)
  expect(answer).toMatch(/\d+ more passages were found/)
})
test('the number that a document is called by holds none of its parts back', async () => {
  const text = '# Test guide 2.0.1\n\n1.1.1 Keys are 64 bits long.\n\n1.1.2 Tokens last an hour.'
  const { citations } = await ask('How long do tokens last in the test guide 2.0.1?', { name: 'guide.md', text })
  expect(citations.map(({ text }) => text)).toEqual(['1.1.2 Tokens last an hour.'])
})

test('version 2.9 is 2.9.0, too', async () => {
  const text = [
    '# Version 2.8.0',
    'A wrong colour setting is ignored.',
    '# Version 2.9.0',
    'As of 2.9.0, a wrong colour setting keeps the viewer from starting.',
  ].join('\n\n')
  const memory = new MemorySearcher([{ name: 'changes.md', text }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const question = 'What does a wrong colour setting do in version 2.9?'
  const { answer } = await collectAnswer(
    answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }),
  )
  expect(answer).toContain('keeps the viewer from starting')
  expect(answer).not.toContain('ignored')
})
