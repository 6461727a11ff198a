import OpenAI from 'openai'
import {
  type ModelScript,
  type ScriptedModel,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

/** A service with a scripted model and a store of one document on what hotels cost, and the unmodified client of it. */
export type Travel = {
  readonly model: ScriptedModel
  readonly server: Running
  readonly client: OpenAI
  /** Id of the vector store. */
  readonly store: string
  close(): Promise<void>
}

export async function startTravel(script: ModelScript): Promise<Travel> {
  const model = await startScriptedModel(script)
  const server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const { id: store } = await client.vectorStores.create({ name: 'travel' })
  const file = new File(['Hotels cost at most 120 euros a night.'], 'hotel.md')
  await client.vectorStores.files.uploadAndPoll(store, file)
  const close = async () => {
    await server.close()
    await model.close()
  }
  return { model, server, client, store, close }
}
