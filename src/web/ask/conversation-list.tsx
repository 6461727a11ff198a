import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ConversationHeadJson } from '../../wire/conversation.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { canWrite } from '../connection.ts'
import { Icon, type IconName } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { formatDate, t } from '../preferences.ts'
import { linkTo } from '../route.ts'
import {
  conversationId,
  conversations,
  deleteConversation,
  hasMoreConversations,
  listConversations,
  printConversation,
  sharedLinkDays,
  soughtTitle,
  startConversation,
  updateConversation,
} from './conversation.ts'
import { saveConversation } from './turn-markdown.ts'

/** Covers the conversation in a narrow window while it is open. */
export const isListOpen = signal(false)

type OpenDialog = { readonly kind: 'share' | 'remove'; readonly entry: ConversationHeadJson }

export function ConversationList() {
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const close = () => {
    isListOpen.value = false
  }
  return (
    <>
      <aside
        class={`conversations${isListOpen.value ? ' open' : ''}`}
        aria-label={t().ask.conversations}
        onKeyDown={event => event.key === 'Escape' && close()}
      >
        <ListHead close={close} />
        <TitleField />
        <div class="conversations-past">
          {soughtTitle.value !== '' && conversations.value.length === 0 && (
            <p class="quiet">{t().ask.noConversation}</p>
          )}
          <ul>
            {conversations.value.map(entry => (
              <Entry
                key={entry.id}
                entry={entry}
                open={kind => {
                  dialog.value = { kind, entry }
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
      </aside>
      <EntryDialog
        dialog={dialog.value}
        close={() => {
          dialog.value = undefined
        }}
      />
    </>
  )
}

type EntryDialogProps = { readonly dialog: OpenDialog | undefined; readonly close: () => void }

/** Outside of the list, which narrow windows hide. */
function EntryDialog({ dialog, close }: EntryDialogProps) {
  if (!dialog) return null
  const { kind, entry } = dialog
  if (kind === 'share') return <Share entry={entry} close={close} />
  return (
    <ConfirmDialog
      text={t().ask.deleteConversation}
      detail={entry.title}
      action={() => deleteConversation(entry.id)}
      close={close}
    />
  )
}

function Share(props: { readonly entry: ConversationHeadJson; readonly close: () => void }) {
  const loaded = useLoaded(async () => (await import('../other-views.ts')).ShareDialog, [])
  const ShareDialog = loaded.value.value
  return ShareDialog ? <ShareDialog {...props} /> : <Problem notice={loaded.value.problem} />
}

function ListHead({ close }: { readonly close: () => void }) {
  const start = () => {
    startConversation()
    close()
  }
  return (
    <div class="conversations-head">
      <button type="button" class="secondary" onClick={start}>
        <Icon name="plus" />
        <span>{t().ask.newConversation}</span>
      </button>
      <button type="button" class="plain only-narrow" aria-label={t().close} onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  )
}

/** Conversations that are looked over without a search. */
const MAX_UNSEARCHED = 8

function TitleField() {
  const title = soughtTitle.value
  if (title === '' && conversations.value.length <= MAX_UNSEARCHED) return null
  return (
    <input
      type="search"
      aria-label={t().ask.searchConversations}
      placeholder={t().ask.searchConversations}
      value={title}
      maxLength={200}
      onInput={event => {
        soughtTitle.value = event.currentTarget.value
        void listConversations()
      }}
    />
  )
}

type EntryProps = {
  readonly entry: ConversationHeadJson
  readonly open: (kind: OpenDialog['kind']) => void
}

function Entry({ entry, open }: EntryProps) {
  const isNamed = useSignal(false)
  const problem = useSignal<Notice | undefined>(undefined)
  const watch = (action: Promise<void>) =>
    action.catch(error => {
      problem.value = toNotice(error)
    })
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
        href={linkTo('ask', entry.id)}
        aria-current={entry.id === conversationId.value ? 'true' : undefined}
        title={`${title}\n${formatDate(entry.updatedAt)}`}
      >
        <span dir="auto">
          {entry.pinned && <Icon name="pin" />}
          {title}
        </span>
      </a>
      {canWrite.value && (
        <EntryActions
          entry={entry}
          open={open}
          rename={() => {
            isNamed.value = true
          }}
          watch={watch}
        />
      )}
      <Problem notice={problem.value} />
    </li>
  )
}

type EntryActionsProps = EntryProps & {
  readonly rename: () => void
  readonly watch: (action: Promise<void>) => Promise<void>
}

function EntryActions({ entry, open, rename, watch }: EntryActionsProps) {
  const title = entry.title || t().ask.untitled
  return (
    <span class="entry-actions">
      <Action
        icon="pin"
        label={`${t().ask.pin}: ${title}`}
        isPressed={entry.pinned}
        act={() => watch(updateConversation(entry.id, { pinned: !entry.pinned }))}
      />
      {entry.id === conversationId.value && (
        <Action icon="print" label={t().ask.print} act={() => watch(printConversation())} />
      )}
      <Action
        icon="download"
        label={`${t().ask.save}: ${title}`}
        act={() => watch(saveConversation(entry))}
      />
      {sharedLinkDays.value > 0 && (
        <Action icon="share" label={`${t().share.action}: ${title}`} act={() => open('share')} />
      )}
      <Action icon="edit" label={`${t().ask.rename}: ${title}`} act={rename} />
      <Action icon="remove" label={`${t().remove}: ${title}`} act={() => open('remove')} />
    </span>
  )
}

type ActionProps = {
  readonly icon: IconName
  readonly label: string
  readonly isPressed?: boolean
  readonly act: () => unknown
}

function Action({ icon, label, isPressed, act }: ActionProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={() => void act()}
    >
      <Icon name={icon} />
    </button>
  )
}

function NameField({
  entry,
  close,
}: {
  readonly entry: ConversationHeadJson
  readonly close: () => void
}) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const save = async (event: Event) => {
    event.preventDefault()
    const title = field.current?.value.trim()
    if (title && title !== entry.title) await updateConversation(entry.id, { title })
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
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation() // the list stays open
            close()
          }}
        />
      </form>
    </li>
  )
}
