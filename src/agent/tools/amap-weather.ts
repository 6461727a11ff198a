import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import type { Tool } from '../tool.ts'
import { defineTool } from './define-tool.ts'
import { buildUrl } from './web-search.ts'

type AmapWeatherOptions = {
  readonly fetcher: Pick<Fetcher, 'fetchJson'>
  readonly url: string
  readonly key?: string
}

/** Amap always answers 200; `status` 1 is success. */
const statusSchema = z.object({ status: z.string(), info: z.string().default('') })
const placesSchema = z.object({ geocodes: z.array(z.object({ adcode: z.string().min(1) })) })
const weatherSchema = z.object({
  lives: z
    .array(
      z.object({
        province: z.string(),
        city: z.string(),
        weather: z.string(),
        temperature: z.string(),
        winddirection: z.string(),
        windpower: z.string(),
        humidity: z.string(),
        reporttime: z.string(),
      }),
    )
    .min(1),
})

const parameters = z.object({
  location: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('A city or district of China, as 北京市海淀区.'),
})

type ApiRequest = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Throws `invalid_input` without a key. */
export function createAmapWeatherTool({ fetcher, url, key }: AmapWeatherOptions): Tool {
  if (!key)
    throw new AppError(
      'invalid_input',
      'amap_weather needs an Amap key: set tools.amapWeather.key.',
    )
  const ask = async <Answer>(
    schema: z.ZodType<Answer>,
    { path, query, signal }: ApiRequest,
  ): Promise<Answer> => {
    const answer = await fetcher.fetchJson(buildUrl(url, path, { ...query, key }), { signal })
    const { status, info } = parseAnswer(statusSchema, answer)
    if (status !== '1')
      throw new AppError(
        'fetch_failed',
        `Amap refused: ${info.slice(0, 200)}. Check tools.amapWeather.key.`,
      )
    return parseAnswer(schema, answer)
  }
  return defineTool({
    name: 'amap_weather',
    description: 'The weather of a city or district of China now.',
    parameters,
    isReadOnly: true,
    async call({ location }, signal) {
      const places = { path: 'v3/geocode/geo', query: { address: location }, signal }
      const { geocodes } = await ask(placesSchema, places)
      const [place] = geocodes
      if (!place)
        throw new AppError(
          'not_found',
          `Amap knows no place ${location}. Name a city or district of China.`,
        )
      const query = { city: place.adcode, extensions: 'base' }
      const { lives } = await ask(weatherSchema, { path: 'v3/weather/weatherInfo', query, signal })
      return lives[0]
    },
  })
}

function parseAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new AppError(
    'fetch_failed',
    'The answer of Amap lacks the requested data. Check tools.amapWeather.',
  )
}
