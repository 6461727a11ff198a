import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian and others put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Undefined where there is none: what needs it is skipped. */
export const CHROMIUM = PLACES.find(place => existsSync(place))

export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(CHROMIUM && { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'], // containers have no user namespaces, and a small /dev/shm
    timeout: 120_000,
  })
}
