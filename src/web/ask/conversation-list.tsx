import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Icon } from '../icons.tsx'
import { dateText, t } from '../preferences.ts'
import { href } from '../route.ts'
import {
  type ConversationEntry,
  conversationId,
  conversations,
  deleteConversation,
  hasMoreConversations,
  listConversations,
  renameConversation,
  startAnew,
} from './conversation.ts'

/** Past conversations, newest first; where there is no room beside the conversation, over it. */
export function ConversationList({ isOpen }: { readonly isOpen: Signal<boolean> }) {
  const deleted = useSignal<ConversationEntry | undefined>(undefined)
  const begin = () => {
    startAnew()
    isOpen.value = false
  }
  const close = () => {
    isOpen.value = false
  }
  return (
    <aside
      class={`conversations${isOpen.value ? ' open' : ''}`}
      aria-label={t().ask.conversations}
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <div class="conversations-head">
        <button type="button" class="secondary" onClick={begin}>
          <Icon name="plus" />
          <span>{t().ask.newConversation}</span>
        </button>
        <button type="button" class="plain only-narrow" aria-label={t().close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="conversations-past">
        <ul>
          {conversations.value.map(entry => (
            <Entry
              key={entry.id}
              entry={entry}
              remove={() => {
                deleted.value = entry
              }}
            />
          ))}
        </ul>
        {hasMoreConversations.value && (
          <button
            type="button"
            class="quiet-button"
            onClick={() => void listConversations({ more: true })}
          >
            {t().more}
          </button>
        )}
      </div>
      {deleted.value && (
        <ConfirmDialog
          text={t().ask.deleteConversation}
          detail={deleted.value.title}
          action={() => deleteConversation(deleted.value!.id)}
          close={() => {
            deleted.value = undefined
          }}
        />
      )}
    </aside>
  )
}

function Entry({
  entry,
  remove,
}: {
  readonly entry: ConversationEntry
  readonly remove: () => void
}) {
  const isNamed = useSignal(false)
  const title = entry.title || t().ask.untitled
  if (isNamed.value)
    return (
      <NameField
        entry={entry}
        close={() => {
          isNamed.value = false
        }}
      />
    )
  return (
    <li class="conversation-entry">
      <a
        href={href('ask', entry.id)}
        aria-current={entry.id === conversationId.value ? 'true' : undefined}
        title={`${title}\n${dateText(millisecondsOf(entry.updated_at))}`}
      >
        <span dir="auto">{title}</span>
      </a>
      <span class="entry-actions">
        <button
          type="button"
          class="plain"
          aria-label={`${t().ask.rename}: ${title}`}
          onClick={() => {
            isNamed.value = true
          }}
        >
          <Icon name="edit" />
        </button>
        <button type="button" class="plain" aria-label={`${t().remove}: ${title}`} onClick={remove}>
          <Icon name="remove" />
        </button>
      </span>
    </li>
  )
}

/** Unix seconds on OpenAI's wire, milliseconds elsewhere. */
function millisecondsOf(time: number): number {
  return time < 1e11 ? time * 1000 : time
}

function NameField({
  entry,
  close,
}: {
  readonly entry: ConversationEntry
  readonly close: () => void
}) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const save = async (event: Event) => {
    event.preventDefault()
    const title = field.current?.value.trim()
    if (title && title !== entry.title) await renameConversation(entry.id, title)
    close()
  }
  return (
    <li class="conversation-entry">
      <form onSubmit={save}>
        <input
          ref={field}
          aria-label={t().ask.rename}
          defaultValue={entry.title}
          maxLength={200}
          onBlur={save}
          onKeyDown={event => event.key === 'Escape' && close()}
        />
      </form>
    </li>
  )
}
