/**
 * Pictures of every view of the page, in both languages and themes and at three widths, for anybody to look at:
 *
 *     npx tsx test/web/page-pictures.ts [FOLDER] [ONLY]
 *
 * They go to FOLDER, or to a new one whose name is printed; ONLY is a part of the names wanted, as `zh-dark`; `readme.png` among them is the picture in the README.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { Keys } from '../../src/app/tenants/keys.ts'
import { open } from '../../src/app.ts'
import { serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { startBrowser } from './browser.ts'

const SAMPLES = fileURLToPath(new URL('../../data/samples', import.meta.url))
const NAMES = [
  'freedoom-manual.pdf',
  'debian-maintainer-guide-zh.pdf',
  'udhr-zh.docx',
  'sqlite-when-to-use.html',
  'zhlint-zh.md',
]

const LANGUAGES = {
  en: {
    question: 'How much of the damage does the heavy armor vest absorb?',
    unanswered: 'Who won the football match on Sunday?',
    query: 'armor absorbs damage',
  },
  zh: {
    question: '在 Debian 社区里，谁拥有向官方仓库上传的全部权限？',
    unanswered: '星期天的足球赛谁赢了？',
    query: '上传 权限',
  },
} as const

const WIDTHS = { wide: [1440, 900], middle: [1024, 768], narrow: [360, 740] } as const
type Language = keyof typeof LANGUAGES

const home = await mkdtemp(path.join(tmpdir(), 'passim-pictures-'))
const [, , named, only = ''] = process.argv
const folder = named ?? (await mkdtemp(path.join(tmpdir(), 'page-pictures-')))
await mkdir(folder, { recursive: true })
const passim = await open({ home, environment: {} })
const keys = await Keys.open({ home })
const settings = { ...passim.settings.server, port: 0, sharedLinkDays: 30 }
const service = await serve(oneStore(passim), { settings, keys, log: console.error })
const browser = await startBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(120_000)
  await emptyViews(page)
  await passim.index([...NAMES.map(name => path.join(SAMPLES, name)), await badFile()])
  for (const language of only === 'readme' ? [] : (['en', 'zh'] as const)) {
    for (const theme of ['light', 'dark'] as const) {
      for (const width of Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]) {
        if (!`${language}-${theme}-${width}`.includes(only)) continue
        const [wide, high] = WIDTHS[width]
        await page.setViewportSize({ width: wide, height: high })
        await prefer(page, language, theme)
        await everyView(page, language, name =>
          shoot(page, `${name}-${language}-${theme}-${width}`),
        )
      }
    }
  }
  await readmePicture(page)
  console.log(folder)
} finally {
  await browser.close()
  await service.close()
  await passim.close()
  await keys.close()
  await rm(home, { recursive: true, force: true })
}

/** A name that is far too long, of a file that cannot be read. */
async function badFile(): Promise<string> {
  const file = path.join(home, `${'a-report-with-a-name-that-goes-on-and-on-'.repeat(4)}.pdf`)
  await writeFile(file, '%PDF-1.4 and nothing of a PDF after it')
  return file
}

async function prefer(page: Page, language: Language, theme: string): Promise<void> {
  await page.goto(service.url)
  await page.evaluate(`localStorage.setItem('passim.language', '${language}')`)
  await page.evaluate(`localStorage.setItem('passim.theme', '${theme}')`)
  await page.goto('about:blank')
}

async function emptyViews(page: Page): Promise<void> {
  await prefer(page, 'en', 'light')
  for (const view of ['ask', 'documents', 'search', 'collections', 'activity', 'keys']) {
    await visit(page, view)
    await shoot(page, `empty-${view}`)
  }
}

async function visit(page: Page, place: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${service.url}/#/${place}`)
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.locator('.working').first().waitFor({ state: 'detached' })
}

async function everyView(
  page: Page,
  language: Language,
  take: (name: string) => Promise<void>,
): Promise<void> {
  const { question, unanswered, query } = LANGUAGES[language]
  await askAndShow(page, question)
  await take('source')
  await page.keyboard.press('Escape')
  await take('answer')
  await ask(page, unanswered)
  await take('abstained')
  await visit(page, 'documents')
  await page.locator('.row').first().waitFor()
  await take('documents')
  const [manual] = (await passim.list('default')).filter(
    document => document.name === NAMES[language === 'en' ? 0 : 1],
  )
  await visit(page, `documents/${manual!.id}?page=8`)
  await page.locator('.page-picture img').waitFor()
  await take('document')
  await page.locator('.segments button').last().click()
  await take('details')
  await visit(page, `search?q=${encodeURIComponent(query)}`)
  await page.locator('.hit').first().waitFor()
  await take('search')
  for (const view of ['collections', 'activity', 'keys', 'settings']) {
    await visit(page, view)
    await take(view)
  }
}

async function ask(page: Page, question: string): Promise<void> {
  await page.locator('.composer textarea').fill(question)
  await page.keyboard.press('Enter')
  await page.locator('.turn').last().locator('.actions').waitFor()
}

async function askAndShow(page: Page, question: string): Promise<void> {
  await visit(page, 'ask')
  await ask(page, question)
  await page.locator('button.marker').first().click()
  await page.locator('.page-picture img').first().waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  await writeFile(
    path.join(folder, `${name}.png`),
    await page.screenshot({ animations: 'disabled' }),
  )
}

/** Few colours, so that it is small. */
async function readmePicture(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 760 })
  await prefer(page, 'en', 'light')
  await askAndShow(page, LANGUAGES.en.question)
  const { default: sharp } = await import('sharp')
  const bytes = await sharp(await page.screenshot({ animations: 'disabled' }))
    .png({ palette: true, effort: 10 })
    .toBuffer()
  await writeFile(path.join(folder, 'readme.png'), bytes)
  console.log(`readme.png: ${Math.round(bytes.length / 1000)} KB`)
}
