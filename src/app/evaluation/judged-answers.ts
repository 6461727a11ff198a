import type { Conversation, Conversations } from '../../conversations/conversations.ts'
import type { Judgements } from '../../conversations/judgements.ts'
import type { ConversationService } from '../../conversations/service.ts'
import type { Turn } from '../../conversations/turns.ts'
import type { JudgedAnswerJson } from '../../wire/evaluation.ts'

type JudgedAnswersDeps = {
  readonly conversations: Pick<Conversations, 'list'>
  readonly conversationService: Pick<ConversationService, 'listTurns'>
  readonly judgements: Judgements
}

/** Conversations per query; protects memory. */
const PAGE_SIZE = 100
/** Earlier turns of a question; a follow-up question rarely refers further back. */
const MAX_EARLIER_TURNS = 4

export async function* readJudgedAnswers(
  { conversations, conversationService, judgements }: JudgedAnswersDeps,
  signal: AbortSignal,
): AsyncGenerator<JudgedAnswerJson> {
  for (let after: Conversation | undefined; ; ) {
    const page = await conversations.list({ after, limit: PAGE_SIZE })
    for (const { id } of page) {
      for (const number of await judgements.listTurns(id)) {
        signal.throwIfAborted()
        const range = { before: number + 1, limit: MAX_EARLIER_TURNS + 1 }
        yield* toJudgedAnswers(id, await conversationService.listTurns(id, range))
      }
    }
    after = page.at(-1)
    if (page.length < PAGE_SIZE) return
  }
}

function toJudgedAnswers(id: string, turns: readonly Turn[]): readonly JudgedAnswerJson[] {
  const last = turns.at(-1)
  if (!last?.judgement) return []
  const { question, answer, citations, judgement } = last
  const history = turns
    .slice(0, -1)
    .filter(turn => !turn.superseded && turn.answer !== '')
    .flatMap(turn => [
      { role: 'user' as const, content: turn.question },
      { role: 'assistant' as const, content: turn.answer },
    ])
  return [
    {
      id: `${id}.${last.turn}`,
      question,
      ...judgement,
      ...getExpectation(last, citations[0]),
      answer,
      ...(history.length > 0 && { history }),
    },
  ]
}

/** A good answer is expected again; after a bad one only an abstention says what was expected. */
function getExpectation(
  { abstained = false, judgement }: Turn,
  citation: Turn['citations'][number] | undefined,
): Pick<JudgedAnswerJson, 'answerable' | 'doc' | 'pages_ok' | 'evidence'> {
  const isGood = judgement?.rating === 'good'
  if (abstained) return { answerable: !isGood }
  if (!isGood || !citation) return {}
  const { doc, page, text: evidence } = citation
  return { answerable: true, doc, pages_ok: page === undefined ? [] : [page], evidence }
}
