import { describe, expect, test } from 'vitest'
import { parseQuestion } from '../../../src/answer/question/parse.ts'
import { tableQueryFor } from '../../../src/answer/tables/link-question.ts'
import type { TableQuery } from '../../../src/answer/tables/query.ts'
import { runTableQuery } from '../../../src/answer/tables/query.ts'
import { tableText } from '../../../src/ingest/block.ts'
import { readTables } from '../../../src/ingest/parse/tables/read-tables.ts'
import type { Table } from '../../../src/ingest/parse/tables/table.ts'
import { languageOf } from '../../../src/text/language.ts'
import { quantitiesIn } from '../../../src/text/quantities.ts'
import { Terms } from '../../../src/text/terms.ts'

const terms = new Terms()

async function tableOf(written: string): Promise<Table> {
  const rows = written
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
  const text = tableText(rows)
  async function* blocks() {
    yield { kind: 'table' as const, text, rows, charStart: 0, charEnd: text.length }
  }
  return (await readTables(blocks()))[0]! // there is one
}

const RATES = await tableOf(`
From | To | Rate (USD) | Transit | Insured
Busan | Gdansk | 2,360 | 41 days | yes
Gdansk | Busan | 2,100 | 6 weeks | no
Busan | Valencia | 2,075 | 33 days | yes
Xiamen | Valencia | 2,360 | 35 days | no
Total | | 8,895 | |`)
const STOCK = await tableOf(`
仓库 | 名称 | 库存 | 最低库存 | 入库日期
北库 | 空气滤芯 | 320 | 200 | 2024-03-01
北库 | 机油滤芯 | 85 | 150 | 2024-05-12
南库 | 火花塞 | 900 | 400 | 2023-11-20
合计 | | 1305 | 750 |`)
const TOOLS = await tableOf(`
柜号 | 工具 | 押金（元） | 借出日期 | 需校准
一号柜 | 卷尺 | 20 | 2025-02-03 | 否
二号柜 | 水平仪 | 40 | 2024-06-20 | 是
二号柜 | 游标卡尺 | 60 | 2025-07-11 | 是`)

const LOANS = await tableOf(`
Tool | Lent on | Returned on | Year made | Fee (EUR)
Saw | 2024-03-02 | 2024-04-01 | 2019 | 4
Drill | 2024-11-20 | 2025-01-15 | 2021 | 6
Plane | 2025-03-31 | 2025-04-02 | 2022 | 3
Vice | 2025-04-01 | 2026-02-11 | 2019 | 5`)

const PARTS = await tableOf(`
Part | Stock | Imported
Belt | 0 | no
Cog | 12 | yes
Seal | 0 | yes`)
const BELLS = await tableOf(`
Bell | Year cast | Weight (kg) | Rehung
Widow | 1768 | 327 | 1998
Agnes | 1911 | 248 | 2019
Cuthbert | 1623 | 1741 | 2007`)
const ORDERS = await tableOf(`
Order | Customer | Amount (EUR)
1 | Ash | 450
2 | Birch | 1200
3 | Cedar | 300`)
const AMBIGUOUS = await tableOf(`
Place | Visitors | Staff
Kiel | 950 | 4
Bonn | 1.234 | 7
Ulm | 12.500 | 5`)
const 零库存 = await tableOf(`
零件 | 库存
皮带 | 0
齿轮 | 12`)

/** What is in the first column that tells rows apart, or the value. */
function shown(table: Table, query: TableQuery, column: number): readonly (string | number)[] {
  const { rows, value } = runTableQuery(table, query, terms)
  return query.aggregate
    ? [value?.value ?? '?', value?.unit?.id ?? '']
    : rows.map(({ cells }) => cells[column]!.text) // within the table
}

