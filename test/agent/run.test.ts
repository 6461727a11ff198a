import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { AgentRun } from '../../src/agent/run.ts'

async function* saying(...texts: readonly string[]): AsyncGenerator<AgentEvent> {
  for (const text of texts) yield { type: 'text-delta', text }
}

async function textOf(events: AsyncIterable<AgentEvent>): Promise<string> {
  let said = ''
  for await (const event of events) if (event.type === 'text-delta') said += event.text
  return said
}

test('several readers hear all of a run, and one that is alone excludes the others', async () => {
  const shared = new AgentRun(saying('one ', 'two'))
  expect(await textOf(shared.events)).toBe('one two')
  expect(await textOf(shared.events)).toBe('one two')
  expect(() => shared.onlyEvents).toThrow(/already has a reader/)
  const taken = new AgentRun(saying('one ', 'two'))
  expect(await textOf(taken.onlyEvents)).toBe('one two')
  await expect(textOf(taken.events)).rejects.toThrow(/already has a reader/)
})
