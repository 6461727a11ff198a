import { expect, test } from 'vitest'
import { readClaim } from '../../../src/answer/citations/claims.ts'
import { computeSupportFeatures } from '../../../src/answer/citations/judgement.ts'
import { findObjections, type Objection } from '../../../src/answer/citations/objections.ts'
import { readStatements } from '../../../src/answer/citations/statements.ts'
import { Terms } from '../../../src/text/terms.ts'

const TEXT = `Boat | 2024 | 2025 | Notes
Plover 12 | 40 | 55 | Not hired out in winter; spare sails are stored ashore
Plover 12 Sport | 61 | 70 | Needs a licence
Curlew | 44 | 52 | Reef early

Kit | Life jacket | Radio
Basic | yes | no
Full | yes | yes

Locker B was emptied in May. The keys of the harbour office hang behind the door, because the lock sticks.

The toilets close at 9 pm, and the showers close at 10 pm.

样品 | 零下 20 ℃ | 零下 40 ℃
甲组 | 88 | 74`

const terms = new Terms()
const place = {
  documentId: 'd',
  source: '/d',
  name: 'd',
  title: '',
  headings: [],
  context: '',
  parts: [],
}
const statements = readStatements(
  { ...place, id: 1, charStart: 0, charEnd: TEXT.length, text: TEXT },
  terms,
)

/** What speaks against the statement that begins so. */
function against(claim: string, beginning: string): readonly Objection[] {
  const one = statements.find(({ text }) => text.startsWith(beginning))!
  return findObjections(readClaim(claim, { terms }), one, { terms })
}

test.each<[string, string, readonly Objection[]]>([
  ['The Plover 12 cost 55 in 2025.', 'Plover 12 |', []],
  ['The Plover 12 cost 40 in 2025.', 'Plover 12 |', ['part']],
  ['The Plover 12 cost 57 in 2025.', 'Plover 12 |', ['number']],
  ['The Plover 12 needs a licence.', 'Plover 12 Sport', ['row']],
  ['The Plover 12 Sport needs a licence.', 'Plover 12 Sport', []],
  ['The Plover 12 is hired out in winter.', 'Plover 12 |', ['denied']],
  ['The spare sails of the Plover 12 are stored ashore.', 'Plover 12 |', []],
  ['The basic kit has a radio.', 'Basic', ['denied']],
  ['The basic kit has no radio.', 'Basic', []],
  ['The full kit has a radio.', 'Full', []],
  ['Locker C was emptied in May.', 'Locker B', ['number']],
  ['Locker B was emptied in May.', 'Locker B', []],
  ['The showers close at 9 pm.', 'The toilets', ['part']],
  ['甲组在零下 40 ℃ 时为 74。', '甲组', []],
  ['甲组在零下 20 ℃ 时为 74。', '甲组', ['part']],
])('%s: against “%s” speaks %j', (claim, beginning, names) => {
  expect(against(claim, beginning)).toEqual(names)
})
test('of another reason for the same thing the words are lacking in that clause', () => {
  const one = statements.find(({ text }) => text.startsWith('The keys'))!
  const least = (claim: string) =>
    computeSupportFeatures(readClaim(claim, { terms }), one, { reading: { terms } }).least
  expect(least('The keys hang behind the door because the lock sticks.')).toBe(1)
  expect(least('The keys hang behind the door because guests lose them.')).toBe(0)
})
