import { Keys, type Scope } from '../../src/app/tenants/keys.ts'
import { openTenants } from '../../src/app/tenants/tenants.ts'
import { mcpService } from '../../src/mcp.ts'
import { createApp } from '../../src/server.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

type Input = NonNullable<Parameters<typeof openTenants>[0]['settings']>

/** A service with keys and tenants, without a network but that to models' servers. */
export async function openKeyed(
  server: Input['server'] = {},
  agent: Input['agent'] = {},
  model?: Input['model'],
  others: Omit<Input, 'server' | 'agent' | 'model'> = {},
) {
  const sandbox = await Sandbox.make()
  const log: string[] = []
  const onError = (message: string) => log.push(message)
  const embedder = others.embedder ? {} : { embedder: new HashingEmbedder() }
  const { settings, stores, modelSetting, close } = await openTenants({
    ...{
      home: sandbox.home,
      environment: sandbox.environment,
      settings: { server, agent, model, ...others },
      ...embedder,
      onError,
    },
  })
  const keys = await Keys.open(settings)
  const app = createApp(stores, {
    settings: settings.server,
    keys,
    log: onError,
    mcp: mcpService(),
    modelSetting,
  })
  return {
    ...{ app, keys, log, stores, home: sandbox.home },
    token: async (tenant: string, scope: Scope = 'write') =>
      (await keys.create({ name: 'test', tenant, scope })).token,
    async call(token: string, method: string, path: string, body?: object): Promise<Response> {
      const headers = { authorization: `Bearer ${token}` }
      return await app.request(path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
    },
    async upload(token: string, name: string, text: string | Uint8Array): Promise<string> {
      const form = new FormData()
      form.append('file', new File([Buffer.from(text)], name))
      form.append('purpose', 'assistants')
      const headers = { authorization: `Bearer ${token}` }
      const response = await app.request('/v1/files', { method: 'POST', body: form, headers })
      return ((await response.json()) as { id: string }).id // the file object
    },
    async close() {
      await close()
      await keys.close()
      await sandbox.remove()
    },
  }
}
