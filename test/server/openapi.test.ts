import { expect, test } from 'vitest'
import type { Description } from '../../src/server/openapi/description.ts'
import { openKeyed } from './keyed.ts'

/**
 * Compares `/openapi.json` with the committed copy, so that a review shows every change of what crosses the HTTP face.
 * `npx vitest run test/server/openapi.test.ts -u` writes the copy anew. Its version is a placeholder, so that a release changes
 * nothing in it.
 */
test('the description is the committed one', async () => {
  const service = await openKeyed()
  try {
    const description = (await (await service.app.request('/openapi.json')).json()) as Description
    const info = { ...description.info, version: '0.0.0' }
    const text = JSON.stringify({ ...description, info }, undefined, 2)
    await expect(`${text}\n`).toMatchFileSnapshot('openapi.json')
  } finally {
    await service.close()
  }
})
