import { expect, test } from 'vitest'
import { splitByMatches } from '../../src/web/query-words.ts'

const FILLER = 'Nothing of interest stands here. '.repeat(12)

test('the words of a query are lit, and stems light what begins with them', () =>
  expect(splitByMatches('Two warranties were granted.', 'warranty', ['warrant'])).toEqual([
    'Two ',
    'warranties',
    ' were granted.',
  ]))

test('a passage begins where most of the words stand together', () => {
  const parts = splitByMatches(
    `The author wrote. ${FILLER}Only they may upload with full permission.`,
    'upload permission',
    ['author'],
  )
  expect(parts.filter((_, at) => at % 2 === 1)).toEqual(['upload', 'permission'])
  expect(parts[0]).toMatch(/^… .*Only they may $/)
})

test('what the query says counts for more than what it may mean', () => {
  const parts = splitByMatches(
    `前言作者 author ${'无关的文字。'.repeat(50)}官方仓库上传的全部权限`,
    '上传 权限',
    ['author'],
  )
  expect(parts.filter((_, at) => at % 2 === 1)).toEqual(['上传', '权限'])
})

test('a passage without any of the words is shown whole', () =>
  expect(splitByMatches('Hens lay eggs.', 'geese')).toEqual(['Hens lay eggs.']))
