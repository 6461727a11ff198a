import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { collectAnswer } from '../../fakes/answers.ts'
import { startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([
    await sandbox.write({
      'rivers/dam.md': '# Dam\n\nThe reservoir dam was inspected in May. Its gates were repainted.',
      'rivers/flood.md': '# Flood plan\n\nThe reservoir is lowered before the flood season.',
      'metro.md': '# Metro\n\nThe metro got a new line.',
      'prices.csv': 'Item,Price\nPump,12\nHose,3\n',
      'note.html': '<html><head><title>Note</title></head><body><p>Bring a lamp.</p></body></html>',
    }),
  ])
})
afterAll(() => sandbox.remove())

const ask = async (question: string) => await collectAnswer(passim.ask({ question }))

test('documents are counted, by kind', async () => {
  const { answer, abstained } = await ask('How many documents are there?')
  expect(abstained).toBe(false)
  expect(answer).toMatch(/^There are 5 documents: 3 Markdown, 1 web page, 1 spreadsheet\n/)
  expect((await ask('这里有多少份文档？')).answer).toMatch(/^共有 5 份文档：Markdown 3 份/)
})

test('documents are counted by folder and by year', async () => {
  expect((await ask('How many files are in each folder?')).answer).toMatch(
    /^There are 5 documents in 2 folders: 3 in “[^”/]+”, 2 in “rivers”\n/,
  )
  expect((await ask('每个文件夹有多少文件？')).answer).toMatch(
    /^共有 5 份文档，涉及 2 个文件夹：文件夹“[^”/]+” 3 份、文件夹“rivers” 2 份\n/,
  )
  expect((await ask('How many documents are there per year?')).answer).toMatch(
    /^There are 5 documents: 5 without a date\n/,
  )
})

describe('documents are counted by what their files, folders or users state', () => {
  let own: Sandbox
  let library: Passim
  beforeAll(async () => {
    own = await Sandbox.make()
    library = await own.open()
    const front = (author: string, tags: string) => `---\nauthor: ${author}\ntags: [${tags}]\n---\n`
    const notes = await own.write({
      'a.md': `${front('Ida Brandt', 'heating, winter')}# A\n\nThe boiler was cleaned.`,
      'b.md': `${front('Ida Brandt', 'heating')}# B\n\nThe pump was cleaned.`,
      'c.md': `${front('Li Wen', 'roof')}# C\n\nThe roof was cleaned.`,
      'd.md': '# D\n\nNobody signed this.',
    })
    await library.index([notes], { collection: 'notes' })
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md']) {
      const { id } = await library.scope.findDocument(
        name,
        await library.scope.findCollections(['notes']),
      )
      await library.setAttributes(id, { department: 'Repairs', '完成%': 80 })
    }
    const plans = await own.write({ 'plans/e.md': '# E\n\nThe cellar will be dried.' })
    await library.index([`${plans}/plans`], { collection: 'plans' })
  })
  afterAll(() => own.remove())
  const check = (question: string, expected: string) =>
    test(question, async () => {
      const { answer } = await collectAnswer(library.ask({ question }))
      expect(answer.split('\n')[0]).toBe(expected)
    })

  check(
    'How many documents does each author have?',
    'There are 5 documents by 2 authors: 2 by Ida Brandt, 2 without an author, 1 by Li Wen',
  )
  check(
    'How many documents does each tag have?',
    'There are 5 documents with 3 tags: 2 tagged “heating”, 2 without a tag, 1 tagged “winter”, 1 tagged “roof”',
  )
  check(
    'How many documents does each collection have?',
    'There are 5 documents in 2 searched collections: 4 in “notes”, 1 in “plans”',
  )
  check(
    'How many documents does each department have?',
    'There are 5 documents with 1 value of “department”: 4 with “department” Repairs, 1 without “department”',
  )
  check(
    '每位作者有多少份文档？',
    '共有 5 份文档，涉及 2 位作者：作者“Ida Brandt” 2 份、没有作者的 2 份、作者“Li Wen” 1 份',
  )
  check(
    '每个文档集有多少份文档？',
    '共有 5 份文档，涉及 2 个检索到的文档集：文档集“notes” 4 份、文档集“plans” 1 份',
  )
  check('按部门统计文档', '共有 5 份文档，涉及 1 种“部门”：部门“Repairs” 4 份、没有“部门”的 1 份')

  check('按完成%统计文档', '共有 5 份文档，涉及 1 种“完成%”：完成%“80” 4 份、没有“完成%”的 1 份')

  test('a property that no document has is no reason for a list', async () => {
    const question = 'How many documents does each planet have?'
    expect(await collectAnswer(library.ask({ question }))).toMatchObject({ abstained: true })
  })

  test('a model counts by the same properties', async () => {
    const calls = ['author', 'department'].map(group_by => ({
      name: 'documents',
      arguments: { group_by },
    }))
    const model = await startScriptedModel([{ calls }, { text: ['Ida wrote most.'] }])
    const withModel = await own.open({ settings: { model: { url: model.url, name: 'scripted' } } })
    try {
      const results: unknown[] = []
      for await (const event of withModel.ask({ question: 'Who wrote most of it?' }).events)
        if (event.type === 'tool-result') results.push(JSON.parse(event.text))
      const authors = [{ value: 'Ida Brandt', documents: 2 }, { documents: 2 }]
      expect(results).toHaveLength(2)
      for (const groups of [
        [...authors, { value: 'Li Wen', documents: 1 }],
        [{ value: 'Repairs', documents: 4 }, { documents: 1 }],
      ])
        expect(results).toContainEqual(expect.objectContaining({ groups }))
    } finally {
      await model.close()
    }
  })
})

