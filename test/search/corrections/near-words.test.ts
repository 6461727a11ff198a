import { expect, test } from 'vitest'
import { filterNearStems } from '../../../src/search/corrections/near-words.ts'
import { foldLetters, listForms } from '../../../src/search/corrections/word-forms.ts'

test.each([
  ['thermosat', 'thermostat', true],
  ['themrostat', 'thermostat', true],
  ['calibraton', 'calibr', true],
  ['lubicant', 'lubric', true],
  ['hydralic', 'hydraul', true],
  ['beairng', 'bear', true],
  ['bearskin', 'bear', false],
  ['house', 'mous', false],
  ['insult', 'insul', false],
  ['cat', 'cart', false],
  ['thermometer', 'thermostat', false],
])('%s is a slip of the stem %s: %s', (word, stem, is) =>
  expect(filterNearStems(word, [stem, 'nothing'])).toEqual(is ? [stem] : []),
)

test.each([
  ['mouse', 'mice'],
  ['bought', 'buy'],
  ['knife', 'knives'],
  ['analysis', 'analyses'],
  ['criterion', 'criteria'],
  ['color', 'colour'],
  ['organise', 'organize'],
  ['fibre', 'fiber'],
  ['programme', 'program'],
  ['traveling', 'travelling'],
  ['aluminum', 'aluminium'],
  ['curb', 'kerb'],
])('%s is also written %s', (word, form) => expect(listForms(word)).toContain(form))

test.each([
  ['Schröder', 'Schroeder'],
  ['Straße', 'Strasse'],
  ['Łódź', 'Lodz'],
  ['Þórr', 'Thorr'],
  ['Æther', 'Aether'],
  ['Γειά', 'γεια'],
  ['Ёлкин', 'елкин'],
])('%s is %s without special letters', (word, bare) =>
  expect(foldLetters(word)).toBe(foldLetters(bare)),
)
