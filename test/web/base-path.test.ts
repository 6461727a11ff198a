import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { Sandbox } from '../fakes/store.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 60_000

describe.skipIf(CHROMIUM === undefined)('the page below a path, in Chromium', () => {
  let sandbox: Sandbox
  let browser: Browser
  let service: Service
  let proxy: Server

  beforeAll(async () => {
    sandbox = await Sandbox.make()
    const passim = await sandbox.open({ settings: { server: { basePath: '/passim' } } })
    await passim.collections.create({ name: 'default' })
    await passim.collections.create({ name: 'travel' })
    const settings = { ...passim.settings.server, port: 0 }
    service = await serve(oneStore(passim), { settings, log: () => {} })
    proxy = await startStrippingProxy('/inside', service.url)
    browser = await startBrowser()
  }, PATIENCE)
  afterAll(async () => {
    await browser.close()
    proxy.close()
    await service.close()
    await sandbox.remove()
  })

  test.each([
    ['by the setting', () => `${service.url}/passim`],
    [
      'by a proxy that removes the path',
      () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/inside/`,
    ],
  ])('%s it loads its files and calls its API, under its policy', async (_, toUrl) => {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE)
    const problems: string[] = []
    page.on('pageerror', error => problems.push(String(error)))
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    page.on('response', answer => answer.status() >= 400 && problems.push(answer.url()))
    await page.goto(toUrl())
    await page.goto(`${page.url().replace(/#.*/, '')}#/documents`)
    await page.getByText('travel').first().waitFor({ state: 'attached' })
    expect(problems).toEqual([])
    await page.close()
  })
})

/** Forwards what is below `path` to the root of the service, and nothing else. */
async function startStrippingProxy(path: string, target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith(`${path}/`)) return void outgoing.writeHead(404).end()
    const inner = request(target + url.slice(path.length), { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    inner.on('error', () => outgoing.destroy())
    incoming.pipe(inner)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}
