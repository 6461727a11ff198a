import type { Settings } from '../../config.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Check } from './check.ts'

const WAIT_MS = 10_000

/** Whether the chat model's server is there and takes the key: it is asked for its models, which costs nothing. */
export async function chatModelCheck({ model }: Pick<Settings, 'model'>): Promise<Check> {
  const name = 'chat model'
  if (!model) return { name, ok: true, detail: 'none: answers are extractive' }
  const detail = `${model.name} at ${new URL(model.url).host}`
  try {
    await requireServer(model)
    return { name, ok: true, detail }
  } catch (error) {
    return { name, ok: false, detail, error: toFailure(error) }
  }
}

/** Not every server lists its models: any other answer than a refusal will do. */
async function requireServer({ url, key }: NonNullable<Settings['model']>): Promise<void> {
  const { origin, pathname } = new URL(url)
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const asked = fetch(`${origin}${pathname.replace(/\/$/, '')}/models`, {
    headers,
    signal: AbortSignal.timeout(WAIT_MS),
  })
  const response = await asked.catch((cause: unknown) => {
    throw new AppError('model_unavailable', `${origin} cannot be reached. Is it running, and is model.url right?`, {
      cause,
    })
  })
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403) {
    throw new AppError('model_unavailable', `${origin} refuses the key (${response.status}). Check model.key.`)
  }
}
