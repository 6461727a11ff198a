import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { CHROMIUM, startBrowser } from './browser.ts'
import { Line } from './line.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 60_000

describe.skipIf(CHROMIUM === undefined)(
  'a page whose service goes away in the middle of an answer, in Chromium',
  () => {
    const script: ScriptedReply[] = []
    let answers = 0
    let sandbox: Sandbox
    let model: ScriptedModel
    let browser: Browser
    let page: Page
    let service: ChildProcess
    let url: string

    /** As a user starts it; gives its address once it listens. */
    async function serve(...args: readonly string[]): Promise<string> {
      const environment = {
        PASSIM_MODEL_URL: model.url,
        PASSIM_MODEL: 'scripted',
        PATH: pathWithOpener(),
      }
      const { child } = startCli(sandbox.home, ['serve', '--quiet', '--json', ...args], environment)
      service = child
      const [line] = (await once(child.stdout!, 'data')) as [Buffer | string]
      return (JSON.parse(String(line)) as { url: string }).url
    }

    /** First in the path stands a program that only notes what it is to open. */
    const opener = () => sandbox.path('bin')
    const pathWithOpener = () => `${opener()}:${process.env.PATH}`

    beforeAll(async () => {
      sandbox = await Sandbox.make()
      model = await startScriptedModel(({ body }) => {
        if (String(body.messages[0]?.content).includes('may ask next')) return { text: ['None.'] }
        return script[answers++]!
      })
      await mkdir(opener(), { recursive: true })
      const names = ['xdg-open', 'open']
      for (const name of names) {
        await writeFile(
          path.join(opener(), name),
          `#!/bin/sh\necho "$1" >> "${sandbox.path('opened')}"\n`,
          {
            mode: 0o755,
          },
        )
      }
      await sandbox.write({ 'docs/terms.md': '# Terms\n\nThe warranty lasts two years.' })
      await runCli(sandbox.home, ['index', sandbox.path('docs'), '--no-vectors'])
      url = await serve('--port', '0', '--open')
      browser = await startBrowser()
      page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
      page.setDefaultTimeout(PATIENCE)
    })
    afterAll(async () => {
      await browser?.close()
      service?.kill('SIGKILL')
      await model?.close()
      await sandbox?.remove()
    })

    const ask = async (question: string) => {
      await page.getByRole('textbox', { name: 'Your question' }).fill(question)
      await page.keyboard.press('Enter')
    }
    const away = () => page.getByRole('alert').filter({ hasText: 'Cannot reach the service' })
    const last = () => page.locator('.turn').last()

    test.skipIf(process.platform === 'win32')(
      'serve --open shows the page in the browser',
      async () => {
        await expect
          .poll(() => readFile(sandbox.path('opened'), 'utf8').catch(() => ''))
          .toBe(`${url}\n`)
      },
    )

    test('of a service that was killed and started again, the answer goes on by itself', async () => {
      script.push(silentAfter('The warranty'), { text: ['The warranty lasts two years [1].'] })
      await page.goto(url)
      await ask('How long is the warranty?')
      await last().locator('.answer').filter({ hasText: 'The warranty' }).waitFor()
      service.kill('SIGKILL')
      await away().waitFor()
      await serve('--port', new URL(url).port)
      await last()
        .getByRole('button', { name: /^Source 1/ })
        .first()
        .waitFor()
      expect(await page.locator('.turn').count()).toBe(1)
      expect(await last().locator('.answer').textContent()).toContain(
        'The warranty lasts two years',
      )
      expect(answers).toBe(2)
    })

    test('what was stopped is gone on with when one asks for it, also after a reload', async () => {
      script.push(silentAfter('The guarantee'), { text: ['The warranty lasts two years [1].'] })
      await ask('How long does the warranty last?')
      await last().locator('.answer').filter({ hasText: 'The guarantee' }).waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await last().getByText('Stopped.').waitFor()
      await page.reload()
      await last().getByRole('button', { name: 'Continue' }).click()
      await last()
        .getByRole('button', { name: /^Source 1/ })
        .first()
        .waitFor()
      expect(await page.locator('.turn').count()).toBe(2)
    })

    test('a network that is lost for a minute without a word is noticed, and the answer goes on where it was', async () => {
      const line = await Line.to(Number(new URL(url).port))
      try {
        await page.clock.install()
        await page.goto(line.url)
        script.push(silentAfter('Complaints are'))
        await ask('When are complaints answered?')
        await last().locator('.answer').filter({ hasText: 'Complaints are' }).waitFor()
        line.silence()
        await page.clock.fastForward(60_000)
        await away().waitFor()
        line.mend()
        await page.clock.fastForward(5_000)
        await away().waitFor({ state: 'detached' })
        expect(await last().locator('.answer').textContent()).toContain('Complaints are')
        await page.getByRole('button', { name: 'Stop' }).click()
        await last().getByText('Stopped.').waitFor()
      } finally {
        line.close()
      }
    })
  },
)
