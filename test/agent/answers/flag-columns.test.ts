import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { toldFrom } from '../../fakes/quoted-answer.ts'

const MENU: InlineDocument = {
  name: 'menu.md',
  text: '# Menu\n\nDish | Price | Vegan\nLentil soup | 6 | yes\nGoulash | 11 | no\nRatatouille | 9 | yes\nOmelette | 8 | no',
}
const 菜单: InlineDocument = {
  name: '菜单.md',
  text: '# 菜单\n\n菜品 | 价格 | 是否素食\n扁豆汤 | 6 | 是\n红烧肉 | 16 | 否\n凉拌木耳 | 9 | 是',
}

test.each([
  ['Which dishes are vegan?', ['Lentil soup', 'Ratatouille'], ['Goulash', 'Omelette'], MENU],
  ['哪些菜品是素食？', ['扁豆汤', '凉拌木耳'], ['红烧肉'], 菜单],
])('of a column of yes and no, %s asks for those that say yes', async (question, said, unsaid, table) => {
  const told = await toldFrom(question, table)
  for (const name of said) expect(told).toContain(name)
  for (const name of unsaid) expect(told).not.toContain(name)
})
test('a row that is named tells its own cell', async () => {
  expect(await toldFrom('Is the goulash vegan?', MENU)).toContain('Vegan: no')
})

const ROOMS: InlineDocument = {
  name: '会议室.md',
  text: '# 会议室\n\n房间 | 投影仪 | 人数\n梅厅 | 有 | 12\n兰厅 | 无 | 8\n竹厅 | 有 | 20',
}
const BREADS: InlineDocument = {
  name: 'breads.md',
  text: '# Breads\n\nDish | Gluten | Price\nRye loaf | yes | 4\nRice cake | no | 3\nBagel | yes | 2',
}
test.each([
  ['Which dishes are gluten-free?', BREADS, 'Gluten: yes'],
  ['Which dishes are free of gluten?', BREADS, 'Gluten: yes'],
  ['哪些房间缺少投影仪？', ROOMS, '投影仪: 有'],
])('%s does not ask for those that say yes alone', async (question, table, said) => {
  const told = (await toldFrom(question, table)) ?? ''
  expect(told.includes(said) && !told.includes(said.replace(/yes|有/, /[a-z]/.test(said) ? 'no' : '无'))).toBe(false)
})
