import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import type { Tool, ToolContent } from '../tool.ts'
import { defineTool } from './define-tool.ts'
import { buildUrl } from './web-search.ts'

type ImageGenOptions = {
  readonly fetcher: Pick<Fetcher, 'fetchJson'>
  /** Fetches from the service's addresses, which are not trusted. */
  readonly pictures: Pick<Fetcher, 'get'>
  /** Base URL with OpenAI's `/images/generations`. */
  readonly url: string
  readonly key?: string
  readonly model: string
  /** Default: those of OpenAI's models; other servers choose. */
  readonly sizes?: readonly string[]
}

const answerSchema = z.object({
  data: z.array(z.object({ b64_json: z.base64().nullish(), url: z.url().nullish() })).min(1),
})

/** Sizes by the beginning of a model's name, from OpenAI's reference; the first is the default. */
const SIZES: readonly (readonly [string, readonly string[]])[] = [
  ['dall-e-2', ['1024x1024', '512x512', '256x256']],
  ['dall-e-3', ['1024x1024', '1792x1024', '1024x1792']],
  ['gpt-image', ['1024x1024', '1536x1024', '1024x1536']],
  ['chatgpt-image', ['1024x1024', '1536x1024', '1024x1536']],
]

function listSizes(model: string): readonly string[] {
  return SIZES.find(([prefix]) => model.startsWith(prefix))?.[1] ?? []
}

const PROMPT = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .describe('What the picture should show, in detail.')

function createParameters(sizes: readonly string[]) {
  const [usual] = sizes
  const size = z
    .enum(sizes)
    .default(usual ?? '')
    .describe('Width x height in pixels.')
  return z.object({ prompt: PROMPT, ...(usual !== undefined && { size }) })
}

const TYPES = [
  ...[
    ['\x89PNG', 'image/png'] as const,
    ['\xff\xd8\xff', 'image/jpeg'] as const,
    ['RIFF', 'image/webp'] as const,
  ],
]

/** Throws `invalid_input` without a key. */
export function createImageGenTool(options: ImageGenOptions): Tool {
  const { fetcher, pictures, url, key, model, sizes = listSizes(model) } = options
  if (!key)
    throw new AppError(
      'invalid_input',
      'image_gen needs the key of its server: set tools.imageGen.key.',
    )
  return defineTool({
    name: 'image_gen',
    description: 'Make a picture from a description.',
    parameters: createParameters(sizes),
    async call({ prompt, size }, signal): Promise<ToolContent> {
      const options = {
        headers: { authorization: `Bearer ${key}` },
        body: { model, prompt, ...(size !== undefined && { size }), n: 1 },
        signal,
      }
      const answer = answerSchema.safeParse(
        await fetcher.fetchJson(buildUrl(url, 'images/generations', {}), options),
      )
      const [made] = answer.success ? answer.data.data : []
      const bytes = made?.b64_json
        ? Buffer.from(made.b64_json, 'base64')
        : await fetchMade(made?.url, pictures, signal)
      const type = TYPES.find(([magic]) => bytes.toString('latin1', 0, magic.length) === magic)?.[1]
      if (!type) throw createNoPictureError()
      const image = `data:${type};base64,${bytes.toString('base64')}`
      return { content: [{ text: `The picture was made: ${prompt}` }, { image }] }
    },
  })
}

async function fetchMade(
  url: string | null | undefined,
  pictures: Pick<Fetcher, 'get'>,
  signal?: AbortSignal,
) {
  if (!url) throw createNoPictureError()
  return await fetchPicture(new URL(url), pictures, signal)
}

/** Throws `fetch_failed`. */
export async function fetchPicture(
  url: URL,
  pictures: Pick<Fetcher, 'get'>,
  signal?: AbortSignal,
): Promise<Buffer> {
  const page = await pictures.get(url, { signal })
  if (page.kind !== 'page')
    throw new AppError('fetch_failed', `There is no picture at ${url.href}.`)
  const parts: Buffer[] = []
  for await (const part of page.body) parts.push(part)
  return Buffer.concat(parts)
}

function createNoPictureError(): AppError {
  return new AppError(
    'fetch_failed',
    'The server answered without a picture. Check tools.imageGen.',
  )
}
