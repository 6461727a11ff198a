import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/extractive.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

async function quoted(text: string, question: string): Promise<string> {
  const memory = new MemorySearcher([{ name: 'a.txt', text }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const request = { question, collectionIds: ['default'], documents: async () => memory.documents }
  return (await collectAnswer(answerer.answer(request))).answer
}

test('lines of a header stay lines, those of a sentence do not', async () => {
  const header = 'Date: 12 March 2026\nPlace: Room Lisbon, 4th floor\nPresent: Clara Jensen (chair)'
  expect(await quoted(header, 'Which place is Room Lisbon?')).toContain(header)
  expect(await quoted('日期：3月12日\n地点：里斯本会议室', '会议室的地点是哪里？')).toContain('日期：3月12日\n地点：')
  expect(
    await quoted('The harbour fee is due\non Monday: it rises\nin May.', 'When is the harbour fee due?'),
  ).toContain('is due on Monday: it rises in May.')
})
