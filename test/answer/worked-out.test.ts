import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const PLANTS = [
  ['Plant', 'Evergreen', 'Price (EUR)', 'Stock', 'Planted'],
  ['Holly', 'yes', '24.50', '14', '2023-03-12'],
  ['Beech', 'no', '39.00', '0', '2024-10-02'],
  ['Box', 'yes', '12.00', '55', '2025-02-20'],
  ['Yew', 'yes', '28.00', '0', '2026-01-15'],
]
const 板材 = [
  ['品名', '产地', '库存（张）', '单价（元）', '进货日期', '防水'],
  ['松木板', '福建', '120', '85', '2023-06-01', '否'],
  ['竹胶板', '浙江', '0', '140', '2024-09-18', '是'],
  ['石膏板', '山东', '300', '32', '2025-01-10', '否'],
  ['水泥板', '山东', '45', '66', '2025-08-22', '是'],
]

/** The line over the rows that says what was worked out of them, and the rows that are cited. */
async function worked(question: string) {
  const isChinese = /\p{Script=Han}/u.test(question)
  const { answer, citations } = await (isChinese
    ? answerFromTable(question, 板材, ['板材库存', '周末不发料。'])
    : answerFromTable(question, PLANTS, ['Plants of the nursery', 'The gate closes at dusk.']))
  const [, line] = answer.split('\n')
  const rows = citations.flatMap(({ text }) => text.split('\n')).map(row => row.split(' | ')[0])
  return [line, rows.sort().join(' ')]
}

test.each([
  [
    'How many plants are evergreen?',
    'Rows, counted in the table: 3 of 4 (Evergreen: yes)',
    'Box Holly Yew',
  ],
  [
    'How many plants were planted since 2025?',
    'Rows, counted in the table: 2 of 4 (Planted: since 2025)',
    'Box Yew',
  ],
  [
    'What is the average price of evergreen plants?',
    'Average of Price (EUR): 21.5 EUR, from 3 of 4 rows (Evergreen: yes)',
    'Box Holly Yew',
  ],
  [
    'What is the total stock of evergreen plants?',
    'Sum of Stock: 69, from 3 of 4 rows (Evergreen: yes)',
    'Box Holly Yew',
  ],
  [
    'How many plants are out of stock?',
    'Rows, counted in the table: 2 of 4 (Stock: out of stock)',
    'Beech Yew',
  ],
  [
    'What is the total stock of holly and box?',
    'Sum of Stock: 69, from 2 of 4 rows (Plant: holly / box)',
    'Box Holly',
  ],
  [
    '山东和福建的板材有几种？',
    '按表格计数，行数：3，共 4（产地：山东 / 福建）',
    '松木板 水泥板 石膏板',
  ],
  ['防水的板材有几种？', '按表格计数，行数：2，共 4（防水：是）', '水泥板 竹胶板'],
  [
    '2025年以后进货的板材有几种？',
    '按表格计数，行数：2，共 4（进货日期：2025年以后）',
    '水泥板 石膏板',
  ],
  ['山东的板材有几种？', '按表格计数，行数：2，共 4（产地：山东）', '水泥板 石膏板'],
  [
    '单价低于100元的板材有几种？',
    '按表格计数，行数：3，共 4（单价（元）：低于100元）',
    '松木板 水泥板 石膏板',
  ],
  [
    '防水板材的平均单价是多少？',
    '按表格平均（单价（元））：103 CNY，4 行中的 2 行（防水：是）',
    '水泥板 竹胶板',
  ],
])('%s is answered with the conditions that its rows meet', async (question, line, rows) => {
  expect(await worked(question)).toEqual([line, rows])
})

test.each([
  [
    'How many plants cost over 50 euros?',
    'Rows, counted in the table: 0 of 4 (Price (EUR): over 50 euros)',
  ],
  [
    'How many evergreen plants were planted before 2020?',
    'Rows, counted in the table: 0 of 4 (Planted: before 2020; Evergreen: yes)',
  ],
  ['单价高于200元的板材有几种？', '按表格计数，行数：0，共 4（单价（元）：高于200元）'],
  ['2026年以后进货的板材有几种？', '按表格计数，行数：0，共 4（进货日期：2026年以后）'],
])('%s has none for an answer, and all rows are cited', async (question, line) => {
  const all = line.startsWith('Rows') ? 'Beech Box Holly Yew' : '松木板 水泥板 石膏板 竹胶板'
  expect(await worked(question)).toEqual([line, all])
})

