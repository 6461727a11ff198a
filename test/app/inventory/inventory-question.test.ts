import { describe, expect, test } from 'vitest'
import { detectReplyLanguage } from '../../../src/agent/messages/reply-language.ts'
import { parseInventoryQuestion } from '../../../src/app/inventory/inventory-question.ts'

/** A Sunday. */
const NOW = new Date(2026, 10, 29)

function parse(text: string) {
  const question = parseInventoryQuestion(text, detectReplyLanguage(text), NOW)
  if (!question) return undefined
  const { wants, by, limit, isSorted, groupBy, selection } = question
  return {
    wants,
    ...(by && { by }),
    ...(limit && { limit }),
    ...(isSorted && { isSorted }),
    ...(groupBy && { groupBy }),
    ...selection,
  }
}

describe('a question about the collection is read', () => {
  const check = (text: string, expected: object) =>
    test(text, () => expect(parse(text)).toEqual(expected))
  const year = { from: '2024-01-01', until: '2024-12-31', of: 'own' }

  check('Which files are there?', { wants: 'list' })
  check('What documents do you have?', { wants: 'list' })
  check('Please list all files', { wants: 'list' })
  check('How many documents are there in this collection?', { wants: 'count' })
  check('How many PDFs are in the library?', { wants: 'count', kind: 'pdf' })
  check('Do you have any spreadsheets?', { wants: 'list', kind: 'spreadsheet' })
  check('How many documents from 2024 are there?', { wants: 'count', period: year })
  check('How many files are in the folder reports?', { wants: 'count', folder: 'reports' })
  check('Which documents mention the warranty?', { wants: 'list', topic: 'the warranty' })
  check('Are there any documents about green tea?', { wants: 'list', topic: 'green tea' })
  check('Show me the three newest documents', { wants: 'newest', limit: 3 })
  check('Which file is the largest?', { wants: 'largest' })
  check('What has changed since Monday?', {
    wants: 'changes',
    period: { from: '2026-11-23', of: 'changed' },
  })
  check('Which documents were added since last week about pumps?', {
    wants: 'list',
    period: { from: '2026-11-16', of: 'added' },
    topic: 'pumps',
  })
  check('Summarise everything about the flood plan', { wants: 'summary', topic: 'the flood plan' })

  check("Show me everything that's in the library", { wants: 'list' })
  check('How large is the collection?', { wants: 'count' })
  check('How many of our documents are presentations?', { wants: 'count', kind: 'presentation' })
  check('How many documents about solar panels are there?', {
    wants: 'count',
    topic: 'solar panels',
  })
  check('In which files is the water tank mentioned?', { wants: 'list', topic: 'the water tank' })
  check('Which document was added last?', { wants: 'newest', by: 'added' })
  check('Show me recently modified documents', { wants: 'newest', by: 'changed', limit: 10 })
  check("What's new in the library?", { wants: 'newest', by: 'changed', limit: 10 })
  check('When was the newest file added?', { wants: 'newest', by: 'added' })
  check('Which presentation has the most pages?', { wants: 'longest', kind: 'presentation' })
  check('Which files changed since 1 November?', {
    wants: 'list',
    period: { from: '2026-11-01', of: 'changed' },
  })
  check('What do you have on fire safety?', { wants: 'summary', topic: 'fire safety' })

  check('有哪些文件？', { wants: 'list' })
  check('把人事目录下的文件列出来', { wants: 'list', folder: '人事' })
  check('提到供应商的文件有几份？', { wants: 'count', topic: '供应商' })
  check('哪些文件与太阳能有关？', { wants: 'list', topic: '太阳能' })
  check('有没有噪声防护方面的资料？', { wants: 'list', topic: '噪声防护' })
  check('最近添加的三个文件是什么？', { wants: 'newest', by: 'added', limit: 3 })
  check('页数最多的文档是哪份？', { wants: 'longest' })
  check('自11月1日以来更新了哪些文档？', {
    wants: 'list',
    period: { from: '2026-11-01', of: 'changed' },
  })
  check('把关于桥梁的内容都总结一下', { wants: 'summary', topic: '桥梁' })
  check('知识库里有几个PDF文件？', { wants: 'count', kind: 'pdf' })
  check('请问一共有多少份文档？', { wants: 'count' })
  check('2024年的文件有多少份？', { wants: 'count', period: year })
  check('报告文件夹里有哪些文件？', { wants: 'list', folder: '报告' })
  check('哪些文件提到了保修？', { wants: 'list', topic: '保修' })
  check('列出所有关于绿茶的文档', { wants: 'list', topic: '绿茶' })
  check('最新的三份文件是什么？', { wants: 'newest', limit: 3 })
  check('最长的文档是哪一份？', { wants: 'longest' })
  check('上周新增了哪些文件？', {
    wants: 'list',
    period: { from: '2026-11-16', until: '2026-11-22', of: 'added' },
  })
  check('总结一下关于防洪的所有内容', { wants: 'summary', topic: '防洪' })
})

