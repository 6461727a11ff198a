import type { Passim } from '../app.ts'
import { isExpired } from '../ingest/store/catalog/collections.ts'
import type { ModelJson, ModelListJson } from '../wire/model.ts'
import type { RequestContext } from './http/context.ts'
import { createNoModel } from './http/errors.ts'
import type { Routes } from './route.ts'

/** Model name that always quotes. */
export const EXTRACTIVE_MODEL = 'passim-extractive'

export const modelRoutes: Routes = {
  'GET /v1/models': {
    summary: 'List the names that `model` accepts',
    answer: 'ModelList',
    reply: async c =>
      c.json<ModelListJson>({ object: 'list', data: await listModels(c.var.passim) }),
  },
  'GET /v1/models/:model{.+}': { summary: 'Get a model', answer: 'Model', reply: retrieve },
}

async function retrieve(c: RequestContext): Promise<Response> {
  const id = c.req.param('model')!
  const model = (await listModels(c.var.passim)).find(candidate => candidate.id === id)
  if (model) return c.json(model)
  throw createNoModel(id)
}

async function listModels({ settings, texts, collections }: Passim) {
  const names = [settings.model?.name, EXTRACTIVE_MODEL, texts.embedderId].filter(
    name => name !== undefined,
  )
  const stores = (await collections.listVisible()).filter(collection => !isExpired(collection))
  return [
    ...[...new Set(names)].map(id => toModelJson(id, 0)),
    ...stores.map(({ id, createdAt }) => toModelJson(id, Math.floor(createdAt / 1000))),
  ]
}

function toModelJson(id: string, created: number): ModelJson {
  return { id, object: 'model', created, owned_by: 'passim' }
}
