import { Refusal, Unreachable } from './connection.ts'
import { t } from './preferences.ts'

export type Notice = { readonly message: string; readonly code?: string | undefined }

/** Returns undefined while the service is offline, which a banner states. */
export function toNotice(error: unknown): Notice | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refusal) return { message: error.message, code: error.code }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** Adds the service's own message to the translation, because it has more detail. */
export function NoticeText({ notice: { message, code } }: { readonly notice: Notice }) {
  const sentence = code === undefined ? undefined : t().service[code]
  if (sentence === undefined) return <span dir="auto">{message}</span>
  return (
    <>
      {sentence}{' '}
      <small class="original" lang="en" dir="auto">
        {message}
      </small>
    </>
  )
}

export function formatNotice({ message, code }: Notice): string {
  const sentence = code === undefined ? undefined : t().service[code]
  return sentence === undefined ? message : `${sentence}\n${message}`
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
