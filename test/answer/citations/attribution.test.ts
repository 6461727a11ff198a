import { expect, test } from 'vitest'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import type { Meaning } from '../../../src/search/meaning.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { Terms } from '../../../src/text/terms.ts'

const TEXTS = [
  'Employees receive 24 days of paid leave a year. Unused leave expires on 31 March, because the payroll closes.',
  'The pump must never run dry. The warranty of the pump is 36 months and excludes seals.',
  '图书遗失的，按照原价的三倍赔偿。儿童读者每次最多可借六册，借期四十五天。',
]
const PASSAGES = TEXTS.map((text, at): Passage => {
  const place = {
    documentId: `d${at + 1}`,
    source: `/d${at + 1}`,
    name: `d${at + 1}.md`,
    title: '',
    headings: [],
  }
  return { id: at + 1, ...place, context: '', charStart: 0, charEnd: text.length, text, parts: [] }
})
const terms = new Terms()

async function cited(text: string) {
  const found = await relateAnswer(text, { passages: PASSAGES, terms })
  const citations = found.references.map(({ marker, passage, span }) => {
    expect(passage.id).toBe(marker)
    return [marker, passage.text.slice(span.start, span.end)] as const
  })
  return { ...found, citations }
}

/** Whatever the markers were, the answer reads so, and these words are cited. */
async function check(
  text: string,
  expected: string,
  words: readonly (readonly [number, string])[],
) {
  const found = await cited(text)
  expect({ text: found.text, citations: found.citations }).toEqual({
    text: expected,
    citations: words,
  })
  expect(found.unsupported).toEqual([])
}

test('others come to their turn between quotations, and an abort ends the checking', async () => {
  const controller = new AbortController()
  const checking = relateAnswer(
    '"24 days of paid leave" and "The pump must never run dry" and "按照原价的三倍赔偿".',
    {
      ...{ passages: PASSAGES, terms, signal: controller.signal },
    },
  )
  setImmediate(() => controller.abort())
  await expect(checking).rejects.toMatchObject({ name: 'AbortError' })
})
test('no markers: a true quote is found', () =>
  check('It says "24 days of paid leave".', 'It says "24 days of paid leave" [1].', [
    [1, '24 days of paid leave'],
  ]))
test('a wrong marker: the quote is cited where it stands', () =>
  check('"The pump must never run dry" [1].', '"The pump must never run dry" [2].', [
    [2, 'The pump must never run dry'],
  ]))
test('a marker of no source: the quote is cited where it stands', () =>
  check('"warranty of the pump is 36 months" [9].', '"warranty of the pump is 36 months" [2].', [
    [2, 'warranty of the pump is 36 months'],
  ]))
test('one marker for a paragraph: each sentence finds its own source', () =>
  check(
    'Employees receive 24 days of paid leave. The warranty of the pump is 36 months [2].',
    'Employees receive 24 days of paid leave [1]. The warranty of the pump is 36 months [2].',
    [
      [1, 'Employees receive 24 days of paid leave a year.'],
      [2, 'The warranty of the pump is 36 months and excludes seals.'],
    ],
  ))
test('markers heaped at the end: only those that the sentence rests on stay', () =>
  check('Unused leave expires on 31 March [1][2][3].', 'Unused leave expires on 31 March [1].', [
    [1, 'Unused leave expires on 31 March, because the payroll closes.'],
  ]))
test('other brackets: they are read as markers', () =>
  check('"The pump must never run dry"【2】.', '"The pump must never run dry"[2].', [
    [2, 'The pump must never run dry'],
  ]))
test('a marker after the full stop belongs to the sentence before it', () =>
  check(
    'Employees receive 24 days of paid leave. [1]',
    'Employees receive 24 days of paid leave. [1]',
    [[1, 'Employees receive 24 days of paid leave a year.']],
  ))
test('a quote with a wrong letter is put right', () =>
  check('"Unused leave expirs on 31 March" [1].', '"Unused leave expires on 31 March" [1].', [
    [1, 'Unused leave expires on 31 March'],
  ]))
test('a quote with something left out is cited in its pieces', () =>
  check(
    '"Unused leave … because the payroll closes" [1].',
    '"Unused leave … because the payroll closes" [1].',
    [
      [1, 'Unused leave'],
      [1, 'because the payroll closes'],
    ],
  ))
test('Chinese quotes without markers are found', () =>
  check('规则写明“按照原价的三倍赔偿”。', '规则写明“按照原价的三倍赔偿” [3]。', [
    [3, '按照原价的三倍赔偿'],
  ]))

