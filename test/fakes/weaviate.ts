import { z } from 'zod'
import { newId } from '../../src/ingest/digest.ts'
import { WeaviateClient } from '../../src/search/weaviate/weaviate-client.ts'

/** Why a test is skipped. */
export const NEEDS_WEAVIATE = 'needs PASSIM_TEST_WEAVIATE=http://127.0.0.1:PORT'

/** A Weaviate that tests may write to; undefined where none is named. */
export const weaviateUrl = process.env.PASSIM_TEST_WEAVIATE || undefined

const schemaSchema = z.object({ classes: z.array(z.object({ class: z.string() })).nullish() })

/** What one test has in a Weaviate. */
export class TestWeaviate {
  readonly client: WeaviateClient
  readonly storeId = newId('test_')

  constructor(url: string) {
    this.client = new WeaviateClient({ urls: [url] })
  }

  async remove(): Promise<void> {
    const { json } = await this.client.send({ method: 'GET', path: 'schema' })
    const classes = schemaSchema.parse(json).classes ?? []
    for (const { class: name } of classes) {
      if (name.includes(this.storeId)) await this.client.send({ method: 'DELETE', path: `schema/${name}` })
    }
  }
}
