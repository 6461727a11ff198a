import { expect, test } from 'vitest'
import { Lexicon } from '../../../src/agent/language/lexicon.ts'
import { Terms } from '../../../src/agent/language/terms.ts'
import { shareHeld, Translation } from '../../../src/agent/language/translation.ts'
import { openLexicon } from '../../../src/app/lexicon.ts'

const LEXICON = openLexicon()

const SMALL = '借\tborrow;lend\n借期\tloan period\n图书\tbook\n图书馆\tlibrary\n采暖\theating\n采暖期\theating season'

function share(question: string, text: string, lexicon = LEXICON): number {
  const translation = new Translation(new Terms(), lexicon)
  const terms = translation.of(text)
  return shareHeld(translation.asked(question), term => terms.has(term))
}

test.each([
  ['年假有几天？', 'Employees have fifteen days of annual leave.', 1],
  ['儿童可以借几本书？', 'Children may borrow six books.', 1],
  ['年假有几天？', 'The archive is extracted into the current directory.', 0],
  ['How long is the heating period?', '采暖期自十一月十五日开始。', 1],
  ['Who pays the postage?', '采暖期自十一月十五日开始。', 0],
  ['根据 RFC 6585 谁付邮费？', 'RFC 6585 names no postage.', 0.9],
])('%s has of its words in %s the share %d', (question, text, expected) => {
  expect(share(question, text)).toBeCloseTo(expected, 1)
})

test('traditional characters mean what the simplified ones do', () => {
  expect(share('How long is the heating period?', '採暖期自十一月十五日開始。')).toBe(1)
})
test('of a meaning of two words one is a quarter of it', () => {
  expect(share('借期', 'The period ends on Monday.', new Lexicon(() => SMALL))).toBe(0.25)
})
test('a question of nothing but question words asks for nothing', () => {
  expect(share('为什么？', 'Because it rains.')).toBe(0)
})
test('a run of characters is read as the longest words from the left, and what the lexicon lacks one by one', () => {
  const lexicon = new Lexicon(() => SMALL)
  expect(lexicon.words('图书馆借期鑫图')).toEqual(['图书馆', '借期', '鑫', '图'])
  expect(lexicon.words('𠮷图书')).toEqual(['𠮷', '图书'])
  expect([lexicon.meanings('借'), lexicon.meanings('书'), lexicon.meanings('')]).toEqual([['borrow', 'lend'], [], []])
})
test('the text of a lexicon is read once, when the first word is looked for', () => {
  let read = 0
  const lexicon = new Lexicon(() => {
    read++
    return SMALL
  })
  expect(read).toBe(0)
  expect(lexicon.words('采暖期')).toEqual(['采暖期'])
  expect(lexicon.meanings('馆')).toEqual([])
  expect(read).toBe(1)
})
test.each([
  ['How many were sold?', '销售量为三百台。'],
  ['Do children pay?', '儿童免费。'],
  ['Which shelves?', '架子'],
])('%s has words in %s: forms that no ending tells', (question, text) => {
  expect(share(question, text)).toBeGreaterThan(0)
})
