import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { canWrite, reconnections } from '../connection.ts'
import { DropZone } from '../documents/drop-zone.tsx'
import { listStores, stores } from '../documents/stores.ts'
import { UploadList } from '../documents/upload-list.tsx'
import { Icon } from '../icons.tsx'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { comparedCitation, hideSource, shownCitation } from '../source/shown-source.ts'
import { SourcePane } from '../source/source-pane.tsx'
import { Composer } from './composer.tsx'
import {
  conversationId,
  hasConversationList,
  hasEarlierTurns,
  listConversations,
  openConversation,
  showEarlier,
  startConversation,
  turns,
} from './conversation.ts'
import { isListOpen } from './conversation-list.tsx'
import { Suggestions } from './suggestions.tsx'
import { TurnView } from './turn-view.tsx'

export function Ask({
  conversationId: requestedId,
}: {
  readonly conversationId: string | undefined
}) {
  const problem = useSignal<Notice | undefined>(undefined)
  const attempt = reconnections.value
  useEffect(() => {
    void Promise.all([listConversations(), listStores()]).catch(error => {
      problem.value = toNotice(error)
    })
  }, [attempt])
  useEffect(() => {
    isListOpen.value = false
    problem.value = undefined
    if (requestedId === undefined) return
    hideSourceOfOther(requestedId)
    const controller = new AbortController()
    openConversation(requestedId, controller.signal).catch(error => {
      if (!controller.signal.aborted) problem.value = toNotice(error)
    })
    return () => controller.abort()
  }, [requestedId, attempt])
  return (
    <div
      class={`ask${shownCitation.value ? ' with-source' : ''}${comparedCitation.value ? ' comparing' : ''}`}
    >
      <section class="conversation">
        {hasConversationList.value && <Toolbar />}
        <Problem notice={problem.value} />
        {turns.value.length === 0 ? <StartView /> : <Turns />}
        <Composer />
      </section>
      {shownCitation.value && <SourcePane />}
    </div>
  )
}

function hideSourceOfOther(id: string): void {
  if (id !== conversationId.value) hideSource()
}

/** Shown if the window is too narrow for the list of conversations. */
function Toolbar() {
  const open = () => {
    isListOpen.value = true
  }
  return (
    <div class="toolbar">
      <button type="button" class="quiet-button" onClick={open}>
        <Icon name="history" />
        <span>{t().ask.conversations}</span>
      </button>
      {turns.value.length > 0 && (
        <button type="button" class="quiet-button" onClick={startConversation}>
          <Icon name="plus" />
          <span>{t().ask.newConversation}</span>
        </button>
      )}
    </div>
  )
}

function StartView() {
  const hasNone = stores.value?.every(store => store.file_counts.total === 0) ?? false
  const isEmpty = hasNone && canWrite.value // others cannot add any
  return (
    <div class="beginning">
      <h1>{t().ask.title}</h1>
      <p class="quiet">{isEmpty ? t().ask.empty : t().ask.intro}</p>
      {isEmpty ? <DropZone collection="default" /> : <Suggestions />}
      <UploadList />
    </div>
  )
}

function Turns() {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const count = turns.value.length
  const scrollAlong = () => {
    const scroller = list.current
    if (scroller && isAtEnd.current) scroller.scrollTop = scroller.scrollHeight
  }
  useLayoutEffect(() => {
    isAtEnd.current = true
    scrollAlong()
  }, [count])
  useEffect(() => {
    const observer = new MutationObserver(scrollAlong)
    if (list.current)
      observer.observe(list.current, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  const watch = (event: TargetedEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 80
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="turns" ref={list} onScroll={watch} tabIndex={0} aria-label={t().ask.title}>
      <h1 class="unseen">{t().ask.title}</h1>
      {hasEarlierTurns.value && (
        <button type="button" class="quiet-button" onClick={() => void showEarlier()}>
          {t().ask.earlier}
        </button>
      )}
      {turns.value.map((turn, index) => (
        <TurnView key={turn.peek().number ?? `new ${index}`} turn={turn} />
      ))}
    </section>
  )
}