test('each sentence of a block quote is judged by itself, and only quotation marks quote', async () => {
  const stated = [
    '> [!NOTE]\n> The pump must never run dry [2].',
    '> 1. The pump must never run dry [2].\n> 2. Unused leave expires on 31 March [1].',
    '> “The pump must\n> never run dry” [2].\n> — d2.md',
  ]
  for (const text of stated) {
    const { unsupported, unconfirmed, ...found } = await cited(text)
    expect({ text: found.text, unsupported, unconfirmed }).toEqual({
      text,
      unsupported: [],
      unconfirmed: [],
    })
    expect(found.references.every(({ support }) => support === 'stated')).toBe(true)
  }
  expect((await cited('> The observatory is old [1].')).text).toBe('> The observatory is old [1].')
  expect(await cited('> “The pump must run dry at night” [2].')).toMatchObject({
    ...{ references: [], unsupported: ['“The pump must run dry at night”.'] },
  })
})

async function checkUnsupported(text: string, expected: string) {
  const found = await cited(text)
  expect({ text: found.text, citations: found.citations }).toEqual({
    text: expected,
    citations: [],
  })
  expect(found.unsupported).toHaveLength(1)
}

test('a quote with a changed number is not cited', () =>
  checkUnsupported(
    '"warranty of the pump is 24 months" [2].',
    '"warranty of the pump is 24 months".',
  ))
test('an invented sentence is not confirmed, and keeps the marker that the model gave it', async () => {
  const written = 'The chairman owns three yellow submarines [1].'
  expect(await relateAnswer(written, { passages: PASSAGES, terms })).toMatchObject({
    ...{ text: written, references: [{ marker: 1, support: 'unknown' }] },
    unsupported: [],
    unconfirmed: ['The chairman owns three yellow submarines.'],
  })
})
test('a number that the source does not have is not supported by it', () =>
  checkUnsupported(
    'Employees receive 30 days of paid leave [1].',
    'Employees receive 30 days of paid leave.',
  ))
test('a number in words that the source does not have is not supported by it', async () => {
  await checkUnsupported('儿童读者每次最多可借七册 [3]。', '儿童读者每次最多可借七册。')
  await checkUnsupported(
    'Employees receive twenty-five days of paid leave [1].',
    'Employees receive twenty-five days of paid leave.',
  )
})
test('a claim that denies what the source says is not supported by it, nor one that says what it denies', async () => {
  await checkUnsupported('Unused leave never expires [1].', 'Unused leave never expires.')
  await checkUnsupported(
    'The warranty of the pump is not 36 months [2].',
    'The warranty of the pump is not 36 months.',
  )
  await checkUnsupported(
    '图书遗失的，不按照原价的三倍赔偿 [3]。',
    '图书遗失的，不按照原价的三倍赔偿。',
  )
})
test('a claim of two parts rests on a place for each', () =>
  check(
    'The pump must never run dry, and the warranty of the pump is 36 months [2].',
    'The pump must never run dry, and the warranty of the pump is 36 months [2].',
    [
      [2, 'The pump must never run dry.'],
      [2, 'The warranty of the pump is 36 months and excludes seals.'],
    ],
  ))
test('a list of sources that the model writes under its answer makes way for the citations', () =>
  check(
    'Unused leave expires on 31 March [1].\n\n**Sources:**\n- [1] d1.md, p. 1\n- [2]: d2.md',
    'Unused leave expires on 31 March [1].',
    [[1, 'Unused leave expires on 31 March, because the payroll closes.']],
  ))
test('a marker in front of its sentence belongs to it', () =>
  check(
    'The answer:\n[1] Unused leave expires on 31 March.\n[2] The pump must never run dry.',
    'The answer:\n[1] Unused leave expires on 31 March.\n[2] The pump must never run dry.',
    [
      [1, 'Unused leave expires on 31 March, because the payroll closes.'],
      [2, 'The pump must never run dry.'],
    ],
  ))
test('a number in words is the same number', () =>
  check('儿童读者每次最多可借6册 [3]。', '儿童读者每次最多可借6册 [3]。', [
    [3, '儿童读者每次最多可借六册，借期四十五天。'],
  ]))
test('an abstention claims nothing', async () => {
  const isNoClaim = (sentence: string) => sentence.includes('do not say')
  const found = await relateAnswer('The documents do not say.', {
    passages: PASSAGES,
    terms,
    isNoClaim,
  })
  expect(found).toMatchObject({ unsupported: [], references: [] })
})

