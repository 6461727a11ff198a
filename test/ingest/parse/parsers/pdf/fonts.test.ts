import { expect, test } from 'vitest'
import { replaceRadicals } from '../../../../../src/ingest/parse/parsers/pdf/fonts.ts'

test('a radical is the character that it looks like', () => {
  expect(replaceRadicals('各部⻔负责⼈⼊职满⼀⽉，⻓期')).toBe('各部门负责人入职满一月，长期')
})

test('one that is like no character stays, and so does all else', () => {
  for (const text of ['⺀⺮⻊', 'Annual leave: 25 days', '部门，入职', '🀄︎'])
    expect(replaceRadicals(text)).toBe(text)
})
