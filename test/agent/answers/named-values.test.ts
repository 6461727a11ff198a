import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { answerFrom } from '../../fakes/quoted-answer.ts'

/** First cells of the rows that the answer quotes; empty where the documents do not say. */
async function rowsFor(question: string, ...documents: readonly InlineDocument[]): Promise<string> {
  const { answer, abstained } = await answerFrom(question, ...documents)
  const cells = [...answer.matchAll(/^[^:\n]+: ([^;\n]+);/gm)].map(([, cell]) => cell)
  expect(cells.length === 0, answer).toBe(abstained)
  return cells.join(' ')
}

/** No two cells of either column are alike, so that each names its row. */
const LANES: InlineDocument = {
  name: 'lanes.md',
  text: [
    '# Sea freight\n\nRates per container in USD.\n\nFrom | To | 20ft | 40ft',
    'Shanghai | Rotterdam | 1,850 | 3,200\nShenzhen | Hamburg | 1,990 | 3,410\nTianjin | Genoa | 2,120 | 3,600',
  ].join('\n'),
}
/** Ports are left from and gone to. */
const FERRIES: InlineDocument = {
  name: 'ferries.md',
  text: '# Ferries\n\nLine | From | To | Departs\nA | Ulsta | Toft | 07:10\nB | Toft | Ulsta | 08:40\nC | Ulsta | Gutcher | 09:15\nD | Belmont | Toft | 10:05',
}
const 库存: InlineDocument = {
  name: '库存.md',
  text: '# 库存表\n\n仓库 | 型号 | 库存\n北京仓 | QY-1000 | 35\n上海仓 | QY-2000 | 80\n广州仓 | QY-3000 | 12',
}
const 班车: InlineDocument = {
  name: '班车.md',
  text: '# 班车\n\n班次 | 起点 | 终点 | 发车\n甲线 | 北门 | 车站 | 07:10\n乙线 | 车站 | 北门 | 18:20\n丙线 | 北门 | 机场 | 06:00',
}

test.each([
  ['What does a 20ft container from Shanghai to Hamburg cost?', '', LANES],
  ['What does a 20ft container from Tianjin to Rotterdam cost?', '', LANES],
  ['How much is a 40ft container from shenzhen to genoa?', '', LANES],
  ['What does a 20ft container from Shenzhen to Hamburg cost?', 'Shenzhen', LANES],
  ['北京仓的 QY-2000 库存是多少？', '', 库存],
  ['上海仓的QY-3000库存还有多少？', '', 库存],
  ['上海仓的QY-2000库存还有多少？', '上海仓', 库存],
])('a row answers that has all values which the question names: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

test.each([
  ['When does the ferry from Ulsta to Toft leave?', 'A', FERRIES],
  ['When does the ferry from Toft to Ulsta leave?', 'B', FERRIES],
  ['Which ferries go from Ulsta?', 'A C', FERRIES],
  ['When does the ferry from Belmont to Gutcher leave?', '', FERRIES],
  ['When does the ferry from Toft to Belmont leave?', '', FERRIES],
  ['北门到车站的班车几点发车？', '甲线', 班车],
  ['从车站开往北门的班车几点发车？', '乙线', 班车],
  ['从机场到北门的班车几点发车？', '', 班车],
])('where from and where to are told apart: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

test.each([
  ['西北仓有多少 QY-1000？', '', 库存],
  ['杭州仓的库存是多少？', '', 库存],
])(
  'a value that no cell has, formed as all cells of a column are, has no row: %s',
  async (question, rows, document) => {
    expect(await rowsFor(question, document)).toBe(rows)
  },
)
