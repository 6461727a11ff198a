import type { OpenOptions } from '../../src/app/open-search.ts'
import type { Passim } from '../../src/app/passim.ts'
import { type ServeOptions, type Service, serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { Sandbox } from '../fakes/store.ts'

/** A store served over loopback, on a port of its own. */
export type Running = {
  readonly sandbox: Sandbox
  readonly passim: Passim
  readonly url: string
  readonly log: readonly string[]
  close(): Promise<void>
}

export async function startServer(
  options: OpenOptions = {},
  served: Pick<ServeOptions, 'mcp' | 'keys' | 'auditLog'> = {},
): Promise<Running> {
  const sandbox = await Sandbox.make()
  const passim = await sandbox.open(options)
  const log: string[] = []
  const service: Service = await serve(oneStore(passim), {
    settings: { ...passim.settings.server, port: 0 },
    log: message => log.push(message),
    ...served,
  })
  return {
    ...{ sandbox, passim, log, url: service.url },
    async close() {
      await service.close()
      await sandbox.remove()
    },
  }
}
