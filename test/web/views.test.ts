import { readFile } from 'node:fs/promises'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebServer } from '../fakes/web-server.ts'
import { pdf } from '../fixtures/pdf.ts'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

const MARKUP = '<img src=x onerror="hacked=1">'

const TERMS = pdf(
  [
    ['The warranty lasts two years.', 'It begins on the day of the purchase.'],
    ['Complaints are answered within a week.'],
  ].map(lines => lines.map((text, at) => ({ text, x: 72, y: 100 + 30 * at, size: 12 }))),
)

describe.skipIf(CHROMIUM === undefined)('the views beside the conversation, in Chromium', () => {
  let session: WebSession
  let site: WebServer

  beforeAll(async () => {
    site = await WebServer.start({
      '/heron.html': { body: '<h1>Herons</h1><p>A grey heron wades in the lake.</p>' },
    })
    session = await startSession([{ text: ['The warranty lasts two years [1].'] }], {
      fetching: { allowPrivate: true, delayMs: 0 },
    })
    await session.page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
    await session.drop([{ name: 'terms.pdf', buffer: TERMS }])
  })
  afterAll(async () => {
    await session?.close()
    await site?.close()
  })

  /** What axe finds serious on the page as it is now. */
  const serious = async () => {
    const { page } = session
    await page.evaluate(axe.source)
    const found: axe.AxeResults = await page.evaluate('axe.run()')
    const bad = found.violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    )
    return bad.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
  }

  test('questions about the documents are suggested, and asked by a click', async () => {
    const { page, go, model } = session
    await go('#/ask')
    const suggested = page.getByRole('list', { name: 'Suggested questions' }).getByRole('button')
    await suggested.first().waitFor()
    expect(await suggested.allTextContents()).toEqual([
      'Summarise terms.pdf',
      'Which documents are there?',
    ])
    expect(await serious()).toEqual([])
    await suggested.first().click()
    const marker = page.locator('button.marker').first()
    await marker.waitFor()
    expect(await marker.getAttribute('title')).toContain('The warranty lasts two years.')
    expect(JSON.stringify(model.requests)).toContain('Summarise terms.pdf')
    await page.getByRole('button', { name: 'New conversation' }).first().click()
  })

  test('a page of the web is added by its address, and an address that is none is refused in a sentence', async () => {
    const { page, go } = session
    await go('#/documents')
    await page.getByRole('button', { name: 'Add a web page' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(site.url('/gone.html'))
    await dialog.getByRole('button', { name: 'Add a web page' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Address').fill(site.url('/heron.html'))
    await dialog.getByRole('button', { name: 'Add a web page' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.locator('.row').filter({ hasText: 'heron.html' })
    await row.locator('.badge.completed').waitFor()
  })

  test('a chunk is switched off and noted in the view of its document', async () => {
    const { page, go, passim } = session
    const text = 'The ferry leaves the harbour at noon.'
    const put = { id: 'ferry', collection: 'default', title: 'Ferry', text }
    const { document } = await passim.documents.put(put)
    await go(`#/documents/${document.id}`)
    await page.getByRole('button', { name: 'Chunks', exact: true }).click()
    const chunk = page.locator('.chunk').filter({ hasText: text })
    const off = chunk.getByRole('button', { name: 'Switched off' })
    await off.click()
    await page.locator('.chunk [aria-pressed="true"]').waitFor()
    await chunk.getByRole('textbox', { name: 'Note' }).fill('In summer only.')
    await chunk.getByRole('button', { name: 'Save' }).click()
    await chunk.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const [changed] = (await passim.chunks.list(document.id)).chunks
    expect(changed).toMatchObject({ isExcluded: true, note: 'In summer only.' })
    const isIndexed = async () => (await passim.show(document.id)).status
    await expect.poll(isIndexed, { timeout: 30_000 }).toBe('completed')
    await passim.delete(document.id, { now: true })
  })

  test('a document is indexed again from its view, and deleted there', async () => {
    const { page, go, passim } = session
    const heron = (await passim.list('default')).find(({ name }) => name === 'heron.html')!
    await go(`#/documents/${heron.id}`)
    site.pages['/heron.html'] = { body: '<h1>Grey herons</h1><p>A heron waits.</p>' }
    await page.getByRole('button', { name: 'Index again' }).click()
    await page.locator('.document-facts').filter({ hasText: 'Grey herons' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.row').filter({ hasText: 'terms.pdf' }).waitFor()
    expect(await page.locator('.row').count()).toBe(1)
  })

  test('a deletion is undone at once, and later from the list of deletions', async () => {
    const { page } = session
    const heron = page.locator('.row').filter({ hasText: 'heron.html' })
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete: heron.html' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await heron.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Undo' }).click()
    await heron.waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await remove()
    await page.getByText('1 document deleted.').waitFor()
    await page.getByText('Recently deleted').click()
    await page.getByText(/can be restored until/).waitFor()
    expect(await serious()).toEqual([])
    await page.getByRole('button', { name: 'Restore: heron.html' }).click()
    await heron.waitFor()
    await page.getByText('Nothing to restore.').waitFor()
    await remove()
  })

  test('of a long conversation the last turns are shown at first, however few the service gives at a time', async () => {
    const { page, go, passim } = session
    const items = Array.from({ length: 60 }, (_, at) => [
      { kind: 'message', role: 'user', content: `Question ${at + 1}?` } as const,
      { kind: 'message', role: 'assistant', content: `Answer ${at + 1}.` } as const,
    ])
    const { id } = await passim.conversations.create({ items: items.flat() })
    await page.route(`**/api/conversations/${id}?*`, route =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=7'),
      }),
    )
    await go(`#/ask/${id}`)
    await page.getByText('Answer 60.').waitFor()
    expect(await page.locator('.turn').count()).toBeGreaterThanOrEqual(50)
    await page.getByRole('button', { name: 'Show earlier questions' }).click()
    await page.getByText('Answer 1.', { exact: true }).waitFor()
    expect(await page.locator('.turn h2').allTextContents()).toEqual(
      items.map((_, at) => `Question ${at + 1}?`),
    )
    await page
      .getByRole('button', { name: 'Show earlier questions' })
      .waitFor({ state: 'detached' })
  })

  test('a collection and a conversation called like markup are shown as they are called', async () => {
    const { page, go, passim } = session
    await passim.conversations.create({
      items: [{ kind: 'message', role: 'user', content: MARKUP }],
    })
    await passim.collections.create({ name: MARKUP, embedder: 'none' })
    await go('#/collections')
    await page.getByText(MARKUP).first().waitFor()
    await go('#/ask')
    await page.reload()
    await page.getByRole('link', { name: MARKUP }).first().waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })

  test('nothing scrolls sideways for a long name, nor beside a long list of conversations', async () => {
    const { page, go, passim } = session
    const name = 'a_name_without_any_blank_that_goes_on_until_the_end_of_the_line'
    await passim.collections.create({ name, embedder: 'none' })
    for (let at = 0; at < 40; at++)
      await passim.conversations.create({
        items: [{ kind: 'message', role: 'user', content: `${name} ${at}` }],
      })
    const sideways = `[...document.querySelectorAll('main, main *')].filter(one =>
      /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth).map(one => one.className || one.tagName)`
    for (const width of [1300, 390]) {
      await page.setViewportSize({ width, height: 850 })
      for (const view of ['ask', 'documents', 'search?q=warranty', 'collections', 'activity']) {
        await go(`#/${view}`)
        await page.reload()
        await page.locator('.working').first().waitFor({ state: 'detached' })
        if (view === 'ask') await page.getByText(`${name} 39`).waitFor({ state: 'attached' })
        if (view === 'documents')
          await page.getByRole('option', { name }).waitFor({ state: 'attached' })
        expect([width, view, await page.evaluate(sideways)]).toEqual([width, view, []])
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a conversation is found by its title', async () => {
    const { page, go, passim } = session
    await passim.conversations.create({ title: 'Rent of the flat' })
    await go('#/ask')
    await page.reload()
    const entries = page.locator('.conversation-entry')
    await entries.nth(8).waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('the FLAT')
    await page.getByRole('link', { name: 'Rent of the flat' }).waitFor()
    await entries.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('no such title')
    await page.getByText('No conversation has this in its title.').waitFor()
    await page.getByRole('searchbox').fill('')
    await entries.nth(8).waitFor()
  })

  test('the page and the description of the service lead to each other', async () => {
    const { page, go } = session
    await go('#/ask')
    await page.locator('a[href$="docs"]').click()
    await page.getByRole('link', { name: 'the page' }).click()
    await page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
  })

  test('Activity draws what the service counts', async () => {
    const { page, go } = session
    await go('#/activity')
    await page.locator('.plot polyline').first().waitFor({ state: 'attached' })
    expect(await page.locator('.plot dt').allTextContents()).toContain('Memory')
  })

  test('Activity lists batches with their progress', async () => {
    const { page, go, url } = session
    const line = JSON.stringify({
      ...{ custom_id: 'a', method: 'POST', url: '/v1/embeddings' },
      body: { model: 'passim-embedder', input: 'One.' },
    })
    const form = new FormData()
    form.append('file', new File([line], 'requests.jsonl'))
    form.append('purpose', 'batch')
    const uploaded = await fetch(`${url}/v1/files`, { method: 'POST', body: form })
    const { id: input_file_id } = (await uploaded.json()) as { id: string }
    const own = { input_file_id, endpoint: '/v1/embeddings', completion_window: '24h' }
    await fetch(`${url}/v1/batches`, { method: 'POST', body: JSON.stringify(own) })
    await go('#/activity')
    const row = page.locator('.job').filter({ hasText: 'Batch of /v1/embeddings' })
    await row.getByText('1 of 1').waitFor()
    await row.getByText('Done').waitFor()
    const saved = page.waitForEvent('download')
    await row.getByRole('button', { name: 'Results' }).click()
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('"custom_id":"a"')
  })

  test('the document and the source beside an answer have nothing that axe finds serious', async () => {
    const { page, go, ask, passim } = session
    const terms = (await passim.list('default')).find(({ name }) => name === 'terms.pdf')!
    await go(`#/documents/${terms.id}?page=2`)
    await page.locator('.page-read').filter({ hasText: 'Complaints' }).waitFor()
    expect(await serious()).toEqual([])
    for (const tab of ['Text', 'Tables', 'Chunks', 'Details']) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      await page.locator('.working').first().waitFor({ state: 'detached' })
      expect(await serious()).toEqual([])
    }
    await go('#/ask')
    await ask('How long is the warranty?')
    await page
      .getByRole('button', { name: /^Source 1: terms\.pdf/ })
      .first()
      .click()
    await page.locator('aside.source .source-body').waitFor()
    expect(await serious()).toEqual([])
  })

  test('a refusal is in the language of its question, and what the page says of it in that of the page', async () => {
    const { page, go, passim } = session
    const asked = { question: 'warranty 期满之后怎么办？', extractive: true, strictness: 1 }
    const { conversationId } = await passim.conversationService.ask(asked, 'new')
    await go(`#/ask/${conversationId}`)
    const answer = page.locator('.answer')
    await answer.getByText('Nearest passages:').waitFor()
    expect(await answer.locator('p').allTextContents()).toEqual([
      '在文档中没有找到答案。',
      'Nearest passages:',
    ])
  })

  test('a search shows how it was made, also when it is opened by its address', async () => {
    const { page, go } = session
    await go('#/search?q=warranty&mode=keyword')
    await page.locator('.hit').first().waitFor()
    expect(await page.getByLabel('Mode').inputValue()).toBe('keyword')
  })

  test('a search says which word it corrected', async () => {
    const { page, go } = session
    await go('#/search?q=warrantyy&mode=keyword')
    await page.getByText('No document has “warrantyy”. Searched for warranty instead.').waitFor()
  })

  test('the first key may administer unless one chooses otherwise, or nobody could make another', async () => {
    const { page, go } = session
    await go('#/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    expect(await page.getByRole('dialog').getByLabel('Permission').inputValue()).toBe('admin')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a key tells when it was used last', async () => {
    const { page, go, keys } = session
    const { token } = await keys.create({ name: 'laptop', tenant: 'default', scope: 'admin' })
    await keys.create({ name: 'spare', tenant: 'default', scope: 'read' })
    await keys.create({ name: MARKUP, tenant: 'default', scope: 'read' })
    await go('#/keys')
    await page.reload() // whatever was open asks for a key only when it asks the service again
    await page.getByRole('textbox', { name: 'Key' }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .locator('.job')
      .filter({ hasText: 'laptop' })
      .filter({ hasText: 'last used' })
      .waitFor()
    await page
      .locator('.job')
      .filter({ hasText: 'spare' })
      .filter({ hasText: 'never used' })
      .waitFor()
    await page.locator('.job').filter({ hasText: MARKUP }).waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await serious()).toEqual([])
  })

  test('an administrator sees what is in use, and tests the chat model', async () => {
    const { page, go, model } = session
    await go('#/settings')
    await page.getByRole('link', { name: 'Keys', exact: true }).waitFor()
    const chatModel = page.locator('.job').filter({ hasText: 'chat model' })
    await chatModel.filter({ hasText: 'scripted at' }).waitFor()
    const asked = model.requests.length
    await page.getByRole('button', { name: 'Test everything again' }).click()
    await page.locator('.job').filter({ hasText: 'chat model in use' }).waitFor()
    expect(model.requests.length).toBeGreaterThan(asked)
    expect(await serious()).toEqual([])
  })

  test('a key that only reads is offered nothing that changes the store', async () => {
    const { page, go, keys } = session
    const { token } = await keys.create({ name: 'reader', tenant: 'default', scope: 'read' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'Key' }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await go('#/collections')
    await page.locator('.card').first().waitFor()
    expect(await page.getByRole('button', { name: /^(New|Re-embed|Delete)/ }).count()).toBe(0)
    await go('#/documents')
    await page.locator('.row .badge.completed').first().waitFor()
    expect(await page.locator('.drop, .row input, [aria-label^="Delete"]').count()).toBe(0)
    await page.getByRole('link', { name: 'terms.pdf' }).click()
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'Download' }).waitFor()
    expect(await page.locator('form.attributes').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Index again|Delete)/ }).count()).toBe(0)
    await go('#/settings')
    await page.getByText('You need an administrator key to see this.').waitFor()
  })

  test('on a laptop there is one column beside the conversation, on a phone the list covers it', async () => {
    const { page, go } = session
    await go('#/ask')
    const width = async () => (await page.locator('main').boundingBox())?.width ?? 0
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await width()).toBeGreaterThan(1280 - 256)
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await width()).toBe(390)
  })
})