test('a quotation that is shown has the words of the source', async () => {
  const found = await cited('"The warrranty of the pump" [2] and "Employees receive 24 days" [2].')
  for (const [quote = ''] of found.text.matchAll(/(?<=")[^"[\]]{8,}(?=")/g)) {
    if (quote.startsWith(' ')) continue // between two quotations
    expect(PASSAGES.some(({ text }) => text.includes(quote))).toBe(true)
  }
  expect(found.citations.every(([, words]) => TEXTS.some(text => text.includes(words)))).toBe(true)
})

async function citedIn(
  texts: readonly string[],
  claim: string,
  rarity?: { getRarity(word: string): number },
) {
  const passages = texts.map(
    (text, at): Passage => ({ ...PASSAGES[0]!, id: at + 1, text, charEnd: text.length }),
  ) // there are three
  return await relateAnswer(claim, { passages, terms, ...(rarity && { rarity }) })
}

test('a sentence of numbers is given no citation that it does not ask for', async () => {
  expect(await citedIn(['The keys F2 and F4 open menu 2.'], '2+2 is 4.')).toMatchObject({
    references: [],
    unsupported: [],
  })
})
test('a sentence of a word and an amount is checked, and so is one of amounts alone', async () => {
  const rent = ['The rent is 1,200 euros a month.']
  expect(await citedIn(rent, 'The rent is 1,200 euros.')).toMatchObject({
    references: [{ marker: 1 }],
    unconfirmed: [],
  })
  for (const wrong of ['The rent is 1,500 euros.', '120 euros are 131 dollars.']) {
    const { unsupported, unconfirmed } = await citedIn(rent, wrong)
    expect([...unsupported, ...unconfirmed]).toContain(wrong)
  }
})
test('a line of few words that loses its marker is named, and one that a tool has word for word is stated', async () => {
  const rarity = { getRarity: () => 0.2 }
  const answers = [{ ...PASSAGES[0]!, id: 4, text: 'Next bus: 107 at 18:45\nThen: 108 at 19:00' }] // there are three
  const of = (text: string) => relateAnswer(text, { passages: PASSAGES, answers, terms, rarity })
  for (const [line, marker] of [
    ['pump warranty: 48 months', '[2]'],
    ['paid leave: 30 days', '[1]'],
    ['Seals: €350', '[9]'],
  ] as const) {
    expect(await of(`${line} ${marker}`)).toMatchObject({
      text: line,
      references: [],
      unsupported: [line],
    })
  }
  expect(await of('Yes [9].')).toMatchObject({ references: [], unsupported: [] })
  const line = 'Next bus: 107 at 18:45 [4]'
  expect(await of(line)).toMatchObject({
    text: line,
    references: [{ support: 'stated' }],
    unsupported: [],
  })
})
test('a negation contradicts only a source that affirms what it denies', async () => {
  for (const [source, claim, support] of [
    ['图书馆开放时间为周二至周日，周一闭馆。', '图书馆每周一不开放 [1]。', 'unknown'],
    ['图书馆周一照常开放。', '图书馆每周一不开放 [1]。', undefined],
    ['古籍只能在馆内阅览，不得外借。', '古籍不能带走 [1]。', 'unknown'],
    ['The museum is closed on Mondays.', 'The museum does not open on Mondays [1].', 'unknown'],
    ['The museum opens on Mondays.', 'The museum does not open on Mondays [1].', undefined],
    ['Dogs are allowed in the hall.', 'Dogs are not allowed in the hall [1].', undefined],
  ] as const)
    expect([claim, (await citedIn([source], claim)).references[0]?.support]).toEqual([
      claim,
      support,
    ])
})
test('small talk is no claim', async () => {
  const rarity = {
    getRarity: (word: string) => (/feel|welcom|happi|help|free|ask/.test(word) ? 0.2 : 1),
  }
  for (const text of ["You're welcome!", 'I am happy to help!', 'Feel free to ask.'])
    expect(await citedIn(TEXTS, text, rarity)).toMatchObject({ references: [], unsupported: [] })
})
test('what its meaning tells to be small talk is no claim, unless it names a source or a number', async () => {
  const meaning: Meaning = {
    measureNearness: async (_, sentences) => ({ cosines: sentences.map(() => 0.5), unrelated: {} }),
    areSmallTalk: async sentences => sentences.map(sentence => /assistance/.test(sentence)),
  }
  const unconfirmed = async (text: string) =>
    (await relateAnswer(text, { passages: PASSAGES, terms, meaning })).unconfirmed
  expect(await unconfirmed('Glad I could be of assistance!')).toEqual([])
  for (const text of [
    'Glad I could be of assistance [1].',
    'Roadside assistance costs 90 euros a call.',
    'Herons nest on roofs.',
  ])
    expect(await unconfirmed(text)).toHaveLength(1)
})
test('a marker is not moved to another language on a number', async () => {
  const found = await citedIn(
    ['Employees receive 24 days of leave.', '本店共有24天的库存。'],
    'Staff are off for 24 days [1].',
  )
  expect(found.references.map(({ marker }) => marker)).not.toContain(2)
})
test('of a marker whose passage may state the claim, that is said; of one whose passage has another number, it is dropped', async () => {
  const texts = ['Employees receive 24 days of paid leave a year.']
  const kept = await citedIn(texts, 'Staff get 24 days of holiday [1].')
  expect(kept.references).toMatchObject([{ marker: 1, support: 'unknown' }])
  const dropped = await citedIn(texts, 'Employees receive 24 weeks of paid leave a year [1].')
  expect(dropped).toMatchObject({
    references: [],
    unsupported: ['Employees receive 24 weeks of paid leave a year.'],
  })
})
