import path from 'node:path'
import { Keys, type Scope } from '../../src/app/tenants/keys.ts'
import { openTenants } from '../../src/app/tenants/tenants.ts'
import { serve } from '../../src/server.ts'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

export const DATABASE = process.env.PASSIM_TEST_POSTGRES

type Input = NonNullable<Parameters<typeof openTenants>[0]['settings']>

/** A service of a cluster. */
export type Node = {
  readonly url: string
  readonly home: string
  readonly log: readonly string[]
  close(): Promise<void>
}

/** Services over one database, each with a home of its own and on a port of its own; `urls` where one reaches the database elsewhere. */
export async function openNodes(
  names: readonly string[],
  settings: Input = {},
  urls: Readonly<Record<string, string>> = {},
) {
  const sandbox = await Sandbox.make()
  const schema = schemaOf(sandbox.folder)
  const catalogAt = (url: string) => ({ url, schema })
  const nodes: Node[] = []
  for (const name of names) {
    const home = path.join(sandbox.folder, name)
    nodes.push(await openNode(home, { ...settings, catalog: catalogAt(urls[name] ?? DATABASE!) }))
  }
  const keys = await Keys.open({ home: sandbox.home, catalog: catalogAt(DATABASE!) })
  return {
    ...{ nodes, keys },
    token: async (scope: Scope = 'write') =>
      (await keys.create({ name: 'test', tenant: 'default', scope })).token,
    async close() {
      for (const node of nodes) await node.close()
      await keys.close()
      await sandbox.remove()
    },
  }
}

async function openNode(home: string, input: Input): Promise<Node> {
  const log: string[] = []
  const onError = (message: string) => log.push(message)
  const { settings, stores, close } = await openTenants({
    ...{ home, environment: {}, settings: input, embedder: new HashingEmbedder(), onError },
  })
  const keys = await Keys.open(settings)
  const service = await serve(stores, {
    settings: { ...settings.server, port: 0 },
    keys,
    log: onError,
  })
  return {
    ...{ url: service.url, home, log },
    async close() {
      await service.close()
      await close()
      await keys.close()
    },
  }
}
