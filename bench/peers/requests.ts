import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { z } from 'zod'

/** A service's address and what it wants to see of whoever asks. */
export type Service = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

type Request<Schema extends z.ZodType> = {
  readonly schema: Schema
  readonly signal: AbortSignal
  readonly json?: unknown
  readonly form?: FormData
  readonly method?: string
}

/** Asks a service for JSON of this shape; a refusal is an error with what the service said. */
export async function request<Schema extends z.ZodType>(
  { url, headers }: Service,
  path: string,
  { schema, signal, json, form, method = json || form ? 'POST' : 'GET' }: Request<Schema>,
): Promise<z.infer<Schema>> {
  const response = await fetch(url + path, {
    method,
    signal,
    body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
    headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
  })
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${method} ${url}${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return schema.parse(JSON.parse(text))
}

/** A form with one file. */
export async function fileForm(
  file: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([await readFile(file)]), basename(file))
  return form
}

/** Asks again every so often until the answer is there; for as long as ten minutes. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  signal: AbortSignal,
  pauseMs = 500,
): Promise<T> {
  for (const end = Date.now() + 600_000; Date.now() < end; ) {
    signal.throwIfAborted()
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  throw new Error('The service did not finish within ten minutes.')
}