test('documents are selected by kind, folder and date', async () => {
  expect((await ask('Which spreadsheets are there?')).answer).toContain('prices.csv')
  const inFolder = (await ask('Which files are in the folder rivers?')).answer
  expect(inFolder).toMatch(/^2 of 5 documents \(folder “rivers”\)/)
  expect((await ask('What changed since yesterday?')).answer).toMatch(/^5 of 5 documents/)
  expect((await ask('How many documents were added before 2020?')).answer).toMatch(/^None of 5/)
})

test('documents about a topic are all named, each with a verified quotation', async () => {
  const { answer, citations } = await ask('Which documents are about the reservoir?')
  expect(answer).toMatch(/^2 of 5 documents \(about “the reservoir”\)/)
  expect(citations.map(({ doc, support }) => [doc, support]).toSorted()).toEqual([
    ['dam.md', 'stated'],
    ['flood.md', 'stated'],
  ])
})

test('documents that meet a negated condition are left out', async () => {
  const { answer } = await ask('Which documents do not mention the reservoir?')
  expect(answer).toMatch(/^3 of 5 documents \(not about “the reservoir”\)/)
  expect((await ask('除了表格以外还有哪些文件？')).answer).toMatch(/^5 份文档中有 4 份.*排除表格/)
  expect(await ask('Which documents are neither zeppelins nor balloons?')).toMatchObject({
    abstained: true,
  })
})

test('a summary without a model quotes each document about its topic', async () => {
  const { answer } = await ask('Summarise everything about the reservoir')
  expect(answer).toContain('Its gates were repainted. [')
  expect(answer).toContain('The reservoir is lowered before the flood season. [')
  expect(answer).not.toContain('metro')
})

test('the newest document is the last one added if none states a date', async () => {
  const { answer } = await ask('Which is the newest document?')
  expect(answer).toMatch(/^No document states a date\. Last added:\n- /)
  expect((await ask('最长的文档是哪一份？')).answer).toMatch(/^文字最多的：\n- .*词元/)
})

test('the documents added last are named with the day', async () => {
  const { answer } = await ask('Show me the two files that were added last')
  expect(answer).toMatch(/^Last added:\n- .*added \d{4}-\d\d-\d\d\n- .*added \d{4}-\d\d-\d\d$/)
  expect((await ask('知识库里有什么新内容？')).answer).toMatch(/^最后添加或更改的：\n/)
})

test('a topic that no document is about is answered like any other question', async () => {
  expect(await ask('Which documents mention zeppelins?')).toMatchObject({ abstained: true })
})

