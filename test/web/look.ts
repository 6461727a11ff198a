import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds serious on the page as it is now. */
export async function findSeriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found: axe.AxeResults = await page.evaluate('axe.run()')
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
}

/** Writes pictures of the page to the folder PASSIM_FILM, where it is set: in both languages, light and dark, wide and narrow. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const folder = process.env.PASSIM_FILM
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const language of ['en', 'zh']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 760 })
        const picture = await page.screenshot({ animations: 'disabled' })
        await writeFile(
          path.join(folder, `${name}-${language}-${colorScheme}-${width}.png`),
          picture,
        )
      }
    }
    await page.getByText(/^(?:中文|English)$/).dispatchEvent('click')
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 800 })
}
