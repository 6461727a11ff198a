import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { canWrite, fetchJson } from '../connection.ts'
import { Icon } from '../icons.tsx'
import { type Notice, NoticeText, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { conversationId } from './conversation.ts'
import type { Turn } from './turn.ts'

type JudgementProps = {
  readonly turn: Signal<Turn>
  readonly isExplained: Signal<boolean>
}

export function JudgementButtons({ turn, isExplained }: JudgementProps) {
  const problem = useSignal<Notice | undefined>(undefined)
  const { state, number, judgement } = turn.value
  if (state !== 'done' || number === undefined || !conversationId.value || !canWrite.value)
    return null
  const judge = async (rating: 'good' | 'bad') => {
    const isTakenBack = judgement?.rating === rating
    isExplained.value = !isTakenBack
    problem.value = await judgeAnswer(turn, isTakenBack ? undefined : { rating }).then(
      () => undefined,
      toNotice,
    )
  }
  return (
    <>
      {(['good', 'bad'] as const).map(rating => (
        <button
          key={rating}
          type="button"
          class="quiet-button"
          aria-pressed={judgement?.rating === rating}
          aria-label={t().ask[rating]}
          title={t().ask[rating]}
          onClick={() => void judge(rating)}
        >
          <Icon name={rating} />
        </button>
      ))}
      {!isExplained.value && judgement?.reason && (
        <span class="mode" dir="auto">
          {judgement.reason}
        </span>
      )}
      {problem.value && <NoticeText notice={problem.value} />}
    </>
  )
}

export function ReasonForm({ turn, isExplained }: JudgementProps) {
  const problem = useSignal<Notice | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const { judgement } = turn.value
  if (!judgement) return null
  const save = async (event: Event) => {
    event.preventDefault()
    const reason = field.current?.value.trim()
    const { rating } = judgement
    problem.value = await judgeAnswer(turn, { rating, ...(reason && { reason }) }).then(() => {
      isExplained.value = false
      return undefined
    }, toNotice)
  }
  return (
    <form class="reason" onSubmit={save}>
      <input
        ref={field}
        aria-label={t().ask.reason}
        placeholder={t().ask.reason}
        defaultValue={judgement.reason ?? ''}
        maxLength={2_000}
        onKeyDown={event => {
          if (event.key === 'Escape') isExplained.value = false
        }}
      />
      <button type="submit" class="secondary">
        {t().save}
      </button>
      {problem.value && <NoticeText notice={problem.value} />}
    </form>
  )
}

async function judgeAnswer(turn: Signal<Turn>, judgement: Turn['judgement']): Promise<void> {
  const id = `${conversationId.value}.${turn.value.number}`
  await fetchJson(`/api/answers/${encodeURIComponent(id)}/judgement`, {
    method: 'PUT',
    body: judgement ?? { rating: null },
  })
  const { judgement: _, ...rest } = turn.value
  turn.value = { ...rest, ...(judgement && { judgement }) }
}
