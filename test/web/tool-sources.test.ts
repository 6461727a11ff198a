import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

const SERVER = fileURLToPath(new URL('../fakes/mcp-server.ts', import.meta.url))
const TOLD = 'On Monday, Bern has heavy rain.'

describe.skipIf(CHROMIUM === undefined)('what a tool answered, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    const sky = {
      command: process.execPath,
      args: ['--import', 'tsx', SERVER],
      env: { SAYS: TOLD },
    }
    session = await startSession(
      ({ body: { messages } }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: ['Hotels cost at most 120 euros a night [1]. Bern has heavy rain on Monday.'] }
          : { calls: [{ name: 'sky-say', arguments: { times: 1 } }] },
      { agent: { mcpServers: { sky }, mcpConnectMs: 60_000 } },
    )
    const hotel = '# Travel\n\nHotels cost at most 120 euros a night.'
    await session.drop([{ name: 'hotel.md', buffer: Buffer.from(hotel) }])
    await session.go('#/ask')
  })
  afterAll(() => session?.close())

  /** What a number of the answer tells when it is pointed at. */
  const titles = () =>
    session.page
      .locator('.marker')
      .evaluateAll(all => all.map(one => [one.textContent, one.getAttribute('title')]))

  test('is a number of the answer that tells the tool and its words, also of a turn that was kept', async () => {
    const { page, ask } = session
    await ask('What do hotels cost, and how is the weather in Bern?')
    await page.locator('sup.marker').filter({ hasText: '2' }).waitFor()
    const told = [
      ['1', expect.stringContaining('hotel.md')],
      ['2', `sky-say {"times":1}: ${TOLD}`],
    ]
    expect(await titles()).toEqual(told)
    await page.reload()
    await page.locator('sup.marker').filter({ hasText: '2' }).waitFor()
    expect(await titles()).toEqual(told)
  })
})
