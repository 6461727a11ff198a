import type { Turn } from '../../conversations/turns.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { ReceiptKeyJson } from '../../wire/receipt.ts'
import type { RequestContext } from '../http/context.ts'
import { showSources } from '../http/shown-source.ts'
import type { Routes } from '../route.ts'

export const receiptRoutes: Routes = {
  'GET /api/answers/:id/receipt': {
    summary: 'Get a signed receipt of a stored answer',
    description:
      'Returns the file that `passim ask --receipt` writes. `/verify.html` verifies it offline, so keep its bytes as they are. Fails with 409 if a quoted document was changed or deleted since.',
    answer: 'Receipt',
    reply: sendReceipt,
  },
  'GET /api/receipts/key': {
    summary: 'Get the public key of the receipts',
    answer: 'ReceiptKey',
    reply: showKey,
  },
}

async function showKey(c: RequestContext): Promise<Response> {
  return c.json<ReceiptKeyJson>({ key: await c.var.passim.receipts.getKey() })
}

async function sendReceipt(c: RequestContext): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const found = await findTurn(c, id)
  const { question, answer: text, mode, abstained = false, ...turn } = found.turn
  if (turn.status !== 'completed' || mode === undefined)
    throw new AppError('conflict', localizable`The answer ${id} is not complete.`)
  const citations = showSources(c, turn.citations)
  const { unsupported, unconfirmed = [], createdAt: timeMs } = turn
  const answer = {
    question,
    text,
    mode,
    abstained,
    citations,
    unsupported,
    unconfirmed,
    at: timeMs,
  }
  return c.body(await c.var.passim.receipts.sign(answer, c.var.signal), 200, {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="receipt-${id.replace(/[^\w.-]/g, '')}.json"`,
  })
}

export async function findTurn(
  c: RequestContext,
  id: string,
): Promise<{ readonly conversation: string; readonly turn: Turn }> {
  const { conversations, conversationService } = c.var.passim
  const [, conversation, number] = /^(.+)\.(\d{1,9})$/.exec(id) ?? []
  const place =
    conversation === undefined
      ? await conversations.findTurn(id)
      : { id: conversation, turn: Number(number) }
  const [turn] = place
    ? await conversationService.listTurns(place.id, { before: place.turn + 1, limit: 1 })
    : []
  if (turn && turn.turn === place?.turn) return { conversation: place.id, turn }
  throw new AppError('not_found', localizable`There is no answer ${id}.`, { about: id })
}
