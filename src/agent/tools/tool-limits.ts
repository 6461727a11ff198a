import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toAppError } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import { requireKnownNames } from '../known-names.ts'
import type { TextCache } from '../models/text-cache.ts'
import { type Tool, wrapTool } from '../tool.ts'

/** Answers the model after `timeoutMs`, even if the tool ignores its signal. */
export function withTimeout(tool: Tool, timeoutMs: number): Tool {
  return wrapTool(tool, async (args, signal, run) => {
    const controller = new AbortController()
    const combined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
    const timer = setTimeout(
      () => controller.abort(createTimeoutError(tool.name, timeoutMs)),
      timeoutMs,
    )
    try {
      return await raceAbort(Promise.resolve(tool.call(args, combined, run)), combined)
    } finally {
      clearTimeout(timer)
    }
  })
}

function createTimeoutError(name: string, timeoutMs: number): AppError {
  return new AppError('timeout', `${name} took longer than ${timeoutMs / 1000} s and was stopped.`)
}

type ToolRetryOptions = {
  readonly maxRetries: number
  readonly delayMs?: number
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>
}

const RETRIES: Readonly<Record<keyof ToolRetryOptions, true>> = {
  maxRetries: true,
  delayMs: true,
  wait: true,
}

/** Faults of the caller. */
const FINAL = new Set([
  'invalid_input',
  'not_found',
  'forbidden_source',
  'unauthorized',
  'conflict',
  'cancelled',
])

/** Retries failures that arguments do not explain; for repeatable tools. */
export function withRetries(tool: Tool, options: ToolRetryOptions): Tool {
  requireKnownNames('withRetries()', options, RETRIES)
  const { maxRetries, delayMs = 500, wait = pause } = options
  return wrapTool(tool, async (args, signal, run) => {
    for (let retry = 0; ; retry++) {
      try {
        return await tool.call(args, signal, run)
      } catch (error) {
        if (signal?.aborted || retry >= maxRetries || FINAL.has(toAppError(error).code)) throw error
        await wait(delayMs * 2 ** retry, signal)
      }
    }
  })
}

async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal })
}

/** Caches results by arguments, except failures and source numbers. */
export function withCache(tool: Tool, cache: TextCache): Tool {
  return wrapTool(tool, async (args, signal, run) => {
    const key = JSON.stringify([tool.name, sortKeys(args)])
    const cached = await cache.get(key)
    if (cached !== undefined) return JSON.parse(cached)
    const result = await tool.call(args, signal, { ...run, cite: undefined })
    await cache.set(key, JSON.stringify(result ?? null))
    return result
  })
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