test.each(['How many plants cost over 10 euros?', '单价高于10元的板材有几种？'])(
  '%s is counted though the table calls it by another form of the word',
  async question => expect((await worked(question))[0]).toMatch(/: 4 of 4|：4，共 4/),
)

test.each([
  'How many thorny plants cost over 50 euros?',
  'How many plants weigh over 50 kg?',
  'How many gardeners earn over 50 euros?',
  '带刺的单价高于200元的板材有几种？',
  '重量高于200公斤的板材有几种？',
])('%s is not said to have none: it is not known what is meant', async question => {
  expect((await worked(question))[0] ?? '').not.toMatch(/0 of 4|：0，共/)
})

test.each([
  'What is the total of visitors?',
  'What is the average number of visitors?',
  'Which town has the most visitors?',
])(
  '%s is not worked out of numbers that may be read in two ways: the table is quoted',
  async question => {
    const rows = [
      ['Town', 'Visitors'],
      ['Kiel', '950'],
      ['Bonn', '1.234'],
      ['Ulm', '12.500'],
    ]
    const { answer, citations } = await answerFromTable(question, rows, [
      'Visitors of the towns',
      'All are welcome.',
    ])
    expect(answer).not.toMatch(/Sum|Average|counted/)
    expect(answer).toContain('The numbers under “Visitors” may be read in two ways')
    expect(citations[0]?.text).toBe('Kiel | 950\nBonn | 1.234\nUlm | 12.500')
  },
)

test('rows are not counted for kinds of what the table says nothing of', async () => {
  expect((await worked('松木板有几种颜色？'))[0] ?? '').not.toMatch(/行数/)
})

test('a column of minutes does not tell how many times: the rows are counted', async () => {
  const rows = [
    ['库房', '报警类型', '报警时长（分钟）'],
    ['北库', '温度过高', '18'],
    ['南库', '断电', '95'],
    ['北库', '温度过高', '42'],
  ]
  const { answer } = await answerFromTable('北库的报警有几次？', rows, [
    '报警汇总',
    '由值班员填写。',
  ])
  expect(answer).toContain('按表格计数，行数：2，共 3')
})

test('rows without a value are not counted in a sum', async () => {
  const rows = [
    ['Plant', 'Stock'],
    ['Holly', '1,000'],
    ['Beech', '-'],
    ['Box', 'n/a'],
    ['Yew', '200'],
    ['Elm', '30'],
    ['Ash', '70'],
    ['Fir', '5'],
    ['Oak', '15'],
    ['Lime', '80'],
  ]
  const { answer } = await answerFromTable('What is the total stock?', rows, [
    'Plants',
    'The gate closes at dusk.',
  ])
  expect(answer.split('\n')[1]).toBe('Sum of Stock: 1400, from 7 of 9 rows')
})

test('a long table of such numbers is not quoted, but named', async () => {
  const towns = Array.from({ length: 90 }, (_, nth) => [
    `Town number ${nth} of the list`,
    `${1 + (nth % 9)}.${300 + nth}`,
  ])
  const rows = [['Town', 'Visitors'], ...towns]
  const { answer } = await answerFromTable('Which town has the most visitors?', rows, [
    'Towns',
    'All are welcome.',
  ])
  expect(answer).toMatch(
    /^The documents do not say\.\nThe numbers under “Visitors” may be read in two ways/,
  )
})

test.each([[['$12.50', '€9.00', '£7.00']], [['10-12', '9', '> 11']]])(
  'what is cheapest of %s is left to the reader',
  async prices => {
    const rows = [['Pump', 'Price'], ...prices.map((price, nth) => [`PX-${nth}`, price])]
    const { answer, citations } = await answerFromTable('Which pump has the lowest price?', rows, [
      'Pumps',
      'Ask at the desk.',
    ])
    expect(answer).toContain(
      'The numbers under “Price” are in several units, or are ranges or approximate',
    )
    for (const { text } of citations) expect(text).not.toMatch(/^PX-[^\n]*$/)
  },
)
