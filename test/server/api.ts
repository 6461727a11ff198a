import type { Hono } from 'hono'
import type { Passim } from '../../src/app/passim.ts'
import type { ServerEnv } from '../../src/server/http/context.ts'
import { createApp, type ServerOptions } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'

/** Bodies come from the server under test; each test says what it expects of them. */
export type Body = Record<string, unknown> & {
  readonly error?: { readonly code: string; readonly message: string }
}

/** A store behind its routes, without a network. */
export class Api {
  readonly app: Hono<ServerEnv>
  readonly passim: Passim
  /** What the server told its operator. */
  readonly log: string[] = []

  constructor(passim: Passim, options: Partial<ServerOptions> = {}) {
    this.passim = passim
    this.app = createApp(oneStore(passim), {
      settings: passim.settings.server,
      log: message => this.log.push(message),
      ...options,
    })
  }

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return await this.app.request(path, { method, ...init })
  }

  async json(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.request(method, path, body)
    return (await response.json()) as Body // see Body
  }

  /** The status and the error's code and param: what a client decides by. */
  async refusal(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.request(method, path, body)
    const { error } = (await response.json()) as { error: { code: string; param: string | null } } // the envelope
    return { status: response.status, code: error.code, param: error.param }
  }

  async upload(name: string, text: string, purpose = 'assistants'): Promise<string> {
    const form = new FormData()
    form.append('file', new File([text], name))
    form.append('purpose', purpose)
    const response = await this.app.request('/v1/files', { method: 'POST', body: form })
    return ((await response.json()) as { id: string }).id // the file object
  }

  /** A vector store with these files, indexed. */
  async store(
    files: Readonly<Record<string, string>>,
    name = 'notes',
  ): Promise<{ id: string; fileIds: string[] }> {
    const fileIds: string[] = []
    for (const [file, text] of Object.entries(files)) fileIds.push(await this.upload(file, text))
    const { id } = await this.json('POST', '/v1/vector_stores', { name, file_ids: fileIds })
    await this.indexed(String(id))
    return { id: String(id), fileIds }
  }

  /** Until nothing of the store is in progress. */
  async indexed(id: string): Promise<void> {
    while ((await this.json('GET', `/v1/vector_stores/${id}`)).status === 'in_progress') {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
