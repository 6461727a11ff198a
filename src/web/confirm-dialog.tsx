import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Notice, Problem, toNotice } from './notice.tsx'
import { t } from './preferences.ts'

export function Dialog({ label, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close() // removal alone would not return the focus
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={event => {
        event.preventDefault() // a removed dialog would report its closing only later
        close()
      }}
      onClose={event => event.currentTarget.isConnected && close()} // a removed dialog would close the next
    >
      {children}
    </dialog>
  )
}

type DialogProps = {
  readonly label: string
  readonly close: () => void
  readonly children: ComponentChildren
}

type ConfirmProps = {
  readonly text: string
  readonly detail?: string
  /** To be typed before anything is deleted. */
  readonly name?: string
  readonly verb?: string
  readonly action: () => Promise<unknown>
  readonly close: () => void
}

export function ConfirmDialog({
  text,
  detail,
  name,
  verb = t().remove,
  action,
  close,
}: ConfirmProps) {
  const problem = useSignal<Notice | undefined>(undefined)
  const typed = useSignal('')
  const isBusy = useSignal(false)
  const confirm = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    try {
      await action()
      close()
    } catch (error) {
      problem.value = toNotice(error)
      isBusy.value = false
    }
  }
  return (
    <Dialog label={text} close={close}>
      <form onSubmit={confirm}>
        <p class="dialog-text">{text}</p>
        {detail && (
          <p class="quiet clip" dir="auto">
            {detail}
          </p>
        )}
        {name !== undefined && (
          <input
            aria-label={detail ?? text}
            value={typed.value}
            onInput={event => {
              typed.value = event.currentTarget.value
            }}
          />
        )}
        <Problem notice={problem.value} />
        <p class="dialog-buttons">
          <button type="button" class="secondary" onClick={close}>
            {t().cancel}
          </button>
          <button
            type="submit"
            class="danger"
            disabled={isBusy.value || (name !== undefined && typed.value !== name)}
          >
            {verb}
          </button>
        </p>
      </form>
    </Dialog>
  )
}
