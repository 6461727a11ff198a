import type { OpenOptions } from '../../src/app/open-search.ts'
import type { ConversationHooks } from '../../src/conversations/hooks.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

/** A service of one document on what hotels cost, whose model and hooks do what a test says. */
export type Hooked = Running & {
  readonly model: ScriptedModel
  /** What the model answers next is pushed to it. */
  readonly script: ScriptedReply[]
  hooks: ConversationHooks
  /** No hooks any more, and nothing more in the script. */
  reset(): void
}

export async function startHooked(settings: OpenOptions['settings'] = {}): Promise<Hooked> {
  const script: ScriptedReply[] = []
  const model = await startScriptedModel(script)
  const server = await startServer({
    hooks: {
      check: async (...asked) => (await hooked.hooks.check?.(...asked)) ?? 'pass',
      charge: async (...asked) => (await hooked.hooks.charge?.(...asked)) ?? 'ok',
    },
    settings: { model: { url: model.url, name: 'scripted' }, ...settings },
  })
  await server.passim.index([
    await server.sandbox.write({
      'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.',
    }),
  ])
  const hooked: Hooked = {
    ...{ ...server, model, script, hooks: {} },
    reset() {
      hooked.hooks = {}
      script.length = model.requests.length
    },
    async close() {
      await server.close()
      await model.close()
    },
  }
  return hooked
}
