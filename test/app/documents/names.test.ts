import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/index.ts'
import { Sandbox } from '../../fakes/store.ts'

const COMPOSED = 'r\u00e9sum\u00e9.txt'
const DECOMPOSED = COMPOSED.normalize('NFD')

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ [`a/${DECOMPOSED}`]: 'Ten years in Lyon.' })])
})
afterAll(() => sandbox.remove())

test('composed and decomposed names, and cases, are one', async () => {
  const { name } = await passim.show(DECOMPOSED)
  expect(name).toBe(DECOMPOSED)
  for (const reference of [
    COMPOSED,
    COMPOSED.toUpperCase(),
    sandbox.path(`a/${COMPOSED}`),
    'a',
    'A',
  ])
    expect(await passim.search({ query: 'Lyon', documents: [reference] })).toMatchObject([{ name }])
  const filter = `name=${COMPOSED}`
  expect(await passim.search({ query: 'Lyon', filter })).toMatchObject([{ name }])
})

test('a document is found by its author, after passages that hold more of the query', async () => {
  const front = (author: string, body: string) => `---\nauthor: ${author}\n---\n${body}\n`
  await sandbox.write({
    'b/growing.md': front('Zhang Wei', '# Growing\n\nPlants need light and water.'),
    'b/orchids.md': front('Wang Fang', '# Orchids\n\nZhang Wei grows orchids in the greenhouse.'),
    'b/soil.md': front('Wang Fang', '# Soil\n\nSand drains faster than clay.'),
  })
  await passim.index([sandbox.path('b')], { collection: 'plants' })
  const find = async (query: string, mode: 'keyword' | 'hybrid') =>
    (await passim.search({ query, mode, collections: ['plants'] })).map(({ name }) => name)
  expect((await find('Zhang Wei', 'keyword')).toSorted()).toEqual(['growing.md', 'orchids.md'])
  expect((await find('Zhang Wei', 'hybrid')).slice(0, 2).toSorted()).toEqual([
    'growing.md',
    'orchids.md',
  ])
  expect((await find('Zhang Wei orchids', 'keyword'))[0]).toBe('orchids.md')
  expect(await find('Wang Fang soil', 'keyword')).toEqual(['soil.md', 'orchids.md'])
})

test('a document is found by its subject and keywords', async () => {
  await sandbox.write({
    'c/plain.md': '# Plain\n\nGrass grows here.',
    'c/tagged.md': '---\ntags: [wildebeest, gnu]\nsubject: Savanna\n---\n# Herd\n\nIt moves north.',
    'c/page.html':
      '<meta name=keywords content="okapi, zebra"><title>Stripes</title><p>Black on white.',
    'c/paper.rtf': '{\\rtf1{\\info{\\subject Rivers}{\\keywords hippo}}It swims.\\par}',
  })
  await passim.index([sandbox.path('c')], { collection: 'herds' })
  const find = async (query: string) =>
    (await passim.search({ query, mode: 'keyword', collections: ['herds'] })).map(
      ({ name }) => name,
    )
  expect(await find('wildebeest')).toEqual(['tagged.md'])
  expect(await find('savanna')).toEqual(['tagged.md'])
  expect(await find('okapi')).toEqual(['page.html'])
  expect(await find('rivers hippo')).toEqual(['paper.rtf'])
})

test('what finds a document by what it states of itself is no weak hit', async () => {
  await sandbox.write({
    'd/tides.md': '---\nauthor: Ines Okafor\nkeywords: [sextant]\n---\n# Sea\n\nIt rises.',
    'd/crane gearbox.csv': 'Part,Cost\nBolt,4\n',
    'd/渡船时刻.md': '---\nauthor: 赵敏\n---\n# 水位\n\n早晚各一次。',
  })
  await passim.index([sandbox.path('d')], { collection: 'quay' })
  for (const [query, name] of [
    ['Ines Okafor', 'tides.md'],
    ['sextant', 'tides.md'],
    ['crane gearbox.csv', 'crane gearbox.csv'],
    ['赵敏', '渡船时刻.md'],
    ['渡船时刻', '渡船时刻.md'],
  ] as const)
    for (const mode of ['keyword', 'hybrid'] as const) {
      const hits = await passim.search({ query, mode, collections: ['quay'] })
      const hit = hits.find(found => found.name === name)
      expect(hit).toMatchObject({ weak: false })
      expect(hit?.confidence).toBeGreaterThan(0.5)
    }
})

