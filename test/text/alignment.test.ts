import { expect, test } from 'vitest'
import { relateAnswer } from '../../src/answer/citations/attribution.ts'
import { findQuote } from '../../src/answer/citations/quotations.ts'
import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import type { Passage } from '../../src/search/passages/passage.ts'
import { align, readWording } from '../../src/text/alignment.ts'
import { QuotableTexts } from '../../src/text/quotations.ts'
import { Terms } from '../../src/text/terms.ts'
import { chooseDraws } from '../suites.ts'

const TEXT = [
  'Maintenance is announced five working days in advance and carried out between 02:00 and 06:00 on Sundays.',
  'The Provider stores all documents in Frankfurt and keeps nightly backups for 35 days after creation.',
  'Late payments accrue interest of 8.5 percent, and the customer receives written confirmation from Ingrid Solheim.',
  'Invoices above EUR 3,850 require approval by the finance committee within fourteen calendar days.',
  '核心数据库每天凌晨两点进行一次全量备份，备份文件由安全组保管并保留90天。',
].join('\n')

function repaired(quote: string): string | undefined {
  const aligned = align(readWording(TEXT), readWording(quote))
  return aligned && TEXT.slice(aligned.span.start, aligned.span.end)
}

const check = (quote: string, expected: string | undefined) =>
  expect(repaired(quote)).toBe(expected)

test('a word broken by a hyphen is the same word', () =>
  check(
    'Mainte-\nnance is announced five working days',
    'Maintenance is announced five working days',
  ))
test('an article too many is no other statement', () =>
  check('stores all the documents in Frankfurt', 'stores all documents in Frankfurt'))
test('a wrong letter is put right', () =>
  check('keeps nightly bakcups for 35 days', 'keeps nightly backups for 35 days'))
test('another word is not', () => check('keeps weekly backups for 35 days', undefined))
test('another name is not', () => check('confirmation from Ingrid Solhein', undefined))
test('another Han number is not', () => check('每天凌晨三点进行一次全量备份', undefined))
test('a word that the text has elsewhere is another word', () => {
  const text = 'The employer pays the employee. Each employer keeps the records of that month.'
  expect(
    align(readWording(text), readWording('Each employee keeps the records of that month')),
  ).toBeUndefined()
})
test('two places that fit alike leave it open', () => {
  const text = 'A retains the records for ever. B retaint the records for ever.'
  expect(align(readWording(text), readWording('retainx the records for ever'))).toBeUndefined()
})

/** Five hundred quotations of this text, each changed in one way that a model or a page may change it. */
const random = createPseudoRandom(7)
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]! // never empty
const SAFE: readonly ((quote: string) => string)[] = [
  quote => quote.replace(/ /g, () => pick([' ', '  ', '\n', '\u00A0'])),
  quote =>
    quote.replace(/[0-9A-Za-z]/g, letter =>
      random() < 0.2 ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter,
    ),
  quote => quote.replace(/fi/g, 'ﬁ').replace(/ff/g, 'ﬀ'),
  quote => quote.replace(/[a-z]{8,}/, word => `${word.slice(0, 4)}-\n${word.slice(4)}`),
]
const FALSE: readonly ((quote: string) => string)[] = [
  quote => quote.replace(/\d+/, number => String(Number(number) + 1 + Math.floor(random() * 8))),
  quote =>
    quote.replace(/(?<=\S.*)\b[A-Z][a-z]{3,}/, name =>
      pick(['Nuremberg', 'Monday', `${name}a`, name.slice(0, -1)]),
    ),
  quote => quote.replace(/\b(?:five|fourteen)\b/, () => pick(['four', 'nine', 'fifteen'])),
  quote => quote.replace(/两点|90天|一次/, () => pick(['三点', '9天', '二次'])),
]

function quotation(): string {
  const sentence = pick(TEXT.split('\n'))
  const words = sentence.includes(' ') ? sentence.split(' ') : (sentence.match(/\d+|\D/g) ?? [])
  const length = 6 + Math.floor(random() * (words.length - 6))
  const start = Math.floor(random() * (words.length - length + 1))
  return words.slice(start, start + length).join(sentence.includes(' ') ? ' ' : '')
}

const PASSAGE: Passage = {
  ...{
    id: 1,
    documentId: 'd',
    source: '/d.md',
    name: 'd.md',
    title: '',
    headings: [],
    context: '',
    parts: [],
  },
  ...{ charStart: 0, charEnd: TEXT.length, text: TEXT },
}
const terms = new Terms()
const texts = new QuotableTexts()

/** The words that are cited for a quotation: by the search for it, and in an answer that has it. */
async function citedFor(quote: string): Promise<readonly string[]> {
  const place = findQuote(quote, { named: [PASSAGE], all: [PASSAGE], texts })
  const { references } = await relateAnswer(`It says “${quote}” [1].`, {
    passages: [PASSAGE],
    terms,
  })
  const spans = [...(place?.spans ?? []), ...references.map(({ span }) => span)]
  return spans.map(({ start, end }) => TEXT.slice(start, end))
}

const bare = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

const QUOTATIONS = chooseDraws(150, 500)

test('of changed quotations, true ones are found and changed numbers and names never are', async () => {
  const counts = { found: 0, slips: 0, slipsFound: 0, changed: 0 }
  for (let run = 0; run < QUOTATIONS; run++) {
    const quote = quotation()
    const safe = pick(SAFE)(quote)
    expect(bare(repaired(safe) ?? ''), safe).toBe(bare(quote))
    expect((await citedFor(safe)).map(bare), safe).toEqual([bare(quote), bare(quote)])
    counts.found++
    const wrong = pick(FALSE)(quote)
    if (wrong !== quote) {
      counts.changed++
      expect(repaired(wrong), wrong).toBeUndefined()
      expect(await citedFor(wrong), wrong).toEqual([])
    }
    const at = Math.floor(random() * quote.length)
    const slip = quote.slice(0, at) + pick([...'abxyz7。的']) + quote.slice(at + 1)
    if (bare(slip) === bare(quote)) continue
    counts.slips++
    for (const cited of await citedFor(slip)) expect(bare(quote), slip).toContain(bare(cited))
    const answer = repaired(slip)
    if (answer === undefined) continue
    counts.slipsFound++
    expect(bare(quote), slip).toContain(bare(answer)) // never anything but the words that were meant
  }
  expect(counts.changed).toBeGreaterThan(0.3 * QUOTATIONS)
  expect(counts.slipsFound).toBeGreaterThan(0.1 * QUOTATIONS)
})
