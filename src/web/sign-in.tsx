import { useSignal } from '@preact/signals'
import { call, key, needsKey, Refusal, signIn } from './connection.ts'
import { t } from './preferences.ts'

/** Asks for a key, tries it, and keeps it for this tab. */
export function SignIn() {
  const entered = useSignal('')
  const problem = useSignal('')
  const enter = async (event: Event) => {
    event.preventDefault()
    problem.value = ''
    key.value = entered.value.trim()
    try {
      await call('/v1/models')
      signIn(key.value)
    } catch (error) {
      key.value = ''
      needsKey.value = true
      problem.value = error instanceof Refusal && error.status === 401 ? t().signIn.refused : String(error)
    }
  }
  return (
    <section class="page narrow">
      <h1>{t().signIn.title}</h1>
      <p class="quiet">{t().signIn.text}</p>
      <form class="stack" onSubmit={enter}>
        <label class="field">
          <span>{t().signIn.label}</span>
          <input
            type="password"
            autocomplete="off"
            value={entered.value}
            onInput={event => {
              entered.value = event.currentTarget.value
            }}
            required
          />
        </label>
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="primary">
          {t().signIn.button}
        </button>
      </form>
    </section>
  )
}
