import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '@opentelemetry/api'
import type { MiddlewareHandler } from 'hono'
import { type Work, workChannel } from '../../app/tracing.ts'
import { readPackageVersion } from '../../app/version.ts'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { getRoute } from './metrics.ts'
import { runWhenSent } from './when-sent.ts'

export type Traces = {
  readonly createMiddleware: MiddlewareHandler<ServerEnv>
  close(): Promise<void>
}

/** Time of the last export, so that closing ends. */
const EXPORT_MS = 3_000

/**
 * Exports OpenTelemetry spans (OTLP over HTTP) that continue `traceparent`, without contents.
 * Throws `invalid_input` without its packages.
 */
export async function openTraces({
  url,
  headers,
  ratio,
}: NonNullable<Settings['server']['traces']>): Promise<Traces> {
  const { api, core, exporter, resources, sdk } = await loadPackages()
  const resource = resources.resourceFromAttributes({
    'service.name': 'passim',
    'service.version': readPackageVersion(),
  })
  const sampler = new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) })
  const sending = new exporter.OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_MS })
  const processor = new sdk.BatchSpanProcessor({
    exporter: sending,
    exportTimeoutMillis: EXPORT_MS,
  })
  const provider = new sdk.TracerProvider({ resource, sampler, spanProcessors: [processor] })
  const tracer = provider.getTracer('passim')
  const propagator = new core.W3CTraceContextPropagator()
  const contexts = new AsyncLocalStorage<Context>()
  const addSpan = (message: unknown) => {
    const context = contexts.getStore()
    if (!context) return // outside of a request
    const { name, startedAt: startTime, failed, attributes } = message as Work
    const span = tracer.startSpan(
      name,
      { kind: api.SpanKind.INTERNAL, startTime, attributes },
      context,
    )
    if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end()
  }
  workChannel.subscribe(addSpan)
  const middleware: MiddlewareHandler<ServerEnv> = async (c, next) => {
    const parent = propagator.extract(api.ROOT_CONTEXT, c.req.header(), api.defaultTextMapGetter)
    const span = tracer.startSpan(c.req.method, { kind: api.SpanKind.SERVER }, parent)
    await contexts.run(api.trace.setSpan(parent, span), next)
    runWhenSent(c, () => {
      span.updateName(`${c.req.method} ${getRoute(c)}`).setAttributes(toAttributes(c))
      if (c.res.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    })
  }
  const close = async () => {
    workChannel.unsubscribe(addSpan)
    await provider.shutdown().catch(() => {}) // an unreachable collector delays nobody
  }
  return { createMiddleware: middleware, close }
}

function toAttributes(c: RequestContext) {
  return {
    'http.request.method': c.req.method,
    'http.route': getRoute(c),
    'http.response.status_code': c.res.status,
    'passim.request_id': c.var.requestId,
    ...(c.var.key && { 'passim.tenant': c.var.key.tenant, 'passim.key': c.var.key.id }),
  }
}

async function loadPackages() {
  try {
    const [api, core, exporter, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ])
    return { api, core, exporter, resources, sdk }
  } catch (cause) {
    const names =
      'api@1.9.1 core@2.12.1 exporter-trace-otlp-http@0.223.1 resources@2.12.1 sdk-trace@2.12.1'
    const install = names.replace(/(^| )/g, '$1@opentelemetry/')
    throw new AppError(
      'invalid_input',
      'The setting server.traces needs packages that are not installed.',
      { cause, advice: localizable`Run npm install ${install}.` },
    )
  }
}
