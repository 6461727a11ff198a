import type { z } from 'zod'
import type { RequestContext } from './http/context.ts'
import type { AnswerName } from './openapi/answers.ts'

export type Routes = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Route>
>

export type Route = {
  readonly reply: (c: RequestContext) => Response | Promise<Response>
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly example?: object
  readonly form?: {
    readonly part: string
    readonly fields: z.ZodType
    readonly example?: object
  }
  /** Also takes the bytes of a file as the body. */
  readonly takesBytes?: true
  readonly headers?: readonly ('spans' | 'range')[]
  /** Default: 200. */
  readonly status?: 200 | 201
  readonly nothing?: string
  readonly answer?: AnswerName
  readonly media?: readonly string[]
  readonly events?: AnswerName
  /** Also takes JSON Lines of bodies, and answers each with a line of this schema. */
  readonly lines?: AnswerName
  /** May fail with another server, such as the model's or a page's. */
  readonly mayFailUpstream?: true
  /** Refuses messages with JSON-RPC errors. */
  readonly speaksRpc?: true
}
