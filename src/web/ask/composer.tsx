import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { hasDefaultStore, stores } from '../documents/stores.ts'
import { Icon } from '../icons.tsx'
import { t } from '../preferences.ts'
import { ask, conversationId, isAsking, selectedCollections, stop } from './conversation.ts'

/** Sends on Enter; Shift+Enter starts a new line. */
export function Composer() {
  const typed = useSignal('')
  const field = useRef<HTMLTextAreaElement>(null)
  const id = conversationId.value
  useEffect(() => field.current?.focus({ preventScroll: true }), [id])
  useEffect(() => grow(field.current), [typed.value])
  const send = () => {
    const question = typed.value.trim()
    if (question === '' || isAsking.value) return
    typed.value = ''
    void ask(question)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <form
      class="composer"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        value={typed.value}
        aria-label={t().ask.label}
        placeholder={t().ask.placeholder}
        onInput={event => {
          typed.value = event.currentTarget.value
        }}
        onKeyDown={onKeyDown}
      />
      <div class="composer-row">
        <CollectionChoice />
        {isAsking.value ? <StopButton /> : <SendButton isDisabled={typed.value.trim() === ''} />}
      </div>
    </form>
  )
}

function StopButton() {
  return (
    <button
      type="button"
      class="primary round"
      aria-label={t().ask.stop}
      onClick={() => void stop()}
    >
      <Icon name="stop" />
    </button>
  )
}

function SendButton({ isDisabled }: { readonly isDisabled: boolean }) {
  return (
    <button type="submit" class="primary round" aria-label={t().ask.send} disabled={isDisabled}>
      <Icon name="send" />
    </button>
  )
}

function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight}px`
}

function CollectionChoice() {
  const names = (stores.value ?? []).map(store => store.name).filter(Boolean)
  if (names.length === 0 || (names.length === 1 && names[0] === 'default')) return <span />
  const chosen = selectedCollections.value
  const [only] = chosen
  const usual = hasDefaultStore() ? t().ask.byDefault : t().ask.everywhere
  const isAll = chosen.length === names.length
  const some = chosen.length > 1 ? t().ask.chosen(chosen.length) : (only ?? usual)
  const summary = isAll && names.length > 1 ? t().ask.allDocuments : some
  const toggle = (name: string) => {
    selectedCollections.value = chosen.includes(name)
      ? chosen.filter(chosenName => chosenName !== name)
      : [...chosen, name]
  }
  return (
    <details class="choice">
      <summary aria-label={`${t().ask.collections}: ${summary}`}>
        <Icon name="collections" />
        <span class="choice-name">{summary}</span>
      </summary>
      <fieldset class="choice-list">
        <legend>{t().ask.collections}</legend>
        {names.length > 1 && (
          <label>
            <input
              type="checkbox"
              checked={isAll}
              onChange={() => {
                selectedCollections.value = isAll ? [] : names
              }}
            />
            <span>{t().ask.allDocuments}</span>
          </label>
        )}
        {names.map(name => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
