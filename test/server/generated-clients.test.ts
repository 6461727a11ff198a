import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashParts } from '../../src/system/digest.ts'
import { type Description, selectOwnRoutes } from '../clients/own-routes.ts'
import { type PythonDescription, writePythonClient } from '../clients/python-code.ts'

/** Compared with the service by another test. */
async function readOwnRoutes(): Promise<object> {
  const file = new URL('openapi.json', import.meta.url)
  return selectOwnRoutes(JSON.parse(await readFile(file, 'utf8')) as Description)
}

const PYTHON = '../../integrations/python/passim_client'

/** After a change of the description: `npx vitest run test/server/generated-clients.test.ts -u` writes it anew. */
test('the client for Python is that of the description', async () => {
  const { models, routes } = writePythonClient((await readOwnRoutes()) as PythonDescription)
  await expect(models).toMatchFileSnapshot(`${PYTHON}/models.py`)
  await expect(routes).toMatchFileSnapshot(`${PYTHON}/routes.py`)
})

/** After a change of the description: `npx vitest run --mode full test/clients/client.test.ts -u` writes them anew. */
test('the types of the client for TypeScript were written from the description', async () => {
  const types = await readFile(new URL('../../client/api.ts', import.meta.url), 'utf8')
  const [, digest] = /which a shorter test compares: (\w+)/.exec(types) ?? []
  expect(digest).toBe(hashParts(JSON.stringify(await readOwnRoutes())))
})
