import { expect, test } from 'vitest'
import { answerFrom } from '../../fakes/quoted-answer.ts'

const LEAVE =
  '# 年休假\n\n员工享受的年休假天数如下：\n\n工作年限 | 年休假天数\n满一年 | 5天\n满十年 | 10天\n满二十年 | 15天'
const PRICES =
  '# Prices\n\nArticle | Weight | Price\nFlask Nord | 420 g | 34 euros\nFlask Elv | 380 g | 29 euros\nMug | 180 g | 12 euros'

async function ask(question: string, text: string): Promise<string> {
  return (await answerFrom(question, { name: 'table.md', text })).answer
}

test('the row that has a word of the question that no other row has is quoted alone', async () => {
  expect(await ask('What is the weight and the price of the flask Elv?', PRICES)).toBe(
    "In the documents' own words:\nArticle: Flask Elv; Weight: 380 g; Price: 29 euros [1]",
  )
})
test('rows that have the same words of the question are quoted together', async () => {
  const answer = await ask('What is the price of a flask?', PRICES)
  expect(answer).toContain('Flask Nord')
  expect(answer).toContain('Flask Elv')
  expect(answer).not.toContain('Mug')
})
test('a table of which the question names no row is quoted whole, in its order', async () => {
  expect(await ask('年休假天数是多少？', LEAVE)).toMatch(/满一年.*5天\n.*满十年.*10天\n.*满二十年.*15天 \[\d\]/)
})
test('a Chinese word is found where its longer form stands', async () => {
  expect(await ask('年假有多少天？', LEAVE)).toContain('满二十年; 年休假天数: 15天')
  expect(await ask('病假有多少天？', LEAVE)).toBe('文档中没有说明。')
})
test('rooms without a header are rows, the first like the others', async () => {
  const rooms = 'Lisbon | 4th floor | 12 | 4101\nOslo | 2nd floor | 20 | 2201\nRiga | 2nd floor | 8 | 2203'
  expect(await ask('On which floor is Lisbon?', `# Rooms\n\n${rooms}`)).toMatch(/^Lisbon \| 4th floor \| 12 \| 4101/m)
  expect(await ask('On which floor is Oslo?', `# Rooms\n\n${rooms}`)).toMatch(/^Oslo \| 2nd floor \| 20 \| 2201/m)
})
test('years and a count of columns are names', async () => {
  const years = '# Sales\n\nTown | 2023 | 2024\nOslo | 12 | 14\nRiga | 7 | 9'
  expect(await ask('What were the sales of Riga?', years)).toContain('Town: Riga; 2023: 7; 2024: 9')
  const 季度 = '# 营业收入\n\n季度 | 2023 年 | 2024年\n第一季度 | 168 | 190\n第二季度 | 181 | 205'
  expect(await ask('2024年第二季度营业收入是多少？', 季度)).toContain('季度: 第二季度; 2023 年: 181; 2024年: 205')
  const ranks = '# Teams\n\nTown | 1 | 2\nOslo | 12 | 14\nRiga | 7 | 9'
  expect(await ask('What did the teams of Riga have?', ranks)).toContain('Town: Riga; 1: 7; 2: 9')
})
test('a table without a header has no columns to name', async () => {
  const menus = 'New Game | Begin a new game and leave this one.\nQuit Game | Finish playing and return to the system.'
  const keys = 'F9 | Load | Load the last game that was saved.\nF10 | Quit | Leave at once and lose what was not saved.'
  const form = 'Product: | Sodium hydroxide\nPurity: | 99.2 %'
  const text = `# Menus\n\n${menus}\n\n# Keys\n\n${keys}\n\n# Batch\n\n${form}`
  expect(await ask('What does Quit Game do?', text)).toMatch(/^Quit Game: Finish playing/m)
  expect(await ask('What does F9 do?', text)).toMatch(/^F9 \| Load \| Load the last game/m)
  expect(await ask('What is the purity?', text)).toMatch(/^Purity: 99.2 %/m)
})
test('a row that is named with a hyphen is there', async () => {
  const models = 'Model | Tank (l) | Weight (kg)\nAV-20 | 20 | 18\nAV-50 | 50 | 34\nAV-90 | 90 | 55'
  const text = `# Compressors\n\nThis manual covers the compressors AV-20, AV-50 and AV-90.\n\n# Data\n\n${models}`
  expect(await ask('What is the weight of the AV-50?', text)).toMatch(/Model: AV-50; Tank \(l\): 50; Weight \(kg\): 34/)
  expect(await ask('What is the weight of the AV-70?', text)).toBe('The documents do not say.')
})
test('columns of two levels are named by both', async () => {
  const rows =
    'Site | 2022 | 2022 | 2023 | 2023\nSite | H1 | H2 | H1 | H2\nMoss | 410 | 432 | 401 | 455\nVaasa | 288 | 305 | 297 | 511'
  expect(await ask('What was the output of Vaasa?', `# Output\n\n${rows}`)).toContain(
    'Site: Vaasa; 2022 H1: 288; 2022 H2: 305; 2023 H1: 297; 2023 H2: 511 [1]',
  )
})
test('a year before a word names a column', async () => {
  const rows = '科室 | 2022年收入 | 2023年收入\n骨科 | 12,250 | 11,780\n眼科 | 5,010 | 6,005'
  expect(await ask('2023年骨科的收入是多少？', `# 科室\n\n${rows}`)).toContain(
    '科室: 骨科; 2022年收入: 12,250; 2023年收入: 11,780',
  )
})