describe('a query is run', () => {
  const rates = (query: Partial<TableQuery>, ...expected: readonly (string | number)[]) =>
    expect(shown(RATES, { where: [], columns: [], ...query }, 2)).toEqual(expected)
  const amount = (text: string) => quantitiesIn(text)[0]! // there is one

  test('rows that sum up others are left out', () => rates({}, '2,360', '2,100', '2,075', '2,360'))
  test('numbers are compared over the units of a dimension', () =>
    rates(
      {
        where: [
          { holds: 'number', column: 3, comparator: 'at-least', quantity: amount('41 days') },
        ],
      },
      ...['2,360', '2,100'],
    ))
  test('a unit that measures something else is met by no row', () =>
    rates({
      where: [{ holds: 'number', column: 2, comparator: 'over', quantity: amount('5 kg') }],
    }))
  test('the most, and those that are equal to it', () =>
    rates({ orderBy: { column: 2, direction: 'most', rank: 1 }, take: 1 }, '2,360', '2,360'))
  test('the second most is the next lower value', () =>
    rates({ orderBy: { column: 2, direction: 'most', rank: 2 }, take: 1 }, '2,100'))
  test('the least over several units', () => {
    const query = {
      where: [],
      columns: [],
      orderBy: { column: 3, direction: 'least', rank: 1 },
      take: 2,
    } as const
    expect(shown(RATES, query, 3)).toEqual(['33 days', '35 days'])
  })
  test('counts, sums, averages', () => {
    rates({ aggregate: { of: 'count' } }, 4, '')
    rates({ aggregate: { of: 'sum', column: 2 } }, 8895, 'USD')
    rates({ aggregate: { of: 'average', column: 2 } }, 2223.75, 'USD')
    const where = [
      { holds: 'number', column: 2, comparator: 'over', quantity: amount('2,080') } as const,
    ]
    rates({ where, aggregate: { of: 'average', column: 2 } }, 2273.33, 'USD')
  })
  test('a sum of nothing is none', () => {
    const where = [
      { holds: 'number', column: 2, comparator: 'over', quantity: amount('9,000') } as const,
    ]
    const query: TableQuery = { where, columns: [], aggregate: { of: 'sum', column: 2 } }
    expect(runTableQuery(RATES, query, terms)).toEqual({ rows: [], among: 4 })
  })
  test.each([
    ['ranges', ['30,000-40,000', '12,000']],
    ['approximations', ['~1,200', '900']],
    ['bounds', ['> 300', '120']],
    ['several currencies', ['$12.50', '€9.00', '£7.00']],
  ])('%s are neither added up nor put in order', async (_, cells) => {
    const table = await tableOf(
      `Site | Amount\n${cells.map((cell, nth) => `${'ABC'[nth]} | ${cell}`).join('\n')}`,
    )
    const run = (query: Partial<TableQuery>) =>
      runTableQuery(table, { where: [], columns: [], ...query }, terms)
    expect(table.columns[1]?.kind).toBe('number')
    expect(run({ orderBy: { column: 1, direction: 'least', rank: 1 } })).toMatchObject({
      rows: [],
      isUndecided: true,
    })
    expect(run({ aggregate: { of: 'sum', column: 1 } })).toMatchObject({ isUndecided: true })
    expect(run({ aggregate: { of: 'average', column: 1 } })).not.toHaveProperty('value')
  })
  test('columns are compared', () => {
    const where = [{ holds: 'column', column: 2, comparator: 'under', other: 3 } as const]
    expect(shown(STOCK, { where, columns: [] }, 1)).toEqual(['机油滤芯'])
  })
  test('a date agrees as far as it is said', () => {
    const where = [
      {
        holds: 'date',
        column: 4,
        comparator: 'equal',
        anyOf: [{ year: 2024, quarter: 1 }],
      } as const,
    ]
    expect(shown(STOCK, { where, columns: [] }, 1)).toEqual(['空气滤芯'])
  })
  test('of a column in millions a bare number is in millions', async () => {
    const sales = await tableOf('Region | Sales (EUR million)\nNorth | 12\nSouth | 8')
    const over = (text: string) =>
      shown(
        sales,
        {
          where: [{ holds: 'number', column: 1, comparator: 'over', quantity: amount(text) }],
          columns: [],
        },
        0,
      )
    expect([over('10'), over('10 million'), over('€10m')]).toEqual([
      ['North'],
      ['North'],
      ['North'],
    ])
  })
})

