import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { quotesFor } from '../../fakes/quoted-answer.ts'

const YARD: InlineDocument = {
  name: 'yard.md',
  text: [
    '# The yard\n\n## Varnish\n\nNever keep varnish beside the stove. Close each tin. Heat builds pressure, and therefore a tin may burst.',
    '## Brushes\n\nThere are several reasons for hanging brushes up. The bristles stay straight. The handle dries out.',
    '## Ladders\n\nLadders lie flat at night.\n\n## Tar\n\nTar is kept outside because it smells.',
  ].join('\n\n'),
}
const 船厂: InlineDocument = {
  name: '船厂.md',
  text: '# 船厂\n\n切记，不要在炉边存放清漆。\n\n为什么呢？一个原因是受热后罐内压力升高，罐子会爆裂。\n\n刷子挂起来晾干。',
}

test('a sentence that says what the reason is asked of is quoted with the next one that gives a reason', async () => {
  expect((await quotesFor('Why should varnish not be kept beside the stove?', YARD)).join('\n')).toContain(
    'a tin may burst',
  )
  expect((await quotesFor('为什么不要在炉边存放清漆？', 船厂)).join('\n')).toContain('罐子会爆裂')
})

test('no reason is taken from under another heading', async () => {
  expect((await quotesFor('Why do ladders lie flat at night?', YARD)).join('\n')).not.toContain('smells')
})

test('reasons that a sentence announces without a colon are quoted with it', async () => {
  expect((await quotesFor('Why are brushes hung up, for which reasons?', YARD)).join('\n')).toContain(
    'The handle dries out.',
  )
})
