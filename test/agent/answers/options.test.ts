import { expect, test } from 'vitest'
import { definedOptions, optionsIn } from '../../../src/agent/language/options.ts'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { quotesFor } from '../../fakes/quoted-answer.ts'

const WEAVE: InlineDocument = {
  name: 'weave.txt',
  text: [
    'WEAVE(1)\n\nNAME\n       weave - joins threads into cloth',
    'OPTIONS\n       -c, --count\n              Print how many threads the cloth has. Nothing is woven.',
    '       -C DIR\n              Change to the folder DIR before the first thread is read.',
    '              With this option, names of threads are relative to that folder.',
    '       -k letter\n              Which knot ends a thread:',
    '              r      reef knot\n\n              g      granny knot\n\n              b      bowline',
    'EXIT STATUS\n       2      A thread was torn while weaving.\n\n       3      The loom was not there.',
    'NOTES\n       weave -C /wool was written when the count of threads in a folder of threads was -c alone.',
  ].join('\n\n'),
}
const 织布: InlineDocument = {
  name: '织布.txt',
  text: '织布手册\n\n选项 OPTIONS\n\n-c     只打印线的数目，不织布。\n\n-C 目录\n       读线之前先进入该目录。\n\n退出值\n\n2      线断了。',
}

test('what an option does is told by its definition, and its case is part of its name', async () => {
  expect(await quotesFor('What does -c do?', WEAVE)).toEqual([
    '-c, --count\n              Print how many threads the cloth has. Nothing is woven.',
  ])
  expect((await quotesFor('What does weave -C do?', WEAVE)).join('\n')).toContain('Change to the folder DIR')
  expect((await quotesFor('-C 是什么意思？', 织布)).join('\n')).toContain('读线之前先进入该目录')
  expect((await quotesFor('-c 有什么作用？', 织布)).join('\n')).toBe('-c     只打印线的数目，不织布。')
})

test('a value of an option is quoted with the definition that names it', async () => {
  expect((await quotesFor('Which knot does the letter g stand for in -k?', WEAVE)).join('\n')).toContain(
    'g      granny knot',
  )
})

test('where a question asks which option, its name is quoted with what is said of it', async () => {
  const quotes = await quotesFor('Which option makes names of threads relative to a folder?', WEAVE)
  expect(quotes.join('\n')).toContain('-C DIR')
})

test('an option is no range, no part of a word and no line of a listing', () => {
  expect(optionsIn('tar -C /tmp --dry-run -0 (see `-maxdepth`)')).toEqual(['-C', '--dry-run', '-0', '-maxdepth'])
  expect(optionsIn('pages 3-5, a-b, e-mail, -rw-rw-r--, -40 degrees, 2020-12')).toEqual([])
})

test('a line that begins with an option defines it, a sentence that does, none', () => {
  expect(definedOptions('-t, --times=SECONDS  how long to wait')).toEqual(['-t', '--times'])
  expect(definedOptions('- `--loud`: says more')).toEqual(['--loud'])
  expect(definedOptions('-depth 先处理目录的内容')).toEqual(['-depth'])
  expect(definedOptions('-C as a command-line option and -f are read last.')).toEqual([])
  expect(definedOptions('--loud | says more')).toEqual(['--loud'])
})