describe('a language is a condition, or what is counted by', () => {
  const check = (text: string, expected: object) =>
    test(text, () => expect(parse(text)).toEqual(expected))

  check('How many documents are in Chinese?', { wants: 'count', language: 'zh' })
  check('Which files are written in German?', { wants: 'list', language: 'de' })
  check('List the French PDFs', { wants: 'list', language: 'fr', kind: 'pdf' })
  check('Which documents in English are about tea?', {
    wants: 'list',
    language: 'en',
    topic: 'tea',
  })
  check('List all Chinese contracts', { wants: 'list', language: 'zh', genre: 'contracts' })
  check('Is there anything in Japanese?', { wants: 'list', language: 'ja' })
  check('Count the documents by language', { wants: 'count', groupBy: 'languages' })
  check('What languages are the documents written in?', { wants: 'list', groupBy: 'languages' })
  check('有多少份中文文档？', { wants: 'count', language: 'zh' })
  check('哪些文档是用英语写的？', { wants: 'list', language: 'en' })
  check('德文的合同有几份？', { wants: 'count', language: 'de', genre: '合同' })
  check('按语言统计文档数量', { wants: 'count', groupBy: 'languages' })
  check('按语言统计文档', { wants: 'count', groupBy: 'languages' })
  check('按年份统计文档', { wants: 'count', groupBy: 'years' })
  check('按文件夹分类统计文件', { wants: 'count', groupBy: 'folders' })
  check('每种语言有多少文档？', { wants: 'count', groupBy: 'languages' })
  check('统计各文件夹的文档数量', { wants: 'count', groupBy: 'folders' })
  check('documents by year', { wants: 'count', groupBy: 'years' })
  check('文档都有哪些语言？', { wants: 'list', groupBy: 'languages' })
  check('Count the documents by folder', { wants: 'count', groupBy: 'folders' })
  check('How many files are in each folder?', { wants: 'count', groupBy: 'folders' })
  check('How many documents are there per year?', { wants: 'count', groupBy: 'years' })
  check('How many PDFs are from each year?', { wants: 'count', groupBy: 'years', kind: 'pdf' })
  check('按文件夹统计文档数量', { wants: 'count', groupBy: 'folders' })
  check('每个文件夹有多少文件？', { wants: 'count', groupBy: 'folders' })
  check('各个目录下有几份文档？', { wants: 'count', groupBy: 'folders' })
  check('按年份统计文档数量', { wants: 'count', groupBy: 'years' })
  check('按日期统计文档数量', { wants: 'count', groupBy: 'years' })
  check('每年有多少份文档？', { wants: 'count', groupBy: 'years' })
  check('How many documents does each folder have?', { wants: 'count', groupBy: 'folders' })
  check('How many PDFs does each author have?', { wants: 'count', groupBy: 'authors', kind: 'pdf' })
  check('Break down the documents by tag', { wants: 'list', groupBy: 'tags' })
  check('How many files are in each collection?', { wants: 'count', groupBy: 'collections' })
  check('How many folders are there?', { wants: 'count', groupBy: 'folders' })
  check('What kinds of documents are there?', { wants: 'list', groupBy: 'kinds' })
  check('How many documents does each department have?', {
    wants: 'count',
    groupBy: { attribute: 'department' },
  })
  check('每位作者有多少份文档？', { wants: 'count', groupBy: 'authors' })
  check('哪位作者的文档最多？', { wants: 'list', groupBy: 'authors' })
  check('各标签下有多少文件？', { wants: 'count', groupBy: 'tags' })
  check('每个知识库有多少份文档？', { wants: 'count', groupBy: 'collections' })
  check('有哪些文件夹？', { wants: 'list', groupBy: 'folders' })
  check('每个部门有多少文档？', { wants: 'count', groupBy: { attribute: '部门' } })
  check('按类型统计文档数量', { wants: 'count', groupBy: 'kinds' })
})

describe('a negated condition leaves documents out', () => {
  const check = (text: string, expected: object) =>
    test(text, () => expect(parse(text)).toEqual({ wants: 'list', ...expected }))

  check('Which files are not in English?', { excluded: [{ language: 'en' }] })
  check("List everything that isn't a Markdown file", { excluded: [{ kind: 'markdown' }] })
  check('Which documents are neither contracts nor reports?', {
    excluded: [{ genre: 'contracts' }, { genre: 'reports' }],
  })
  check('Which PDFs from 2024 do not mention the crane?', {
    kind: 'pdf',
    period: { from: '2024-01-01', until: '2024-12-31', of: 'own' },
    excluded: [{ topic: 'the crane' }],
  })
  check('Show me all documents except the contracts', { excluded: [{ genre: 'contracts' }] })
  check('How many non-English documents are there?', {
    wants: 'count',
    excluded: [{ language: 'en' }],
  })
  check('Which files have not been changed since Monday?', {
    excluded: [{ period: { from: '2026-11-23', of: 'changed' } }],
  })
  check('哪些文件不是中文的？', { excluded: [{ language: 'zh' }] })
  check('除了合同以外还有哪些文件？', { excluded: [{ genre: '合同' }] })
  check('哪些文档没有提到起重机？', { excluded: [{ topic: '起重机' }] })
  check('不在手册文件夹里的文件有哪些？', { excluded: [{ folder: '手册' }] })
  check('与消防无关的文档有哪些？', { excluded: [{ topic: '消防' }] })
  check('哪些文件既不是中文也不是英文？', { excluded: [{ language: 'zh' }, { language: 'en' }] })
  check('本周以来没有更新的文件有哪些？', {
    excluded: [{ period: { from: '2026-11-23', of: 'changed' } }],
  })
})

