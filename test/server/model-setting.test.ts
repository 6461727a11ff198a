import { once } from 'node:events'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ModelSetting } from '../../src/app/tenants/model-setting.ts'
import { loadSettings, MODEL_FILE } from '../../src/config.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import type { Body } from './api.ts'
import { openKeyed } from './keyed.ts'

type Service = Awaited<ReturnType<typeof openKeyed>>

let service: Service
let model: ScriptedModel
let admin: string

beforeEach(async () => {
  model = await startScriptedModel([{ text: ['Good.'] }])
  service = await openKeyed()
  admin = await service.token('default', 'admin')
})
afterEach(async () => {
  await service.close()
  await model.close()
})

async function call(method: string, body?: object, token = admin, of = service) {
  const answer = await of.call(token, method, '/api/model', body)
  return { status: answer.status, body: (await answer.json()) as Body } // the route's
}

async function ask(of = service, token = admin): Promise<Body> {
  const question = 'What may a hotel cost?'
  const answer = await of.call(token, 'POST', '/api/ask', { question, collections: ['travel'] })
  return (await answer.json()) as Body // the route's
}

async function addTravel(of = service, token = admin): Promise<void> {
  const text = 'A hotel may cost at most 180 euros a night.'
  const body = { id: '1', title: 'Rules', text }
  await of.call(token, 'POST', '/api/collections/travel/documents', body)
  await expect.poll(async () => (await ask(of, token)).abstained).toBe(false)
}

test('a model that is set answers at once, in every open store, and after a restart', async () => {
  await addTravel()
  const acme = await service.token('acme')
  await addTravel(service, acme)
  const restricted = { name: 'reader', tenant: 'default', collections: ['travel'] }
  const { token: reader } = await service.keys.create({ ...restricted, scope: 'read' })
  expect((await ask(service, reader)).mode).toBe('extractive')
  expect((await ask()).mode).toBe('extractive')
  expect(await call('GET')).toMatchObject({ body: { isFixed: false, hasKey: false } })
  const set = await call('PUT', { url: model.url, name: 'scripted', key: 'sk-secret' })
  expect(set).toMatchObject({
    status: 200,
    body: { url: model.url, name: 'scripted', hasKey: true, abilities: { callsTools: false } },
  })
  expect(JSON.stringify(set)).not.toContain('sk-secret')
  expect((await ask()).mode).toBe('model')
  expect((await ask(service, acme)).mode).toBe('model')
  expect((await ask(service, reader)).mode).toBe('model')
  expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-secret')
  const file = `${service.home}/${MODEL_FILE}`
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ model: { name: 'scripted' } })
  const restarted = await loadSettings({ home: service.home, environment: {} })
  expect(restarted.model).toMatchObject({ url: model.url, key: 'sk-secret' })
  expect((await call('DELETE')).body).toEqual({ isFixed: false, isShared: false, hasKey: false })
  expect((await ask()).mode).toBe('extractive')
  expect((await ask(service, reader)).mode).toBe('extractive')
})

test('a key goes to no other server than that it was entered for', async () => {
  await call('PUT', { url: model.url, name: 'scripted', key: 'sk-secret' })
  expect((await call('PUT', { url: model.url, name: 'other' })).body.hasKey).toBe(true)
  const elsewhere = await startScriptedModel([{ text: ['Good.'] }])
  try {
    const moved = await call('PUT', { url: elsewhere.url, name: 'scripted' })
    expect(moved.body.hasKey).toBe(false)
    expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined()
  } finally {
    await elsewhere.close()
  }
})

test('a model that does not answer is not stored', async () => {
  const refused = await call('PUT', { url: 'http://127.0.0.1:9/v1', name: 'none' })
  expect(refused).toMatchObject({ body: { error: { code: 'model_unavailable' } } })
  expect((await call('GET')).body.name).toBeUndefined()
})

test('a key that cannot be stored is in no file', async () => {
  await mkdir(`${service.home}/${MODEL_FILE}`)
  const failed = await call('PUT', { url: model.url, name: 'scripted', key: 'sk-secret' })
  expect(failed.status).toBe(500)
  const names = await readdir(service.home)
  expect(names.filter(name => name.startsWith(MODEL_FILE))).toEqual([MODEL_FILE])
})

test('a model that does not answer in time is named as the reason', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // of TCP
  const settings = await loadSettings({ home: service.home, environment: {} })
  const stores = { setModel: () => {} }
  const setting = new ModelSetting({ settings, isFixed: false, stores, testWaitMs: 200 })
  const change = { url: `http://127.0.0.1:${port}/v1`, name: 'silent' }
  await expect(setting.update(change, new AbortController().signal)).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('within 0.2 s'),
  })
  silent.closeAllConnections()
  silent.close()
})

test('the tokens of a request are set with the model', async () => {
  const body = { url: model.url, name: 'scripted', maxInputTokens: 4_000 }
  expect((await call('PUT', body)).body).toMatchObject({ maxInputTokens: 4_000 })
  const restarted = await loadSettings({ home: service.home, environment: {} })
  expect(restarted.model?.maxInputTokens).toBe(4_000)
  const unset = await call('PUT', { url: model.url, name: 'scripted' })
  expect(unset.body.maxInputTokens).toBe(58_000)
  expect((await call('PUT', { ...body, maxInputTokens: -1 })).status).toBe(400)
})

test('nodes that share a database say where the model is set', async () => {
  const settings = await loadSettings({ home: service.home, environment: {} })
  const catalog = { ...settings.catalog, url: 'postgres://127.0.0.1/none' }
  const stores = { setModel: () => {} }
  const shared = { ...settings, catalog }
  const setting = new ModelSetting({ settings: shared, isFixed: false, stores })
  expect(setting.describe()).toEqual({ isFixed: true, isShared: true, hasKey: false })
  await expect(setting.remove()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the settings of each'),
  })
})

test('what the operator set is shown as fixed, and stays', async () => {
  const fixed = await openKeyed(
    {},
    {},
    { url: `${model.url}?secret=1`, name: 'own', key: 'sk-own' },
  )
  try {
    const token = await fixed.token('default', 'admin')
    const shown = await call('GET', undefined, token, fixed)
    const origin = new URL(model.url).origin
    expect(shown.body).toEqual({
      ...{ isFixed: true, isShared: false, url: origin, name: 'own', hasKey: true },
      maxInputTokens: 58_000,
    })
    const refused = await call('PUT', { url: model.url, name: 'other' }, token, fixed)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect((await call('DELETE', undefined, token, fixed)).status).toBe(409)
  } finally {
    await fixed.close()
  }
})

test('only an administrator of the service sees or sets it', async () => {
  for (const token of [
    await service.token('default', 'write'),
    await service.token('acme', 'admin'),
  ]) {
    expect((await call('GET', undefined, token)).status).toBe(403)
    expect((await call('PUT', { url: model.url, name: 'x' }, token)).status).toBe(403)
  }
})
