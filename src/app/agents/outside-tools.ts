import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Tool } from '../../agent/tool.ts'
import { createAmapWeatherTool } from '../../agent/tools/amap-weather.ts'
import { createImageGenTool, fetchPicture } from '../../agent/tools/image-gen.ts'
import { createImageSearchTool, type FindPlaces } from '../../agent/tools/image-search.ts'
import { createImageZoomTool, type ReadPicture } from '../../agent/tools/image-zoom.ts'
import type { ToolFactory } from '../../agent/tools/tool-registry.ts'
import {
  createWebExtractorTool,
  type ReadWebPage,
  type WebArticle,
} from '../../agent/tools/web-extractor.ts'
import { createWebSearchTool } from '../../agent/tools/web-search.ts'
import { toolsSchema } from '../../config/tools.ts'
import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { chooseParser } from '../../ingest/parse/parser.ts'
import type { Fetched, Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { looksLikeUrl, parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import { isDataUri, parseDataUri } from '../../system/data-uri.ts'
import { createFetcher } from '../indexing/ingesting.ts'
import type { Parsing } from '../indexing/parsing.ts'
import { cutPicture } from './page-reader.ts'
import { addTimeout, anyTool, parseToolSettings, type ToolConfig } from './tool-settings.ts'

/** Leaves tools off until configured. Their own settings come first. */
export function createOutsideTools(
  settings: Settings,
  parsing: Parsing,
  findPlaces: FindPlaces,
): readonly (readonly [string, ToolFactory])[] {
  return [
    ['web_search', config => createWebSearch(settings, config)],
    ['web_extractor', config => createWebExtractor(settings, parsing, config)],
    ['image_search', config => createImageSearch(settings, findPlaces, config)],
    ['image_gen', config => createImageGen(settings, config)],
    ['image_zoom_in_tool', config => createImageZoom(settings, config)],
    ['amap_weather', config => createAmapWeather(settings, config)],
  ]
}

/** Allows a private network for a server that the operator named. */
function chooseFetcher(settings: Settings, namedUrl: string | undefined): Fetcher {
  return createFetcher(settings)(namedUrl !== undefined || settings.fetching.allowPrivate)
}

function createWebSearch(settings: Settings, config: ToolConfig): Tool {
  const { timeoutMs, ...own } = parseToolSettings('web_search', webSearchSchema, config)
  const { provider = 'searxng', ...options } = { ...settings.tools.webSearch, ...own }
  if (!options.url && provider === 'searxng') throw createNoSearchError()
  const fetcher = chooseFetcher(settings, options.url)
  return addTimeout(createWebSearchTool({ ...options, provider, fetcher }), { timeoutMs })
}

function createWebExtractor(settings: Settings, parsing: Parsing, config: ToolConfig): Tool {
  const own = parseToolSettings('web_extractor', z.strictObject(anyTool), config)
  const { urls, maxToolTokens: maxTokens } = settings.agent
  if (urls === 'none')
    throw new AppError(
      'forbidden_source',
      'web_extractor cannot be used: the setting agent.urls allows no URL.',
    )
  const read = createWebReader({ fetcher: createFetcher(settings)(), parsing })
  return addTimeout(createWebExtractorTool({ read, maxTokens }), own)
}

function createImageSearch(settings: Settings, findPlaces: FindPlaces, config: ToolConfig): Tool {
  const { timeoutMs, ...own } = parseToolSettings('image_search', imageSearchSchema, config)
  const general = settings.tools.imageSearch
  const { url = 'https://google.serper.dev', ...options } = { ...general, ...own }
  const fetcher = chooseFetcher(settings, own.url ?? general.url)
  const readPicture = createPictureReader(settings)
  const tool = createImageSearchTool({ ...options, url, fetcher, readPicture, findPlaces })
  return addTimeout(tool, { timeoutMs })
}

function createImageGen(settings: Settings, config: ToolConfig): Tool {
  const { timeoutMs, ...own } = parseToolSettings('image_gen', imageGenSchema, config)
  const general = settings.tools.imageGen
  const { url = 'https://api.openai.com/v1', ...options } = { ...general, ...own }
  const fetcher = chooseFetcher(settings, own.url ?? general.url)
  const pictures = createFetcher(settings)()
  return addTimeout(createImageGenTool({ ...options, url, fetcher, pictures }), { timeoutMs })
}

function createImageZoom(settings: Settings, config: ToolConfig): Tool {
  const own = parseToolSettings('image_zoom_in_tool', z.strictObject(anyTool), config)
  const width = settings.tools.readPages.pictureWidth
  const tool = createImageZoomTool({
    crop: (picture, box) => cutPicture(picture, box, { width, height: width, fit: 'inside' }),
    readPicture: createPictureReader(settings),
  })
  return addTimeout(tool, own)
}

function createPictureReader(settings: Settings): ReadPicture {
  const { fetching, agent } = settings
  return async (place, signal) => {
    if (isDataUri(place)) return parseDataUri(place, fetching.maxBytes).bytes
    if (agent.urls !== 'none' && looksLikeUrl(place))
      return await fetchPicture(parseWebUrl(place), createFetcher(settings)(), signal)
    throw new AppError(
      'forbidden_source',
      'Will not read this picture: it is no data URI, and no URL that agent.urls allows.',
    )
  }
}

function createAmapWeather(settings: Settings, config: ToolConfig): Tool {
  const { timeoutMs, ...own } = parseToolSettings('amap_weather', amapWeatherSchema, config)
  const general = settings.tools.amapWeather
  const { url = 'https://restapi.amap.com', ...options } = { ...general, ...own }
  const fetcher = chooseFetcher(settings, own.url ?? general.url)
  return addTimeout(createAmapWeatherTool({ ...options, url, fetcher }), { timeoutMs })
}

const extendSchema = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.partial().extend(anyTool)
const removeDefault = <Field extends z.ZodType>(field: z.ZodDefault<Field>) =>
  field.unwrap().optional()

const { webSearch, imageSearch, imageGen, amapWeather } = toolsSchema.unwrap().shape
const webFields = webSearch.unwrap()
const imageFields = imageSearch.unwrap()
const pictureFields = imageGen.unwrap()
/** Without defaults, which would replace the settings of the store. */
const webSearchSchema = extendSchema(webFields).extend({
  maxResults: removeDefault(webFields.shape.maxResults),
})
const imageSearchSchema = extendSchema(imageFields).extend({
  maxResults: removeDefault(imageFields.shape.maxResults),
})
const imageGenSchema = extendSchema(pictureFields).extend({
  model: removeDefault(pictureFields.shape.model),
})
const amapWeatherSchema = extendSchema(amapWeather.unwrap())

function createNoSearchError(): AppError {
  return new AppError(
    'invalid_input',
    'web_search is not configured: set tools.webSearch.url to a SearXNG server, or tools.webSearch.provider to brave, tavily ' +
      'or serper with tools.webSearch.key.',
  )
}

type WebReaderDeps = {
  readonly fetcher: Pick<Fetcher, 'get'>
  readonly parsing: Pick<Parsing, 'article' | 'listParsers' | 'detect'>
}

const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Reads a page as its article, other files like documents, in a limited process. */
function createWebReader({ fetcher, parsing }: WebReaderDeps): ReadWebPage {
  return async (url, maxChars, signal) => {
    const page = await fetcher.get(url, { signal })
    if (page.kind !== 'page')
      throw new AppError('not_found', page.kind === 'gone' ? page.message : `${url.href} is gone.`)
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-'))
    try {
      const file = path.join(folder, 'page')
      await pipeline(page.body, createWriteStream(file), { signal })
      return {
        url: page.url.href,
        ...(await read(file, choosePageName(page), { parsing, maxChars, signal })),
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function choosePageName({ url, fileName, mediaType }: Extract<Fetched, { kind: 'page' }>): string {
  const name = fileName ?? (path.posix.basename(url.pathname) || url.host)
  return PAGES.has(mediaType) && path.extname(name) === '' ? `${name}.html` : name
}

type Reading = Pick<WebReaderDeps, 'parsing'> & {
  readonly maxChars: number
  readonly signal: AbortSignal | undefined
}

async function read(
  file: string,
  name: string,
  { parsing, maxChars, signal }: Reading,
): Promise<Omit<WebArticle, 'url'>> {
  const mediaType = await parsing.detect(file, name)
  const parser = PAGES.has(mediaType)
    ? parsing.article
    : chooseParser(parsing.listParsers(), { name, mediaType })
  const texts: string[] = []
  let about: Omit<WebArticle, 'url' | 'text'> = {}
  let chars = 0
  for await (const event of parser.parse({ path: file, name, mediaType }, signal)) {
    if (event.type === 'metadata') about = { ...about, ...toHead(event.metadata) }
    if (event.type !== 'block') continue
    texts.push(event.block.text)
    chars += event.block.text.length
    if (chars > maxChars) break
  }
  return { ...about, text: texts.join('\n\n') }
}

function toHead({ title, created }: { readonly title?: string; readonly created?: string }) {
  return { ...(title && { title }), ...(created && { date: created }) }
}
