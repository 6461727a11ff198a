import type { OpenOptions } from '../../src/app/open-parts.ts'
import { oneStore } from '../../src/app/tenants.ts'
import type { Passim } from '../../src/app.ts'
import { type Service, serve } from '../../src/server.ts'
import { Sandbox } from '../fakes/store.ts'

/** A store served over loopback, on a port of its own. */
export type Running = {
  readonly sandbox: Sandbox
  readonly passim: Passim
  readonly url: string
  readonly log: readonly string[]
  close(): Promise<void>
}

export async function startServer(options: OpenOptions = {}): Promise<Running> {
  const sandbox = await Sandbox.make()
  const passim = await sandbox.open(options)
  const log: string[] = []
  const service: Service = await serve(oneStore(passim), {
    settings: { ...passim.settings.server, port: 0 },
    log: message => log.push(message),
  })
  return {
    ...{ sandbox, passim, log, url: service.url },
    async close() {
      await service.close()
      await sandbox.remove()
    },
  }
}
