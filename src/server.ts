import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { AuditLog } from './app/audit/audit-log.ts'
import type { Keys } from './app/tenants/keys.ts'
import type { ModelSetting } from './app/tenants/model-setting.ts'
import type { Stores } from './app/tenants/tenants.ts'
import { readPackageVersion } from './app/version.ts'
import type { Settings } from './config.ts'
import { localizable } from './errors/localizable.ts'
import { AppError } from './errors.ts'
import { askRoutes } from './server/ask.ts'
import { type Audit, openAudit } from './server/audit.ts'
import { chatCompletionRoutes } from './server/chat/chat-completions.ts'
import { completionRoutes } from './server/chat/completions.ts'
import { checkRoutes } from './server/checks.ts'
import { collectionListRoutes } from './server/collections.ts'
import { conversationRoutes } from './server/conversations/conversations.ts'
import { followUpRoutes } from './server/conversations/follow-ups.ts'
import { judgementRoutes } from './server/conversations/judgements.ts'
import { openaiConversationRoutes } from './server/conversations/openai-conversations.ts'
import { receiptRoutes } from './server/conversations/receipts.ts'
import { responseRoutes } from './server/conversations/responses.ts'
import { createSharedLinkRoutes } from './server/conversations/shared-links.ts'
import { threadRoutes } from './server/conversations/threads.ts'
import { uiChatRoutes } from './server/conversations/ui-chat.ts'
import { chunkRoutes } from './server/documents/chunks.ts'
import { citationRoutes, showInBrowser } from './server/documents/citations.ts'
import { collectionDocumentRoutes } from './server/documents/collection-documents.ts'
import { collectionRoutes } from './server/documents/collections.ts'
import { deletionRoutes } from './server/documents/deletions.ts'
import { documentRoutes } from './server/documents/documents.ts'
import { jobRoutes } from './server/documents/jobs.ts'
import { EXCLUDED_HEADER } from './server/documents/pages.ts'
import { synonymRoutes } from './server/documents/synonyms.ts'
import { eventRoutes } from './server/events.ts'
import { BatchRequests } from './server/files/batch-requests.ts'
import { createBatchRoutes } from './server/files/batches.ts'
import { fileRoutes } from './server/files/files.ts'
import { uploadRoutes } from './server/files/uploads.ts'
import { createHealthRoutes } from './server/health.ts'
import { createAccess, isLoopback, SCOPE_HEADER } from './server/http/access.ts'
import { addSlash, createPathReader } from './server/http/base-path.ts'
import { createCompression } from './server/http/compression.ts'
import { Connections } from './server/http/connections.ts'
import type { RequestContext, ServerEnv } from './server/http/context.ts'
import { createRequestId } from './server/http/context.ts'
import { answerError } from './server/http/errors.ts'
import { createIdempotency } from './server/http/idempotency.ts'
import { IGNORED_HEADER, listIgnored } from './server/http/ignored.ts'
import { createDeadline, createLimits, rateHeaders } from './server/http/limits.ts'
import { getRoute, Metrics } from './server/http/metrics.ts'
import { cutSlowBodies } from './server/http/slow-bodies.ts'
import { Starts } from './server/http/starts.ts'
import type { Traces } from './server/http/traces.ts'
import { passOverUnread } from './server/http/unread.ts'
import { answerBrokenRequests, answerUnreadable } from './server/http/unreadable.ts'
import { answerUnrouted } from './server/http/unrouted.ts'
import { createKeyRoutes } from './server/keys.ts'
import { type AnswerMcp, createMcpRoutes } from './server/mcp.ts'
import { createModelSettingRoutes } from './server/model-setting.ts'
import { modelRoutes } from './server/models.ts'
import { serveOlderForms } from './server/older-forms.ts'
import { describe } from './server/openapi/describe.ts'
import { buildDocsPolicy, renderDocsPage } from './server/openapi/docs-page.ts'
import type { Routes } from './server/route.ts'
import { difyRoutes } from './server/search/dify.ts'
import { embeddingRoutes } from './server/search/embeddings.ts'
import { findRoutes } from './server/search/find.ts'
import { rerankRoutes } from './server/search/rerank.ts'
import { searchRoutes } from './server/search/search.ts'
import { sourceRoutes } from './server/sources.ts'
import { vectorStoreRoutes } from './server/vector-stores/vector-stores.ts'
import { serveWebPage } from './server/web-page.ts'
import { listen } from './system/listen.ts'

export type ServerOptions = {
  readonly settings: Settings['server']
  /** Undefined if no keys exist: only this machine is served. */
  readonly keys?: Keys
  readonly closing?: AbortSignal
  readonly mcp?: AnswerMcp
  /** Undefined if the chat model cannot be set while the service runs. */
  readonly modelSetting?: ModelSetting
  readonly traces?: Traces
  readonly audit?: Audit
  readonly batches?: BatchRequests
  /** Receives internal failures; default stderr. */
  readonly log?: (message: string) => void
  /** Called when an answer starts, without contents. */
  readonly onRequest?: (entry: RequestEntry) => void
}

