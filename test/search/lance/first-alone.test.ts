import { expect, test } from 'vitest'
import { FirstAlone } from '../../../src/search/lance/first-alone.ts'

/** Questions that were put, in order, and a way to answer each. */
function index() {
  const put: {
    readonly name: string
    answer(rows: readonly number[]): void
    fail(error: Error): void
  }[] = []
  const ask = (name: string) => () =>
    new Promise<readonly number[]>((answer, fail) => void put.push({ name, answer, fail }))
  return { put, ask }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('questions wait for the first that finds something, and go together from then on', async () => {
  const [{ put, ask }, first] = [index(), new FirstAlone()]
  const answers = ['a', 'b', 'c', 'd'].map(name => first.ask(ask(name)))
  await turn()
  expect(put.map(({ name }) => name)).toEqual(['a'])
  put[0]?.answer([])
  await turn()
  expect(put.map(({ name }) => name)).toEqual(['a', 'b'])
  put[1]?.answer([7])
  await turn()
  expect(put.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  for (const [at, question] of put.entries()) question.answer([at])
  expect(await Promise.all(answers)).toEqual([[], [7], [2], [3]])
})
test('a first question that fails keeps nobody', async () => {
  const [{ put, ask }, first] = [index(), new FirstAlone()]
  const failing = first.ask(ask('a'))
  const other = first.ask(ask('b'))
  await turn()
  put[0]?.fail(new Error('no disk'))
  await expect(failing).rejects.toThrow('no disk')
  await turn()
  put[1]?.answer([1])
  expect(await other).toEqual([1])
})
