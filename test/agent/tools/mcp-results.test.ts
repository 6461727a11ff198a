import { expect, test } from 'vitest'
import { toToolResult } from '../../../src/agent/tools/mcp-results.ts'

const TEXTS = Array.from({ length: 10_000 }, () => ({
  type: 'text' as const,
  text: 'a'.repeat(100),
}))
const PICTURE = { type: 'image' as const, mimeType: 'image/png', data: 'b'.repeat(8 * 2 ** 20) }

test('the texts and pictures of a result are bounded together, and the cut is said once', () => {
  const result = toToolResult({ content: [...Array.from({ length: 4 }, () => PICTURE), ...TEXTS] })
  if (typeof result === 'string') throw new Error('the pictures are gone')
  const texts = result.content.flatMap(item => ('text' in item ? [item.text] : []))
  expect(result.content.filter(item => 'image' in item)).toHaveLength(2)
  expect(texts.filter(text => text.includes('A picture is left out'))).toHaveLength(2)
  expect(texts.filter(text => text.includes('This answer is cut'))).toHaveLength(1)
  expect(texts.join('').length).toBeLessThan(201_000)
})

test('the bytes of an embedded text are text', () => {
  const embed = (mimeType: string, text: string) => ({
    type: 'resource' as const,
    resource: { uri: 'note://1', mimeType, blob: Buffer.from(text).toString('base64') },
  })
  expect(
    toToolResult({ content: [embed('text/csv', '鹭,3'), embed('application/json', '{}')] }),
  ).toBe('note://1\n鹭,3\nnote://1\n{}')
  expect(toToolResult({ content: [embed('application/zip', 'PK')] })).toBe(
    '[note://1, application/zip]',
  )
})
