import { z } from 'zod'
import { amapWeatherTool } from '../../agent/tools/amap-weather.ts'
import { imageGenTool } from '../../agent/tools/image-gen.ts'
import { imageSearchTool } from '../../agent/tools/image-search.ts'
import type { ToolFactory } from '../../agent/tools/tool-registry.ts'
import { webExtractorTool } from '../../agent/tools/web-extractor.ts'
import { webSearchTool } from '../../agent/tools/web-search.ts'
import { toolsSchema } from '../../config/tools.ts'
import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { fetcherFor } from '../indexing/ingesting.ts'
import type { Parsing } from '../indexing/parsing.ts'
import { anyTool, timed, toolSettings } from './tool-settings.ts'
import { webReader } from './web-reader.ts'

/** The tools that ask others, each off until it is configured. What stands beside a tool's name counts before the settings. */
export function outsideTools(
  settings: Settings,
  parsing: Parsing,
): readonly (readonly [string, ToolFactory])[] {
  const { tools, agent, fetching } = settings
  const fetchers = fetcherFor(settings)
  /** A server that the operator named may lie anywhere; all others are public. */
  const asking = (url: string | undefined) => fetchers(url !== undefined || fetching.allowPrivate)
  return [
    [
      'web_search',
      config => {
        const { timeoutMs, ...own } = toolSettings('web_search', webSearchSchema, config)
        const { provider = 'searxng', ...options } = { ...tools.webSearch, ...own }
        if (!options.url && provider === 'searxng') throw noSearch()
        return timed(webSearchTool({ ...options, provider, fetcher: asking(options.url) }), {
          timeoutMs,
        })
      },
    ],
    [
      'web_extractor',
      config => {
        const own = toolSettings('web_extractor', z.strictObject(anyTool), config)
        if (agent.urls === 'none')
          throw new AppError(
            'forbidden_source',
            'web_extractor cannot be used: no URL may be fetched here (agent.urls).',
          )
        const read = webReader({ fetcher: fetchers(), parsing })
        return timed(webExtractorTool({ read, maxTokens: agent.maxToolTokens }), own)
      },
    ],
    [
      'image_search',
      config => {
        const { timeoutMs, ...own } = toolSettings('image_search', imageSearchSchema, config)
        const { url = 'https://google.serper.dev', ...options } = { ...tools.imageSearch, ...own }
        const fetcher = asking(own.url ?? tools.imageSearch.url)
        return timed(imageSearchTool({ ...options, url, fetcher }), { timeoutMs })
      },
    ],
    [
      'image_gen',
      config => {
        const { timeoutMs, ...own } = toolSettings('image_gen', imageGenSchema, config)
        const { url = 'https://api.openai.com/v1', ...options } = { ...tools.imageGen, ...own }
        const fetcher = asking(own.url ?? tools.imageGen.url)
        return timed(imageGenTool({ ...options, url, fetcher, pictures: fetchers() }), {
          timeoutMs,
        })
      },
    ],
    [
      'amap_weather',
      config => {
        const { timeoutMs, ...own } = toolSettings('amap_weather', amapWeatherSchema, config)
        const { url = 'https://restapi.amap.com', ...options } = { ...tools.amapWeather, ...own }
        const fetcher = asking(own.url ?? tools.amapWeather.url)
        return timed(amapWeatherTool({ ...options, url, fetcher }), { timeoutMs })
      },
    ],
  ]
}

/** The settings of a tool, beside its name: any of those in the file, and none of their defaults. */
const beside = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.partial().extend(anyTool)
const { webSearch, imageSearch, imageGen, amapWeather } = toolsSchema.unwrap().shape
const webSearchSchema = beside(webSearch.unwrap())
const imageSearchSchema = beside(imageSearch.unwrap())
const imageGenSchema = beside(imageGen.unwrap())
const amapWeatherSchema = beside(amapWeather.unwrap())

function noSearch(): AppError {
  return new AppError(
    'invalid_input',
    'web_search is not configured: set tools.webSearch.url to a SearXNG server, or tools.webSearch.provider to brave, tavily ' +
      'or serper with tools.webSearch.key.',
  )
}