test('a value in another spelling is no weak hit', async () => {
  await sandbox.write({
    'e/pump.md': '# Pump\n\nIt stopped on 5 January 2024.',
    'e/meter.md': '# Meter\n\nIt showed 1,234,567 units.',
    'e/bill.md': '# Bill\n\nIt came to 330,435.30 euros.',
    'e/泵.md': '# 泵\n\n水泵于2024年2月6日停机。',
    'e/year.md': '# Tanks in 2024\n\nThe tank was cleaned on 7 March.',
  })
  await passim.index([sandbox.path('e')], { collection: 'plant' })
  for (const [query, name] of [
    ['20240105', 'pump.md'],
    ['2024年1月5日', 'pump.md'],
    ['1.234.567', 'meter.md'],
    ['水泵 2024-02-06', '泵.md'],
    ['330435.3', 'bill.md'],
    ['tank cleaned 7 March 2024', 'year.md'],
  ] as const) {
    const [hit] = await passim.search({ query, mode: 'keyword', collections: ['plant'] })
    expect(hit).toMatchObject({ name, weak: false })
    expect(hit?.confidence).toBeGreaterThan(0.5)
  }
})

test('a file is found by its name with the extension, which alone finds none', async () => {
  await sandbox.write({
    'f/budget.csv': 'Part,Cost\nBolt,4\n',
    'f/budget.md': '# Lamps\n\nThe budget is small. The budget for lamps is a small budget.',
    'f/old_plan_v3.md': '# Old\n\nNothing is planned here.',
    'f/plan v3.csv': 'Step,Day\nDig,4\n',
    'f/年度预算.csv': '项目,金额\n椅子,4\n',
    'f/budget.rst': 'Boards\n======\n\nThey are new.',
    'f/年度预算.md': '# 灯具\n\n年度预算很少，灯具的年度预算更少。',
  })
  await passim.index([sandbox.path('f')], { collection: 'files' })
  const find = async (query: string) =>
    (await passim.search({ query, mode: 'keyword', collections: ['files'] })).map(
      ({ name }) => name,
    )
  for (const [query, name] of [
    ['budget.csv', 'budget.csv'],
    ['Budget CSV', 'budget.csv'],
    ['the csv budget', 'budget.csv'],
    ['budget rst', 'budget.rst'],
    ['plan v3.csv', 'plan v3.csv'],
    ['plan md', 'old_plan_v3.md'],
    ['年度预算.csv', '年度预算.csv'],
    ['年度预算 csv', '年度预算.csv'],
  ] as const)
    expect((await find(query))[0]).toBe(name)
  expect(await find('csv')).toEqual([])
  const others = await find('How are lamps written to csv?')
  expect(others.filter(name => name.endsWith('.csv'))).toEqual([])
})

test('the same day in another spelling comes before another day', async () => {
  const others = ['2024年1月6日', '2024年2月5日', '2024年11月5日', '二〇二四年一月六日']
  await sandbox.write({
    'd/same.md': '# Pump\n\nIt stopped on 5 January 2024.',
    ...Object.fromEntries(others.map((day, at) => [`d/${at}.md`, `# 泵\n\n于${day}停机。`])),
  })
  await passim.index([sandbox.path('d')], { collection: 'days' })
  for (const query of [
    '2024年1月5日',
    '二〇二四年一月五日',
    '2024-01-05',
    '05.01.2024',
    '20240105',
  ]) {
    const [hit] = await passim.search({ query, mode: 'keyword', collections: ['days'] })
    expect([query, hit?.name]).toEqual([query, 'same.md'])
  }
})
