import { Refusal, Unreachable } from './connection.ts'

export type Notice = { readonly message: string; readonly code?: string }

/** Returns undefined while the service is offline, which a banner states. */
export function toNotice(error: unknown): Notice | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refusal) return { message: error.message, code: error.code }
  return { message: error instanceof Error ? error.message : String(error) }
}

export function NoticeText({ notice: { message } }: { readonly notice: Notice }) {
  return <span dir="auto">{message}</span>
}

/** Alerts screen readers, too. */
export function Problem({ notice }: { readonly notice: Notice | undefined }) {
  if (!notice) return null
  return (
    <p class="problem" role="alert">
      <NoticeText notice={notice} />
    </p>
  )
}
