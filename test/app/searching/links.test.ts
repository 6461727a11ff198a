import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'

const LONG = `https://forms.example.org/${'x'.repeat(3_000)}`

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const many = Array.from({ length: 200 }, (_, at) => `[entry](https://example.org/entry-${at})`)
  await sandbox.write({
    'trip.md':
      '# Trips\n\nFill in **[the form](https://forms.example.org/trip-7731.pdf)** or write to [us](mailto:desk@example.org?subject=x).\n\n| Form |\n| --- |\n| [hotel](../hotels/night-26.html) |\n',
    'page.html': `<h1>Rooms</h1><p>See <a href="https://forms.example.org/room%20plan-9923.pdf">the plan</a>, <a href="javascript:runner88()">hide</a>, <a href="${LONG}">long</a>.<table><tr><th>Form<th>Use</tr><tr><td><a href="/f/key-404.docx">key</a><td>doors</tr></table>`,
    'bare.md': 'The address is <https://bare.example.org/spot-5>.',
    'many.md': many.join(' '),
  })
  await passim.index([sandbox.path('.')])
})
afterAll(() => sandbox.remove())

const find = async (query: string) =>
  (await passim.search({ query, mode: 'keyword' })).map(({ name }) => name)

test.each([
  ['trip-7731', 'trip.md'],
  ['https://forms.example.org/trip-7731.pdf', 'trip.md'],
  ['desk@example.org', 'trip.md'],
  ['night-26', 'trip.md'],
  ['plan-9923', 'page.html'],
  ['key-404', 'page.html'],
])('the target %s of a link finds its text', async (query, name) => {
  expect((await find(query))[0]).toBe(name)
})

test('what a link runs is not searched', async () => {
  expect(await find('runner88')).toEqual([])
})

test('targets are no part of the text, few in number, and no address that the text shows', async () => {
  const blocks = []
  for (const query of ['trip-7731', 'spot-5', 'entry-3']) {
    const [hit] = await passim.search({ query, mode: 'keyword' })
    expect(hit?.context).not.toContain('forms')
    for await (const block of passim.library.blocks(hit?.documentId ?? '')) blocks.push(block)
  }
  expect(blocks.map(({ text }) => text).join()).not.toContain('trip-7731')
  expect(blocks.filter(({ text }) => text.includes('spot-5')).every(({ links }) => !links)).toBe(
    true,
  )
  for (const { links = [] } of blocks) expect(links.join('').length).toBeLessThanOrEqual(500)
  expect(blocks.some(({ links = [] }) => links.length > 10)).toBe(true)
})
