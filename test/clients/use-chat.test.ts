import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedReply, silentAfter } from '../fakes/scripted-model-server.ts'
import { CHROMIUM } from '../web/browser.ts'
import { startSession, type WebSession } from '../web/session.ts'

const SOURCE = fileURLToPath(new URL('use-chat-page.mjs', import.meta.url))
const DOCUMENT =
  '<!doctype html><meta charset="utf-8"><title>Chat</title><script type="module" src="/chat.js"></script>'

const answer = 'Hotels cost at most 120 euros a night [1].'
const storing: ScriptedReply = {
  calls: [
    { id: 'call_put', name: 'storage', arguments: { operate: 'put', key: '/note', value: 'dear' } },
  ],
}

/** The page stands where the service does, so that no other origin has to be allowed. */
describe.skipIf(CHROMIUM === undefined)(
  'useChat of the unmodified @ai-sdk/react, in Chromium',
  () => {
    const script: ScriptedReply[] = []
    const problems: string[] = []
    let session: WebSession

    beforeAll(async () => {
      session = await startSession(script, {
        conversations: {
          skills: { 1: { name: 'notes', tools: ['storage'] } },
          approve: ['storage'],
        },
      })
      await session.drop([
        {
          name: 'hotel.md',
          buffer: Buffer.from('# Travel\n\nHotels cost at most 120 euros a night.'),
        },
      ])
      const { outputFiles } = await build({
        ...{ entryPoints: [SOURCE], bundle: true, write: false, format: 'esm', logLevel: 'silent' },
        define: { 'process.env.NODE_ENV': '"production"' },
      })
      const { page } = session
      page.on('pageerror', error => problems.push(String(error)))
      await page.route('**/chat.js', route =>
        route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]!.text }),
      )
      await page.route('**/chat.html?*', route =>
        route.fulfill({ contentType: 'text/html', body: DOCUMENT }),
      )
    })
    afterAll(() => session?.close())

    const open = (id: string) => session.page.goto(`${session.url}/chat.html?id=${id}`)
    const reload = () => session.page.reload()
    const ask = async (question: string) => {
      await session.page.locator('input').fill(question)
      await session.page.keyboard.press('Enter')
    }
    const part = (type: string, state?: string) =>
      session.page.locator(
        `[data-role=assistant] [data-part=${type}]${state ? `[data-state=${state}]` : ''}`,
      )
    const isReady = () => session.page.locator('main[data-status=ready]').waitFor()
    const articles = () =>
      session.page.evaluate(
        `[...document.querySelectorAll('article')].map(one => one.dataset.role)`,
      )
    /** The next replies of the model, whatever was asked of it before. */
    const reply = (...replies: readonly ScriptedReply[]) => {
      script.length = session.model.requests.length
      return script.push(...replies) - replies.length
    }

    test('gets thoughts, calls, text and sources, and has them after a reload', async () => {
      reply(
        { reasoning: ['Hm.'], calls: [{ name: 'search', arguments: { query: 'price' } }] },
        { text: [answer] },
      )
      await open('sources')
      await ask('What do hotels cost?')
      for (const look of [() => isReady(), () => reload()]) {
        await part('source-document').waitFor()
        await look()
        expect(await part('source-document').textContent()).toBe('hotel.md')
        expect(await part('reasoning').textContent()).toBe('Hm.')
        expect(await part('dynamic-tool', 'output-available').textContent()).toBe('search')
        expect(await part('text').textContent()).toBe(answer)
        expect(await articles()).toEqual(['user', 'assistant'])
      }
    })

    test('goes on with an answer under way when its page is loaded again', async () => {
      reply(silentAfter('Hotels cost'))
      await open('reloaded')
      await ask('What do hotels cost?')
      await part('text').filter({ hasText: 'Hotels cost' }).waitFor()
      await reload()
      await part('text').filter({ hasText: 'Hotels cost' }).waitFor()
      await fetch(`${session.url}/api/chat/reloaded/stop`, { method: 'POST' })
      await isReady()
      expect(await articles()).toEqual(['user', 'assistant'])
    })

    test('shows after a reload what waits for approval, and goes on once it is approved of', async () => {
      const at = reply(storing, silentAfter('Noted'))
      await open('approving')
      await ask('Note that hotels are dear.')
      await part('dynamic-tool', 'approval-requested').waitFor()
      await reload()
      await session.page.getByRole('button', { name: 'Approve' }).click()
      await part('text').filter({ hasText: 'Noted' }).waitFor()
      expect((await session.model.request(at + 1)).body.messages.at(-1)).toMatchObject({
        role: 'tool',
      })
      await reload() // while the answer goes on
      await part('text').filter({ hasText: 'Noted' }).waitFor()
      await part('dynamic-tool', 'output-available').waitFor()
      await fetch(`${session.url}/api/chat/approving/stop`, { method: 'POST' })
      await isReady()
      expect(await articles()).toEqual(['user', 'assistant'])
    })

    test('shows after a reload what was refused', async () => {
      reply(storing, { text: ['Not noted.'] })
      await open('refusing')
      await ask('Note that hotels are dear.')
      await part('dynamic-tool', 'approval-requested').waitFor()
      await reload()
      await session.page.getByRole('button', { name: 'Refuse' }).click()
      await part('text').filter({ hasText: 'Not noted.' }).waitFor()
      await reload()
      await part('text').filter({ hasText: 'Not noted.' }).waitFor()
      expect(await part('dynamic-tool', 'output-denied').count()).toBe(1)
      expect(problems).toEqual([])
    })
  },
)