test('with a model, the catalog answers too, and the model lists documents by a tool', async () => {
  const listing = { name: 'documents', arguments: { about: 'reservoir' } }
  const others = {
    name: 'documents',
    arguments: { except: { about: 'reservoir', kind: 'webpage' } },
  }
  const calls = [listing, others]
  const model = await startScriptedModel([{ calls }, { text: ['The dam [1].'] }])
  const withModel = await sandbox.open({
    settings: { model: { url: model.url, name: 'scripted' } },
  })
  try {
    const counted = await withModel.ask({ question: 'How many documents are there?' }).result
    expect(counted.text).toMatch(/^There are 5 documents/)
    expect(model.requests).toEqual([])
    const run = withModel.ask({ question: 'Where was it inspected?' })
    const results: unknown[] = []
    for await (const event of run.events)
      if (event.type === 'tool-result') results.push(JSON.parse(event.text))
    expect(results).toMatchObject([
      { matching: 2, documents: [{}, {}] },
      { matching: 2, documents: [{}, {}] },
    ])
  } finally {
    await model.close()
  }
})

test("a model's summary names the documents about the topic that it does not cite", async () => {
  const model = await startScriptedModel([{ text: ['The dam was inspected in May.'] }])
  const withModel = await sandbox.open({
    settings: { model: { url: model.url, name: 'scripted' } },
  })
  try {
    const question = 'Summarise everything about the reservoir'
    const { text, citations } = await withModel.ask({ question }).result
    const cited = citations.map(({ doc }) => doc)
    const uncited = ['dam.md', 'flood.md'].filter(name => !cited.includes(name))
    expect(uncited.length).toBeGreaterThan(0)
    for (const name of uncited)
      expect(text.split('Also about this, but not quoted:')[1]).toContain(name)
  } finally {
    await model.close()
  }
})

test('documents are selected by a noun of their titles, names or folders', async () => {
  const own = await Sandbox.make()
  try {
    const library = await own.open()
    await library.index([
      await own.write({
        'reports/larch-2024.md': '# Larch Hydro: Annual Report 2024\n\nTwelve pumps were bought.',
        'reports/larch-2025.md': '# Larch Hydro: Half-Year Report\n\nNothing was bought in spring.',
        'pumps.md': '# Pumps\n\nThere are seven pumps in the station.',
        '青禾/2024.md': '# 青禾农机2024年度总结\n\n营业收入增长。',
        '青禾/2025.md': '# 青禾农机总结2025年\n\n营业收入下降。',
        '合同/租赁.md': '# 云杉仓库租赁合同\n\n租期为五年。',
        '合同/配送.md': '# 海燕配送合同（修订版）\n\n每日两班，首班六点半发车，末班二十点发车。',
      }),
    ])
    const answer = async (question: string) =>
      (await collectAnswer(library.ask({ question }))).answer
    expect(await answer('How many reports are there?')).toMatch(
      /^2 of 7 documents \(called “reports”\)/,
    )
    expect(await answer('Which reports are about pumps?')).toMatch(/^1 of 7 documents/)
    expect(await answer('有几份合同？')).toMatch(/^7 份文档中有 2 份符合条件（名为“合同”）/)
    expect(await answer('有几份总结？')).toMatch(/^7 份文档中有 2 份/)
    expect(await answer('最长的合同是哪一份？')).toMatch(/^文字最多的：\n- 海燕/)
    const sorted = await answer('Sort the reports by length')
    expect(sorted.indexOf('larch-2024.md')).toBeGreaterThan(0)
    expect(sorted.split('\n- ')).toHaveLength(3)
    expect(await answer('How many pumps are there?')).toMatch(/seven pumps/)
  } finally {
    await own.remove()
  }
})

const LONG = {
  zh: '租金按季度支付，承租人应当在到期前三个月书面通知出租人，双方可以协商续租，否则视为放弃，押金在验收之后七日内全部退还。',
  en: 'The tenant of the building pays the rent on the first working day of each month, and the landlord repairs the roof, the doors and the heating before winter begins.',
  de: 'Die Gemeinde hat im Frühjahr drei neue Brücken gebaut und die Straße zum Bahnhof erneuert, damit die Schüler sicherer mit dem Fahrrad zur Schule fahren können.',
}

