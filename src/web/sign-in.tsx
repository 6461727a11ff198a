import { useSignal } from '@preact/signals'
import { call, key, needsKey, Refusal, signIn } from './connection.ts'
import { type Notice, Problem, toNotice } from './notice.tsx'
import { t } from './preferences.ts'

export function SignIn() {
  const entered = useSignal('')
  const problem = useSignal<Notice | undefined>(undefined)
  const enter = async (event: Event) => {
    event.preventDefault()
    problem.value = undefined
    key.value = entered.value.trim()
    try {
      await call('/v1/models')
      signIn(key.value)
    } catch (error) {
      key.value = ''
      needsKey.value = true
      const isRefused = error instanceof Refusal && error.status === 401
      problem.value = isRefused ? { message: t().signIn.refused } : toNotice(error)
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
        <Problem notice={problem.value} />
        <button type="submit" class="primary">
          {t().signIn.button}
        </button>
      </form>
    </section>
  )
}
