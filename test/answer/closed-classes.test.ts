import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The files that hold words: nothing but closed classes, each from a source that its file names. */
const TABLES = [
  'src/text/function-words.ts',
  'src/text/polarity.ts',
  'src/answer/question/measures.ts',
  'src/answer/question/english.ts',
  'src/answer/question/chinese.ts',
] as const

const SOURCE =
  /Quirk et al\.|Comprehensive Grammar|Lü Shuxiang|吕叔湘|现代汉语八百词|GB\/T|ISO\/IEC|CLDR/u

/** Things, goods, animals and offices that a rule for a single question once named; data may say them, code may not. */
const CONTENT = [
  ...[
    'hexane',
    'sulfite',
    'ferry',
    'membership',
    'salary',
    'wages?',
    'rents?',
    'fares?',
    'revenue',
    'profit',
    'deposit',
    'fines?',
    'dividend',
  ],
  ...[
    'milk',
    'rooms?',
    'floors?',
    'streets?',
    'roads?',
    'buildings?',
    'halls?',
    'warranty',
    'employees?',
    'customers?',
    'phones?',
    'emails?',
  ],
  ...[
    '工资',
    '薪资',
    '租金',
    '押金',
    '罚款',
    '利润',
    '营收',
    '票价',
    '经理',
    '主任',
    '电话',
    '邮箱',
    '员工',
    '客户',
    '产品',
    '保修',
    '台风',
    '会员',
  ],
]

test.each(TABLES)('%s names where its classes are from', file => {
  const text = readFileSync(file, 'utf8')
  const comments = text.match(/\/\*\*[\s\S]*?\*\//g) ?? []
  expect(comments.some(comment => SOURCE.test(comment))).toBe(true)
})

test.each(TABLES)('%s has no words for things', file => {
  const code = readFileSync(file, 'utf8').replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')
  const found = CONTENT.filter(word =>
    new RegExp(/^[a-z]/.test(word) ? `\\b${word}\\b` : word, 'iu').test(code),
  )
  expect(found).toEqual([])
})
