import { expect, test } from 'vitest'
import { Starts } from '../../../src/server/http/starts.ts'

/** Longer than a turn. */
function work(): void {
  const began = performance.now()
  while (performance.now() - began < 10);
}

test('streams begin in their order, and what waits meanwhile goes between them', async () => {
  const starts = new Starts()
  const order: string[] = []
  const begin = async (name: string) => {
    await starts.turn()
    order.push(name)
    setImmediate(() => order.push(`after ${name}`))
    work()
  }
  await Promise.all([begin('first'), begin('second'), begin('third')])
  expect(order).toEqual(['first', 'after first', 'second', 'after second', 'third'])
})
test('one that comes when all others have begun has its turn', async () => {
  const starts = new Starts()
  await starts.turn()
  await new Promise(setImmediate)
  await expect(starts.turn()).resolves.toBeUndefined()
})

test('streams that come one after another are all looked at before the first begins', async () => {
  const starts = new Starts()
  const order: string[] = []
  const come = (name: string) => {
    order.push(`${name} came`)
    return starts.turn().then(() => order.push(`${name} began`))
  }
  const second = new Promise(resolve => setImmediate(() => resolve(come('second'))))
  await Promise.all([come('first'), second])
  expect(order).toEqual(['first came', 'second came', 'first began', 'second began'])
})