describe('documents of several languages and dates', () => {
  let own: Sandbox
  let library: Passim
  beforeAll(async () => {
    own = await Sandbox.make()
    library = await own.open()
    await library.index([
      await own.write({
        'lease.md': `# Barn Lease Contract\n\n${LONG.en}`,
        'supply_2024.md': `# Supply Contract\n\n${LONG.en} The contract has an annex.`,
        'annual.md': `# Annual Report 2023\n\n${LONG.en} Twenty bicycles were sold.`,
        'plan.md': `# Plan for 2090\n\n${LONG.en}`,
        '租赁.md': `# 云杉仓库租赁合同\n\n${LONG.zh}合同一式两份。`,
        '会议.md': `# 2024年3月5日会议纪要\n\n${LONG.zh}`,
        'brücken.md': `# Brücken\n\n${LONG.de}`,
        'note.md': '# Ok\n\nOk.',
      }),
    ])
  })
  afterAll(() => own.remove())
  const answer = async (question: string) => (await collectAnswer(library.ask({ question }))).answer

  test('are counted by language, and what is too short to tell is said', async () => {
    const chinese = await answer('How many documents are in Chinese?')
    expect(chinese).toMatch(/^2 of 8 documents \(in Chinese\)/)
    expect(chinese).toContain('1 document is too short to tell its language.')
    expect(await answer('有多少份德文文档？')).toMatch(/^8 份文档中有 1 份符合条件（德语）/)
    expect(await answer('Count the documents by language')).toMatch(
      /^There are 8 documents in 3 languages: 4 English, 2 Chinese, 1 German, 1 unknown\n/,
    )
    expect(await answer('按语言统计文档数量')).toMatch(
      /^共有 8 份文档，涉及 3 种语言：英语 4 份、中文 2 份、德语 1 份、语言不明 1 份\n/,
    )
    expect(await answer('How many documents are in Japanese?')).toMatch(/^None of 8 documents/)
    expect(await answer('按年份统计文档数量')).toMatch(
      /^共有 8 份文档，涉及 \d 个年份：没有日期的 \d 份、2024年 2 份、\d{4}年 1 份/,
    )
  })

  test('have the date of their title or file name, unless it is still to come', async () => {
    const listed = await answer('Which documents are from 2024?')
    expect(listed).toMatch(/^2 of 8 documents/)
    expect(listed).toContain('supply_2024.md): 2024\n')
    expect(listed).toContain('会议.md): 2024-03-05\n')
    expect(await answer('2024年3月的文档有哪些？')).toMatch(/^8 份文档中有 1 份/)
    expect(await answer('Which is the newest document?')).toContain('会议.md): 2024-03-05')
    expect(await answer('How many documents are dated before 2024?')).toMatch(/^1 of 8/)
  })

  test('are found by a noun or a topic of the other language', async () => {
    expect(await answer('How many contracts are there?')).toMatch(/^3 of 8 documents/)
    expect(await answer('有几份合同？')).toMatch(/^8 份文档中有 3 份/)
    const english = await answer('Which documents are about contracts?')
    expect(english).toMatch(/^3 of 8 documents/)
    expect(english).toContain('合同一式两份。')
    const chinese = await answer('哪些文档提到了合同？')
    expect(chinese).toMatch(/^8 份文档中有 3 份/)
    expect(chinese).toContain('（英文）Supply Contract')
  })

  test('a model selects by language, too, and sees languages and dates', async () => {
    const listing = { name: 'documents', arguments: { about: 'contract', language: 'zh' } }
    const model = await startScriptedModel([{ calls: [listing] }, { text: ['One.'] }])
    const withModel = await own.open({ settings: { model: { url: model.url, name: 'scripted' } } })
    try {
      const run = withModel.ask({ question: 'Where is the Chinese contract?' })
      const results: unknown[] = []
      for await (const event of run.events)
        if (event.type === 'tool-result') results.push(JSON.parse(event.text))
      const [row] = [{ name: '租赁.md', language: 'zh' }]
      expect(results).toMatchObject([{ matching: 1, unknown_language: 1, documents: [row] }])
      const counted = await withModel.ask({ question: 'How many documents are in Chinese?' }).result
      expect(counted.text).toMatch(/^2 of 8 documents/)
      expect(counted.text).toContain('2024-03-05')
    } finally {
      await model.close()
    }
  })
})
