import type { FollowUpsJson } from '../../wire/conversation.ts'
import type { RequestContext } from '../http/context.ts'
import type { Routes } from '../route.ts'
import { findTurn } from './receipts.ts'

export const followUpRoutes: Routes = {
  'GET /api/answers/:id/follow-ups': {
    summary: 'Suggest questions that may follow a stored answer',
    description:
      'Up to three questions, in the language of the answered one. A chat model writes them if it wrote the answer; otherwise they name headings near the citations, and can be answered without a model.',
    answer: 'FollowUps',
    reply: suggest,
  },
}

async function suggest(c: RequestContext): Promise<Response> {
  const { turn } = await findTurn(c, c.req.param('id') ?? '')
  const questions = await c.var.passim.suggestFollowUps(turn, c.var.signal)
  return c.json<FollowUpsJson>({ questions: [...questions] })
}
