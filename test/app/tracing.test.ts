import { expect, test } from 'vitest'
import { traceTool, type Work, workChannel } from '../../src/app/tracing.ts'

test('a tool call is told as work under its own name, once, and nothing of what it was asked', () => {
  const told: Work[] = []
  const listen = (work: unknown) => told.push(work as Work) // of our own channel
  workChannel.subscribe(listen)
  traceTool({ id: '1', type: 'tool-start', tool: 'search', args: { query: 'secret' } })
  traceTool({ id: '1', type: 'tool-end', tool: 'search', ms: 5, result: 'secret' })
  traceTool({ id: '2', type: 'error', kind: 'tool', of: 'pay', ms: 5, error: new Error('no') })
  traceTool({ id: '3', type: 'error', kind: 'model', of: 'gpt', ms: 5, error: new Error('no') })
  workChannel.unsubscribe(listen)
  expect(told.map(({ name, failed }) => [name, failed])).toEqual([
    ['execute_tool search', false],
    ['execute_tool pay', true],
  ])
  expect(JSON.stringify(told)).not.toContain('secret')
})
