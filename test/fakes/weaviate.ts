import { z } from 'zod'
import { WeaviateClient } from '../../src/search/weaviate/weaviate-client.ts'
import { createId } from '../../src/system/digest.ts'

/** Why a test is skipped. */
export const NEEDS_WEAVIATE = 'needs PASSIM_TEST_WEAVIATE=http://127.0.0.1:PORT'

/** A Weaviate that tests may write to; undefined where none is named. */
export const weaviateUrl = process.env.PASSIM_TEST_WEAVIATE || undefined

const schemaSchema = z.object({ classes: z.array(z.object({ class: z.string() })).nullish() })

/** How many tables a collection has, in all classes that there are. */
export async function tenantsOf(collectionId: string): Promise<number> {
  const client = new WeaviateClient({ urls: [weaviateUrl!] }) // asked for by tests that need it
  const asked = async (path: string) =>
    (await client.send({ method: 'GET', path, expected: [404] })).json
  const { classes } = schemaSchema.parse(await asked('schema'))
  let count = 0
  for (const { class: name } of classes ?? []) {
    const tenants = await asked(`schema/${name}/tenants`) // tests side by side remove theirs
    if (Array.isArray(tenants))
      count += tenants.filter(tenant => tenant.name.startsWith(collectionId)).length
  }
  return count
}

/** What one test has in a Weaviate. */
export class TestWeaviate {
  readonly client: WeaviateClient
  readonly storeId = createId('test_')

  constructor(url: string) {
    this.client = new WeaviateClient({ urls: [url] })
  }

  async remove(): Promise<void> {
    const { json } = await this.client.send({ method: 'GET', path: 'schema' })
    const classes = schemaSchema.parse(json).classes ?? []
    for (const { class: name } of classes) {
      if (name.includes(this.storeId))
        await this.client.send({ method: 'DELETE', path: `schema/${name}` })
    }
  }
}
