import { Refusal, Unreachable } from './connection.ts'
import { t } from './preferences.ts'

/** What the service, or the page itself, says of something that is not as it should be. */
export type Told = { readonly message: string; readonly code?: string | undefined }

/** Undefined while the service is away, which the page says by itself. */
export function toldOf(error: unknown): Told | undefined {
  if (error instanceof Unreachable) return undefined
  if (error instanceof Refusal) return { message: error.message, code: error.code }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** In the reader's language by its code; then the service's own words, which know more, where those are in another. */
export function ToldText({ told: { message, code } }: { readonly told: Told }) {
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

/** The same where only a text can be. */
export function toldText({ message, code }: Told): string {
  const sentence = code === undefined ? undefined : t().service[code]
  return sentence === undefined ? message : `${sentence}\n${message}`
}

/** What went wrong, said aloud; nothing where nothing did. */
export function Problem({ told }: { readonly told: Told | undefined }) {
  if (!told) return null
  return (
    <p class="problem" role="alert">
      <ToldText told={told} />
    </p>
  )
}