export type RequestEntry = {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly key?: string
  readonly tenant?: string
}

export type ServeOptions = Omit<ServerOptions, 'closing' | 'traces' | 'audit' | 'batches'> & {
  readonly auditLog?: AuditLog
}

export type Service = {
  readonly url: string
  /** Ends streams with a last event, and lets requests finish briefly. */
  close(): Promise<void>
}

/** Grace for running requests, so that short ones complete. */
const CLOSE_GRACE_MS = 5_000

/** Extra time before a cut, so that the answer's own timeout comes first. */
const IDLE_MARGIN_MS = 5_000

/** Interval of Node's check for late headers, so that slow clients are cut soon. */
const MAX_CHECKING_MS = 2_000

const ALREADY_SENT = 'x-hono-already-sent'

/** Forbids framing, sniffing and running. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Read in browsers by clients of OpenAI, MCP, the AI SDK, and downloads. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'mcp-session-id',
  'x-should-retry',
  'retry-after',
  'retry-after-ms',
  'openai-poll-after-ms',
  IGNORED_HEADER,
  SCOPE_HEADER,
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-vercel-ai-ui-message-stream',
  'etag',
  'content-range',
  'content-disposition',
  EXCLUDED_HEADER,
  'www-authenticate',
]

export function createApp(stores: Stores, options: ServerOptions): Hono<ServerEnv> {
  const { settings, keys, closing = new AbortController().signal } = options
  const app = new Hono<ServerEnv>({ getPath: createPathReader(settings.basePath) })
  app.onError(answerError)
  app.notFound(answerUnrouted(app))
  app.use(answerHeaders(options))
  if (settings.basePath) app.use(addSlash(settings.basePath))
  app.use(createCompression())
  if (options.traces) app.use(options.traces.createMiddleware)
  if (options.audit) app.use(options.audit.createMiddleware)
  const metrics = new Metrics(stores)
  app.use(metrics.createMiddleware())
  const { corsOrigins } = settings
  if (corsOrigins.length > 0) app.use(cors({ origin: corsOrigins, exposeHeaders: EXPOSED_HEADERS }))
  const batches = options.batches ?? new BatchRequests({ settings, keys, closing })
  batches.useRoutes(app)
  const ofKeys = keys?.openRates(settings.requestsPerMinute)
  app.use('/api/citations/:id', showInBrowser)
  app.use(
    createAccess({ stores, keys, tokens: settings.tokens, corsOrigins }),
    createLimits(settings, { keys: ofKeys, foreground: batches.foreground }),
    createDeadline(settings, closing),
  )
  app.use('/api/*', serveOlderForms)
  if (keys) app.use(createIdempotency(keys.openAnswers()))
  const routes: Routes = {
    ...metrics.routes,
    ...createHealthRoutes(stores),
    ...STORE_ROUTES,
    ...createBatchRoutes(batches),
    ...checkRoutes,
    ...(keys && createKeyRoutes(keys)),
    ...(keys &&
      createSharedLinkRoutes({ links: keys.openLinks(settings.sharedLinkDays), stores, settings })),
    ...(options.modelSetting && createModelSettingRoutes(options.modelSetting)),
    ...(options.mcp && createMcpRoutes(options.mcp)),
  }
  for (const [name, { reply }] of Object.entries(routes))
    app.on(...(name.split(' ') as [string, string]), reply)
  describeRoutes(app, routes, settings)
  serveWebPage(app) // after the description, which omits it
  return app
}

function describeRequest(c: RequestContext): Readonly<Record<string, string>> {
  const ignored = c.get('ignored')
  const rate = c.get('rate')
  const key = c.get('key')
  return {
    ...(ignored?.length && { [IGNORED_HEADER]: listIgnored(ignored) }),
    ...(key && { [SCOPE_HEADER]: key.scope }),
    ...(rate && rateHeaders(rate)),
  }
}

function answerHeaders(options: ServerOptions): MiddlewareHandler<ServerEnv> {
  const { closing = new AbortController().signal, log = toStderr } = options
  const starts = new Starts()
  return async (c, next) => {
    const requestId = createRequestId()
    const started = performance.now()
    c.set('closing', closing)
    c.set('starts', starts)
    c.set('log', log)
    c.set('requestId', requestId)
    await next()
    const { headers } = c.res // `c.header` would copy the response each time
    const messageLanguage = c.get('messageLanguage')
    if (messageLanguage) headers.append('vary', 'Accept-Language')
    if (messageLanguage === 'zh') headers.set('content-language', 'zh')
    headers.set('x-request-id', requestId)
    for (const [name, value] of Object.entries(describeRequest(c))) headers.set(name, value)
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (!headers.has(name)) headers.set(name, value)
    const startResponse = c.get('startResponse')
    startResponse?.(headers)
    if (startResponse) headers.set(ALREADY_SENT, 'true')
    const ms = Math.round(performance.now() - started)
    const key = c.get('key')
    const who = key && { key: key.id, tenant: key.tenant }
    options.onRequest?.({
      requestId,
      method: c.req.method,
      route: getRoute(c),
      status: c.res.status,
      ms,
      ...who,
    })
  }
}

const STORE_ROUTES: Routes = {
  ...fileRoutes,
  ...uploadRoutes,
  ...vectorStoreRoutes,
  ...embeddingRoutes,
  ...rerankRoutes,
  ...difyRoutes,
  ...chatCompletionRoutes,
  ...completionRoutes,
  ...responseRoutes,
  ...openaiConversationRoutes,
  ...modelRoutes,
  ...findRoutes,
  ...searchRoutes,
  ...askRoutes,
  ...conversationRoutes,
  ...judgementRoutes,
  ...followUpRoutes,
  ...receiptRoutes,
  ...uiChatRoutes,
  ...threadRoutes,
  ...documentRoutes,
  ...chunkRoutes,
  ...jobRoutes,
  ...sourceRoutes,
  ...eventRoutes,
  ...collectionListRoutes,
  ...collectionRoutes,
  ...collectionDocumentRoutes,
  ...synonymRoutes,
  ...deletionRoutes,
  ...citationRoutes,
}

function describeRoutes(
  app: Hono<ServerEnv>,
  routes: Routes,
  { publicUrl, basePath = '/' }: Settings['server'],
): void {
  const description = describe(routes, {
    version: readPackageVersion(),
    url: publicUrl ?? basePath,
  })
  const json = JSON.stringify(description)
  const page = renderDocsPage(description)
  const policy = buildDocsPolicy()
  app.get('/openapi.json', c => c.body(json, 200, { 'content-type': 'application/json' }))
  app.get('/docs', c => {
    c.header('content-security-policy', policy)
    return c.html(page)
  })
}

/** Serves only this machine without keys. */
export async function serve(stores: Stores, options: ServeOptions): Promise<Service> {
  const { settings, keys } = options
  const { host, port, requestMs, headersMs } = settings
  if (!isLoopback(host) && !settings.tokens && !(await keys?.isRequired())) {
    throw new AppError(
      'invalid_input',
      localizable`Will not listen on ${host} without keys: anyone who reaches it could read and delete everything.`,
      { advice: 'Create a key with passim keys create, or listen on 127.0.0.1.' },
    )
  }
  const closing = new AbortController()
  const observers = await openObservers(options)
  const batches = new BatchRequests({ settings, keys, closing: closing.signal })
  const app = createApp(stores, { ...options, ...observers, batches, closing: closing.signal })
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: answerUnreadable,
  })
  const server = createServer(
    {
      requestTimeout: 0, // uploads have no time limit, only a minimum rate
      headersTimeout: headersMs, // otherwise Node sets none
      connectionsCheckingInterval: Math.min(headersMs, MAX_CHECKING_MS),
    },
    listener,
  )
  server.timeout = requestMs + IDLE_MARGIN_MS
  const connections = new Connections(server, { ...settings, ...cutSlowBodies(server, settings) })
  answerBrokenRequests(server)
  passOverUnread(server)
  await listen(server, host.replace(/[[\]]/g, ''), port)
  const { port: actual } = server.address() as AddressInfo
  const watching = batches.watch(stores)
  return {
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${actual}`,
    async close() {
      closing.abort(
        new AppError('cancelled', 'The server is shutting down. Ask again in a moment.'),
      )
      await connections.close(CLOSE_GRACE_MS)
      await watching
      await observers.close()
    },
  }
}

/** Answers batches without listening, until `closing` aborts. */
export async function answerBatches(
  stores: Stores,
  options: ServeOptions,
  closing: AbortSignal,
): Promise<void> {
  const { settings, keys } = options
  const observers = await openObservers(options)
  const batches = new BatchRequests({ settings, keys, closing })
  createApp(stores, { ...options, ...observers, batches, closing })
  try {
    await batches.watch(stores)
  } finally {
    await observers.close()
  }
}

async function openObservers({ settings, auditLog }: ServeOptions) {
  const traces =
    settings.traces && (await (await import('./server/http/traces.ts')).openTraces(settings.traces))
  const audit = auditLog && openAudit(auditLog)
  return {
    traces,
    audit,
    async close(): Promise<void> {
      await traces?.close()
      audit?.close()
    },
  }
}

function toStderr(message: string): void {
  process.stderr.write(`${message}\n`)
}
