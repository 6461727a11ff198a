import type { Passim } from '../app/passim.ts'
import { type Collection, isExpired } from '../ingest/store/catalog/collections.ts'
import type { ModelJson, ModelListJson } from '../wire/model.ts'
import type { RequestContext } from './http/context.ts'
import { createNoModel } from './http/errors.ts'
import type { Routes } from './route.ts'

export const EXTRACTIVE_MODEL = 'passim-extractive'

export const modelRoutes: Routes = {
  'GET /v1/models': {
    summary: 'List the names that `model` accepts',
    description:
      '`type` states the routes that accept a model. A vector store is a chat model that answers from its files; it is listed by its name, or by its id if the name is used twice.',
    answer: 'ModelList',
    reply: async c =>
      c.json<ModelListJson>({ object: 'list', data: [...(await listModels(c.var.passim))] }),
  },
  'GET /v1/models/:model{.+}': { summary: 'Get a model', answer: 'Model', reply: retrieve },
}

async function retrieve(c: RequestContext): Promise<Response> {
  const id = c.req.param('model')!
  const model = (await listModels(c.var.passim)).find(candidate => candidate.id === id)
  if (model) return c.json(model)
  const collection = await c.var.passim.collections.find(id)
  if (!collection || isExpired(collection)) throw createNoModel(id)
  return c.json(toCollectionModel(collection, id))
}

async function listModels({ settings, texts, collections }: Passim): Promise<readonly ModelJson[]> {
  const chats = [...new Set([settings.model?.name, EXTRACTIVE_MODEL])]
  const models = [
    ...chats.flatMap(id => (id === undefined ? [] : [toModelJson({ id, type: 'chat' })])),
    toModelJson({ id: texts.embedderId, type: 'embedding' }),
  ]
  const visible = await collections.listVisible()
  const usedNames = [...models, ...visible]
    .map(({ id }) => id)
    .concat(visible.map(({ name }) => name))
  const isUnique = (name: string) => usedNames.filter(other => other === name).length === 1
  return [
    ...models,
    ...visible
      .filter(collection => !isExpired(collection))
      .map(collection =>
        toCollectionModel(
          collection,
          collection.name && isUnique(collection.name) ? collection.name : collection.id,
        ),
      ),
  ]
}

function toCollectionModel({ id: storeId, name, createdAt }: Collection, id: string): ModelJson {
  return {
    ...toModelJson({ id, type: 'chat' }, Math.floor(createdAt / 1000)),
    ...(name && { name }),
    vector_store_id: storeId,
  }
}

function toModelJson(model: Pick<ModelJson, 'id' | 'type'>, created = 0): ModelJson {
  return { ...model, object: 'model', created, owned_by: 'passim' }
}
