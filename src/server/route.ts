import type { z } from 'zod'
import type { RequestContext } from './http/context.ts'
import type { AnswerName } from './openapi/answers.ts'

/** Routes by method and path, in the order in which they are tried and described. */
export type Routes = Readonly<Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, Route>>

/** What answers a request, and what `/openapi.json` says of it: by the schemas that it reads requests with. */
export type Route = {
  readonly reply: (c: RequestContext) => Response | Promise<Response>
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A body that the schema lets pass. */
  readonly example?: object
  /** A form: the part with bytes, and the schema of the fields beside it. */
  readonly form?: { readonly part: string; readonly fields: z.ZodType }
  readonly headers?: readonly ('spans' | 'range')[]
  /** Of a success, where it is not 200. */
  readonly status?: 200 | 201
  /** The JSON that is answered, by the name that clients generated from the description know it under. */
  readonly answer?: AnswerName
  /** Other media types that are answered. */
  readonly media?: readonly string[]
  /** The JSON in each server-sent event of a stream. */
  readonly events?: AnswerName
  /** A model's server may fail. */
  readonly asksModel?: true
}
