import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  {
    name: '仓库.md',
    text: '# 仓库\n\n仓库的钥匙由值班员保管。\n\n叉车每周检查一次。\n\n仓库内不得吸烟。\n\n货架的最大承重为两吨。\n\n访客应当登记，不得携带相机。\n\n堆放的货物距离墙面五十厘米。',
  },
])

async function ask(question: string) {
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}

test.each(['访客要不要先登记？', '去仓库的时候能不能把相机也给带上？', '为什么我们不能再带着相机？'])(
  'words that only hold a Chinese question together are not missed in the answer: %s',
  async question => expect(await ask(question)).toMatchObject({ answer: expect.stringContaining('不得携带相机') }),
)
test('a Chinese question whose own words stand nowhere is refused, whatever else it says', async () =>
  expect(await ask('我们还能不能把自行车也给停在这里？')).toMatchObject({ abstained: true }))
