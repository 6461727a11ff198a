import { open } from '../../src/app.ts'
import { serve } from '../../src/server.ts'
import { oneStore } from '../../test/fakes/one-store.ts'
import type { Peer } from './peer.ts'
import { responsesPeer } from './responses.ts'

const MODEL = 'scripted'

/** Passim's own service on loopback, asked as any service with `/v1/responses` is; without a chat model, or with the one at that address. */
export async function passimOverHttp(home: string, modelUrl?: string): Promise<Peer> {
  const model = modelUrl === undefined ? undefined : { url: modelUrl, name: MODEL }
  const passim = await open({ home, model, settings: { server: { port: 0 } } })
  const { url, close } = await serve(oneStore(passim), { settings: passim.settings.server })
  const peer = responsesPeer({
    name: 'passim over HTTP',
    url: `${url}/v1`,
    model: model ? MODEL : 'passim-extractive',
    pauseMs: 200,
    headers: { 'x-passim-spans': '1' },
  })
  return {
    ...peer,
    async close() {
      await close()
      await passim.close()
    },
  }
}
