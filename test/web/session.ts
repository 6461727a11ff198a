import type { Page } from 'playwright-core'
import type { OpenOptions } from '../../src/app/open-search.ts'
import type { Passim } from '../../src/app/passim.ts'
import { Keys } from '../../src/app/tenants/keys.ts'
import { serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import {
  type ModelScript,
  type ScriptedModel,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { startBrowser } from './browser.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 60_000

/** A service with a scripted model, and its page in a browser of its own. */
export type WebSession = {
  readonly passim: Passim
  readonly keys: Keys
  readonly model: ScriptedModel
  readonly url: string
  readonly page: Page
  /** To a view of the page that is open. */
  go(hash: string): Promise<void>
  /** In the view of documents; waits until each was indexed, or has failed. */
  drop(files: readonly DroppedFile[]): Promise<void>
  ask(question: string): Promise<void>
  close(): Promise<void>
}

type DroppedFile = { readonly name: string; readonly buffer: Buffer }

export async function startSession(
  script: ModelScript,
  settings: OpenOptions['settings'] = {},
): Promise<WebSession> {
  const sandbox = await Sandbox.make()
  const model = await startScriptedModel(script)
  const passim = await sandbox.open({
    settings: { ...settings, model: { url: model.url, name: 'scripted' } },
  })
  const keys = await Keys.open({ home: sandbox.home })
  const served = { settings: { ...passim.settings.server, port: 0 }, keys, log: () => {} }
  const service = await serve(oneStore(passim), served)
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  page.setDefaultTimeout(PATIENCE)
  await page.goto(service.url)
  return {
    ...{ passim, keys, model, page, url: service.url },
    async go(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    },
    async drop(files) {
      const chosen = files.map(({ name, buffer }) => ({
        name,
        buffer,
        mimeType: 'application/octet-stream',
      }))
      await page.evaluate(`location.hash = '#/documents'`)
      await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
      const before = await page.locator('.upload').count()
      await page.locator('input[type=file]').first().setInputFiles(chosen)
      const ended = page.locator('.upload.done, .upload.failed')
      await ended.nth(before + files.length - 1).waitFor()
    },
    async ask(question) {
      await page.getByRole('textbox', { name: 'Your question' }).fill(question)
      await page.keyboard.press('Enter')
    },
    async close() {
      await browser.close()
      await service.close()
      await model.close()
      await keys.close()
      await sandbox.remove()
    },
  }
}