describe('a period has two ends, one, or the words for either', () => {
  const check = (text: string, period: object) =>
    test(text, () => expect(parse(text)).toMatchObject({ period: { ...period, of: 'own' } }))

  check('documents from before 2024', { until: '2023-12-31' })
  check('Which documents are from 2024 or later?', { from: '2024-01-01' })
  check('Which contracts are older than 2023?', { until: '2022-12-31' })
  check('Which reports are newer than 2023?', { from: '2024-01-01' })
  check('Which files were written until 2023?', { until: '2023-12-31' })
  check('Which documents date from between 2022 and 2023?', {
    from: '2022-01-01',
    until: '2023-12-31',
  })
  check('2022年到2023年之间的文件', { from: '2022-01-01', until: '2023-12-31' })
  check('2024年以前的文件有哪些？', { until: '2023-12-31' })
  check('哪些文档早于2023年？', { until: '2022-12-31' })
})

describe('a noun for documents is a name that they must have', () => {
  const check = (text: string, expected: object) =>
    test(text, () => expect(parse(text)).toEqual(expected))

  check('How many reports are there?', { wants: 'count', genre: 'reports' })
  check('Which report is the newest?', { wants: 'newest', genre: 'report' })
  check('Show me the three latest annual reports', {
    wants: 'newest',
    limit: 3,
    genre: 'annual reports',
  })
  check('Sort the manuals by length', { wants: 'longest', isSorted: true, genre: 'manuals' })
  check('List all contracts by date, oldest first', {
    wants: 'oldest',
    isSorted: true,
    genre: 'contracts',
  })
  check('Which reports are about pumps?', { wants: 'list', genre: 'reports', topic: 'pumps' })
  check('What is the newest model?', { wants: 'newest', genre: 'model' })
  check('List all steps', { wants: 'list', genre: 'steps' })
  check('What is the longest word?', { wants: 'longest', genre: 'word' })
  check('What is known about the bridge?', { wants: 'list', genre: 'known', topic: 'the bridge' })
  check('去年销售有什么变化？', {
    wants: 'list',
    genre: '销售',
    period: { of: 'changed', from: '2025-01-01', until: '2025-12-31' },
  })
  check('有几份报告？', { wants: 'count', genre: '报告' })
  check('哪份报告最新？', { wants: 'newest', genre: '报告' })
  check('最新的合同是哪一份？', { wants: 'newest', genre: '合同' })
  check('按日期列出报告', { wants: 'newest', isSorted: true, genre: '报告' })
  check('把报告按时间从旧到新排列', { wants: 'oldest', isSorted: true, genre: '报告' })
  check('按大小列出PDF文件', { wants: 'largest', isSorted: true, kind: 'pdf' })
  check('最新的价格是多少？', { wants: 'newest', genre: '价格' })
})

describe('a question about what documents state is none', () => {
  const check = (text: string) => test(text, () => expect(parse(text)).toBeUndefined())

  check('Which documents are required?')
  check('Which documents do I need for a visa?')
  check('How many files can be uploaded?')
  check('How many files are deleted after 30 days?')
  check('How many documents must a tenant sign?')
  check('Which files does the program write?')
  check('Which file formats are supported?')
  check('What changed since version 2?')
  check('What is this document about?')
  check('What do the documents say about tea?')
  check('Which documents?')
  check('What is a document?')
  check('Which languages does the program support?')
  check('How do you say hello in Chinese?')
  check('支持哪些语言？')
  check('When was the document created?')
  check('What is the email address of the club?')
  check('How many people have access to the files?')
  check('Tell me everything about how to apply')
  check('Which documents on income do I need?')
  check("What's new in 2026?")
  check('什么是文件？')
  check('可以上传多少个文件？')
  check('文件里有什么内容？')
  check('文件是什么时候签署的？')
  check('关于保险需要哪些文件？')
  check('哪些文件需要盖章？')
  check('需要提交多少份文件？')
  check('入职要带哪些资料？')
  check('这份文件是关于什么的？')
  check('签证有哪些文件要求？')
  check('How many years do we store documents?')
  check('What does each folder contain?')
  check('Which author has the most books?')
  check('Break down the costs by year')
  check('按年份统计收入')
  check('作者是谁？')
  check('每个人需要多少份文件？')
})

test('a long question of many readings ends', () => {
  const start = process.cpuUsage()
  expect(parse(`show all the files ${'in the files of the last file '.repeat(6)}x`)).toBeUndefined()
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000)
})