describe('a question is put to a table', () => {
  const check = (
    table: Table,
    column: number,
    question: string,
    ...expected: readonly (string | number)[]
  ) =>
    test(question, () => {
      const query = tableQueryFor(
        parseQuestion(question, languageOf(question)),
        table,
        terms,
        'Container rates',
      )
      expect(query ? shown(table, query, column) : []).toEqual(expected)
    })
  const rate = (question: string, ...expected: readonly (string | number)[]) =>
    check(RATES, 2, question, ...expected)
  const stock = (question: string, ...expected: readonly (string | number)[]) =>
    check(STOCK, 1, question, ...expected)
  const tool = (question: string, ...expected: readonly (string | number)[]) =>
    check(TOOLS, 1, question, ...expected)

  describe('numbers that may be read in two ways are not worked with', () => {
    const place = (question: string, ...expected: readonly (string | number)[]) =>
      check(AMBIGUOUS, 0, question, ...expected)
    place('Which place has the most visitors?')
    place('Which place is the largest?')
    place('What is the total number of visitors?')
    place('What is the average number of visitors?')
    place('Which places have more than 1000 visitors?')
    place('Which places have more visitors than staff?')
    place('How many visitors did Bonn have?', 'Bonn')
    place('Which place has the most staff?', 'Bonn')
  })

  describe('a row answers when it holds all that is named', () => {
    rate('What is the rate from Busan to Valencia?', '2,075')
    stock('北库机油滤芯的库存是多少？', '机油滤芯')
  })
  describe('from one to another is not the way back', () => {
    rate('What is the rate from Busan to Gdansk?', '2,360')
    rate('What is the rate from Gdansk to Busan?', '2,100')
  })
  describe('near misses give no row', () => {
    rate('What is the rate from Xiamen to Gdansk?')
    rate('What is the rate from Ningbo to Gdansk?')
    stock('南库机油滤芯的库存是多少？')
  })
  describe('bounds, orders, counts', () => {
    rate('Which rate is the lowest?', '2,075')
    rate('Which container takes the second longest transit?', '2,360')
    rate('Which transit is longer than 5 weeks?', '2,360', '2,100')
    rate('What was the total rate?', '8,895')
    stock('库存超过300的有哪些？', '空气滤芯', '火花塞')
    stock('库存第二高的是哪个？', '空气滤芯')
  })
  describe('a bound of dates is one on the column of dates that is named', () => {
    const loan = (question: string, ...expected: readonly (string | number)[]) =>
      check(LOANS, 0, question, ...expected)
    loan('Which tools were lent since 2025?', 'Plane', 'Vice')
    loan('Which tools were lent after March 2025?', 'Vice')
    loan('Which tools were lent before 31 March 2025?', 'Saw', 'Drill')
    loan('Which tools were lent between November 2024 and March 2025?', 'Drill', 'Plane')
    loan('Which tools were lent after March?', 'Drill', 'Vice')
    loan('Which tools were returned since 2025?', 'Drill', 'Plane', 'Vice')
    loan('Which tools were made before 2021?', 'Saw', 'Vice')
    loan('Which tools were lent in March 2025?', 'Plane')
    loan('How many tools were made in 2021 or later?', 2, '')
    loan('Which tools were made in 2021 and 2022?', 'Drill', 'Plane')
    tool('2025年以后借出的工具有哪些？', '卷尺', '游标卡尺')
    tool('2025年之前借出的工具有哪些？', '水平仪')
    tool('2025年3月之后借出的工具有几种？', 1, '')
    tool('2024年到2025年2月之间借出的工具有哪些？', '卷尺', '水平仪')
  })
  describe('of things that are named beside each other either will do', () => {
    rate('What are the rates from Busan and Xiamen?', '2,360', '2,075', '2,360')
    rate('What is the rate from Xiamen to Gdansk?')
    stock('空气滤芯和火花塞的库存分别是多少？', '空气滤芯', '火花塞')
    stock('空气滤芯、火花塞和机油滤芯的库存是多少？', '空气滤芯', '机油滤芯', '火花塞')
    stock('空气滤芯和火花塞一共有几种？', 2, '')
    tool('卷尺或水平仪在哪个柜？', '卷尺', '水平仪')
  })
  describe('a comparative is a bound of the number that it is said of', () => {
    rate('Which transit is shorter than 35 days?', '2,075')
    rate('Which rates are more expensive than 2,200?', '2,360', '2,360')
    tool('比30元贵的押金有哪些？', '水平仪', '游标卡尺')
    tool('比30元便宜的押金有哪些？', '卷尺')
  })
  describe('the number of a superlative is no condition', () => {
    tool('押金最贵的两种工具是什么？', '游标卡尺', '水平仪')
  })
  describe('what a table has none of is nought in the column of its name', () => {
    const part = (question: string, ...expected: readonly (string | number)[]) =>
      check(PARTS, 0, question, ...expected)
    part('How many parts are out of stock?', 2, '')
    part('Which parts have no stock?', 'Belt', 'Seal')
    part('Which imported parts have no stock?', 'Seal')
    part('Which parts are not imported?', 'Belt')
    const 零件 = (question: string, ...expected: readonly (string | number)[]) =>
      check(零库存, 0, question, ...expected)
    零件('哪些零件没有库存？', '皮带')
    零件('无库存的零件有几种？', 1, '')
  })
  describe('a year may be of any century', () => {
    const bell = (question: string, ...expected: readonly (string | number)[]) =>
      check(BELLS, 0, question, ...expected)
    bell('Which bells were cast before 1800?', 'Widow', 'Cuthbert')
    bell('Which bells were cast after 1700?', 'Widow', 'Agnes')
    bell('What is the oldest bell?', 'Cuthbert')
    bell('Which bells weigh over 300 kg?', 'Widow', 'Cuthbert')
  })
  describe('numbers that rows are called by are nothing to compare or add', () => {
    const order = (question: string, ...expected: readonly (string | number)[]) =>
      check(ORDERS, 1, question, ...expected)
    order('Which order has the largest amount?', 'Birch')
    order('Which order is the smallest?', 'Cedar')
    order('How many orders are there?', 3, '')
    order('What is the total amount of the orders?', 1950, 'EUR')
  })
  describe('a column under another, though its name is a superlative', () => {
    stock('哪些库存低于最低库存？', '机油滤芯')
  })
  describe('a column of yes and no that is named is a condition', () => {
    rate('Which rates are insured?', '2,360', '2,075')
    rate('Which rates are not insured?', '2,100', '2,360')
    rate('How many containers are not insured?', 2, '')
    rate('What is the average rate of insured containers?', 2217.5, 'USD')
    rate('Is the rate from Gdansk to Busan insured?', '2,100')
    tool('哪些工具需要校准？', '水平仪', '游标卡尺')
    tool('不需要校准的工具有哪些？', '卷尺')
  })
  describe('a sum is of what is asked, and not of what a condition is on', () => {
    tool('2025年借出的工具平均押金是多少？', 40, 'CNY')
    tool('二号柜的工具押金一共多少元？', 100, 'CNY')
    tool('二号柜一共有几种工具？', 2, '')
    tool('需要校准的工具一共多少钱？', 100, 'CNY')
    tool('押金低于50元的工具有几种？', 2, '')
    tool('押金超过2000元的有哪些？')
  })
  describe('what is denied is what the rows do not say', async () => {
    const dishes = await tableOf(`
Dish | Made with | Price | Vegan | Cook
Chowder | leek, cod | £9 | no | Ada
Dhal | lentils, garlic | £7 | yes | Ben
Stew | leek, garlic | £8 | - |
Pie | apple | £5 | yes | nobody`)
    const dish = (question: string, ...expected: readonly (string | number)[]) =>
      check(dishes, 0, question, ...expected)
    dish('Which dishes do not contain garlic?', 'Chowder', 'Pie')
    dish('Which dishes are without leek?', 'Dhal', 'Pie')
    dish('Which dishes are not made with leek?', 'Dhal', 'Pie')
    dish('Which vegan dishes do not contain garlic?', 'Pie')
    dish('How many dishes do not contain garlic?', 2, '')
    dish('Which dishes have no cook?', 'Stew', 'Pie')
    dish('Which dishes are not vegan?', 'Chowder')
    dish('What is the price of the Dhal if I do not want garlic?', 'Dhal')
    test('what no cell says is missing, not denied', () => {
      const query = tableQueryFor(
        parseQuestion('Which dishes do not contain nuts?', 'en'),
        dishes,
        terms,
      )
      expect(query?.missing.map(({ text }) => text)).toEqual(['contain', 'nut'])
      expect(query?.where).toEqual([])
    })
    const orders = await tableOf('Order | Status\nHX12 | sent\nKL40 | open')
    check(orders, 1, 'What is the status of order no HX12?', 'sent')
    const 菜单 = await tableOf(
      '菜名 | 配料 | 价格 | 掌勺\n豆腐汤 | 豆腐、香菜 | 18元 | 老周\n炒藕片 | 莲藕 | 22元 | 暂无\n拌黄瓜 | 黄瓜、香菜 | 12元 | 小丁',
    )
    check(菜单, 0, '哪些菜不放香菜？', '炒藕片')
    check(菜单, 0, '哪道菜没有掌勺？', '炒藕片')
  })
  describe('of one column that is named, the only other one that compares with it', async () => {
    const parts = await tableOf(
      'Part | On hand | Reorder at | Cost\nBelt | 34 | 12 | £14\nCog | 7 | 10 | £21\nTube | 3 | 8 | £4',
    )
    check(parts, 0, 'Which parts are below the reorder point?', 'Cog', 'Tube')
    check(parts, 0, 'Is the belt below the reorder point?', 'Belt')
    const goals = await tableOf(
      'Team | Goals | Points\nRovers | 9 | 14\nUnited | 22 | 12\nAthletic | 7 | 20',
    )
    check(goals, 0, 'Which team has more goals than the Rovers?', 'Rovers')
  })
  describe('what is counted is the number that a column tells', async () => {
    const 楼栋 = await tableOf(
      '楼号 | 户数 | 同意户数 | 装电梯\n1号楼 | 36 | 31 | 是\n2号楼 | 24 | 9 | 否\n3号楼 | 30 | 12 | 是',
    )
    check(楼栋, 2, '2号楼有几户同意装电梯？', '9')
    check(楼栋, 0, '7号楼有几户？')
    const 库存 = await tableOf('名称 | 库存 | 最低库存\n皮带 | 3 | 3\n齿轮 | 5 | 2')
    check(库存, 0, '库存等于最低库存的是哪种？', '皮带')
    const cargo = await tableOf(
      'Voyage | Containers | Cargo (t)\nNB-1 | 377 | 6105\nNB-2 | 212 | 3180',
    )
    check(cargo, 2, 'How many tonnes of cargo did NB-2 carry?', '3180')
  })
  describe('what has none of it', async () => {
    const fees = await tableOf(`
Class | Fee (year) | Locker deposit | Weight without pack
Full | £312 | £15 | 31 kg
Junior | £118 | none | 28 kg
Social | £55 | none | 40 kg`)
    const fee = (question: string, ...expected: readonly (string | number)[]) =>
      check(fees, 0, question, ...expected)
    fee('Which classes have no locker deposit?', 'Junior', 'Social')
    fee("Which classes don't pay a locker deposit?", 'Junior', 'Social')
    fee('How many classes have no locker deposit?', 2, '')
    fee('Which class has the lowest locker deposit?', 'Junior', 'Social')
    fee('Which class has the highest locker deposit?', 'Full')
    fee('What is the weight without pack of Full?', 'Full')
    const 课程 = await tableOf(
      '课程 | 学费 | 材料费\n国画 | 980元 | 120元\n竹笛 | 1200元 | 无\n陶艺 | 1460元 | 300元',
    )
    check(课程, 0, '哪些课程不收材料费？', '竹笛')
    check(课程, 0, '哪个课程材料费最高？', '陶艺')
    describe('a bound is on the column that the question names, or on none', () => {
      fee('Which classes have a fee of more than £100?', 'Full', 'Junior')
      fee('Which classes have a locker deposit of more than £10?', 'Full')
      fee('Which classes are more than £100?')
    })
  })
  test('how long asks for the length, where a column is called so', async () => {
    const carts = await tableOf(
      'Model | Range | Torque | Length\nAlba | 45 km | 40 Nm | 1.98 m\nBora | 70 km | 75 Nm | 2.31 m',
    )
    expect(
      tableQueryFor(parseQuestion('How long is the Bora?', 'en'), carts, terms)?.columns,
    ).toEqual([3])
  })
  describe('all but one', () => {
    rate('Which rate to Valencia is there except for Xiamen?', '2,075')
    stock('除了火花塞，名称有哪些？', '空气滤芯', '机油滤芯')
  })
  test('the columns that are asked for are told', () => {
    const query = tableQueryFor(
      parseQuestion('What is the transit from Busan to Valencia?', 'en'),
      RATES,
      terms,
    )
    expect(query?.columns).toEqual([3])
  })
  test('a year that no column is of gives no row', async () => {
    const costs = await tableOf('Item | 2021 | 2022\nRent | 12 | 13\nPaper | 1 | 2')
    const ask = (question: string) =>
      tableQueryFor(parseQuestion(question, 'en'), costs, terms)?.columns
    expect([ask('What was rent in 2022?'), ask('What was rent in 2019?')]).toEqual([[2], undefined])
  })
})
