import { z } from 'zod'
import { readJudgedAnswers } from '../../app/evaluation/judged-answers.ts'
import type { TurnJson } from '../../wire/conversation.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { LINES_TYPE } from '../http/lines.ts'
import type { Routes } from '../route.ts'
import { toTurnJson } from './conversations.ts'
import { findTurn } from './receipts.ts'

const judgeSchema = z.strictObject({
  rating: z
    .enum(['good', 'bad'])
    .nullable()
    .describe('Whether the answer is right and complete; null removes the judgement.'),
  reason: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Reason for the rating (1 to 2,000 characters). Default: none.'),
})

export const judgementRoutes: Routes = {
  'PUT /api/answers/:id/judgement': {
    summary: 'Judge a stored answer',
    description: 'Replaces the judgement of the answer. It is stored with the conversation.',
    body: judgeSchema,
    example: { rating: 'bad', reason: 'The figure is of last year.' },
    answer: 'Turn',
    reply: judge,
  },
  'GET /api/judgements': {
    summary: 'Export the judged answers as questions for `passim eval`',
    description:
      'Returns a JSON object per line, the most recently used conversation first. Save it as `judged.jsonl` and run `passim eval judged.jsonl`.',
    media: [LINES_TYPE],
    reply: exportJudged,
  },
}

async function judge(c: RequestContext): Promise<Response> {
  const { rating, reason } = await readBody(c, judgeSchema)
  const id = c.req.param('id') ?? ''
  const { conversation, turn } = await findTurn(c, id)
  const judgement = rating === null ? undefined : { rating, ...(reason && { reason }) }
  await c.var.passim.judgements.judge(conversation, turn.turn, judgement)
  return c.json<TurnJson>(toTurnJson((await findTurn(c, id)).turn, c))
}

function exportJudged(c: RequestContext): Response {
  return c.body(ReadableStream.from(writeLines(c)), 200, {
    'content-type': LINES_TYPE,
    'content-disposition': 'attachment; filename="judged.jsonl"',
  })
}

async function* writeLines(c: RequestContext): AsyncGenerator<Uint8Array> {
  for await (const judged of readJudgedAnswers(c.var.passim, c.var.signal))
    yield Buffer.from(`${JSON.stringify(judged)}\n`)
}
