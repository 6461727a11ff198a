import { expect, test } from 'vitest'
import { cueFit } from '../../../src/agent/language/cues.ts'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { quotesFor } from '../../fakes/quoted-answer.ts'

const DRAWING: InlineDocument = {
  name: 'drawing.md',
  text: [
    '# Drawing boats',
    'The plan of a boat is updated from its sketch by the drawer. Updating the plan from the sketch is done by hand each time.',
    'When the sketch is done, click Tools → Update Plan…, or press F7. The plan opens.',
  ].join('\n\n'),
}
const CODES: InlineDocument = {
  name: 'codes.txt',
  text: 'EXIT VALUES\n       o      4 - The anchor was lost at sea\n\n       o      7 - The rudder broke\n\nThe harbour is open.',
}

test('an ellipsis at the end of a name ends no sentence, and a key is told by how it is written', async () => {
  expect((await quotesFor('Which key updates the plan from the sketch?', DRAWING)).join('\n')).toContain(
    'click Tools → Update Plan…, or press F7.',
  )
})

test('an item with the mark of manual pages is an answer, not a heading', async () => {
  expect((await quotesFor('Which exit value means that the anchor was lost?', CODES)).join('\n')).toContain(
    '4 - The anchor',
  )
})

test('keys and options have a form', () => {
  expect(cueFit('按哪个键保存？', '按 Ctrl-S 保存。')).toBe(1)
  expect(cueFit('Which option keeps links?', 'Links are kept by --links.')).toBe(1)
  expect(cueFit('该加什么引导参数？', '加上 theme=dark 即可。')).toBe(1)
  expect(cueFit('Which option keeps links?', 'Links are kept.')).toBe(0)
})
