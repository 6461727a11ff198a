import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type {
  ConversationHeadJson,
  NewSharedLinkJson,
  SharedLinkJson,
  SharedLinkListJson,
} from '../../wire/conversation.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { fetchJson } from '../connection.ts'
import { copyText } from '../copy.ts'
import { Icon } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { formatTime, t } from '../preferences.ts'
import { linkTo } from '../route.ts'
import { getConversationPath, sharedLinkDays } from './conversation.ts'

/** Days to choose from, below the operator's maximum. */
const TIMES = [1, 7, 30] as const

type ShareProps = { readonly entry: ConversationHeadJson; readonly close: () => void }

export function ShareDialog({ entry, close }: ShareProps) {
  const path = `${getConversationPath(entry.id)}/links`
  const changes = useSignal(0)
  const created = useSignal<CreatedLinkProps | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const loaded = useLoaded(
    signal => fetchJson<SharedLinkListJson>(path, { signal }),
    [path, changes.value],
  )
  const runAction = async (action: () => Promise<void>) => {
    problem.value = undefined
    try {
      await action()
      changes.value++
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  const create = (days: number) =>
    runAction(async () => {
      const made = await fetchJson<NewSharedLinkJson>(path, { method: 'POST', body: { days } })
      const page = location.href.replace(/[?#].*/, '')
      created.value = { id: made.id, url: `${page}${linkTo('shared', made.token)}` }
    })
  const revoke = (id: string) =>
    runAction(async () => {
      await fetchJson(`${path}/${id}`, { method: 'DELETE' })
      if (created.value?.id === id) created.value = undefined
    })
  return (
    <Dialog label={t().share.title} close={close}>
      <div class="stack">
        <h2>{t().share.title}</h2>
        <p class="quiet clip" dir="auto">
          {entry.title || t().ask.untitled}
        </p>
        <p>{t().share.hint}</p>
        {created.value === undefined ? (
          <NewLink create={create} />
        ) : (
          <CreatedLink {...created.value} />
        )}
        <Problem notice={problem.value ?? loaded.value.problem} />
        <Links links={loaded.value.value?.links ?? []} revoke={revoke} />
        <p class="dialog-buttons">
          <button type="button" class="secondary" onClick={close}>
            {t().close}
          </button>
        </p>
      </div>
    </Dialog>
  )
}

function NewLink({ create }: { readonly create: (days: number) => Promise<void> }) {
  const longest = sharedLinkDays.value
  const times = [...TIMES.filter(days => days < longest), longest]
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    void create(Number(new FormData(event.currentTarget).get('days')))
  }
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>{t().share.valid}</span>
        <select name="days">
          {times.map(days => (
            <option key={days} value={days} selected={days === Math.min(7, longest)}>
              {t().share.days(days)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        {t().share.create}
      </button>
    </form>
  )
}

type CreatedLinkProps = { readonly id: string; readonly url: string }

function CreatedLink({ url }: CreatedLinkProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const isCopied = useSignal(false)
  const copy = async () => {
    await copyText(url)
    isCopied.value = true
  }
  return (
    <>
      <label class="field">
        <span>{t().share.shown}</span>
        <input ref={field} readOnly value={url} onFocus={event => event.currentTarget.select()} />
      </label>
      <button type="button" class="primary" onClick={() => void copy()}>
        <Icon name="copy" />
        <span aria-live="polite">{isCopied.value ? t().ask.copied : t().keys.copy}</span>
      </button>
    </>
  )
}

type LinksProps = {
  readonly links: readonly SharedLinkJson[]
  readonly revoke: (id: string) => Promise<void>
}

function Links({ links, revoke }: LinksProps) {
  if (links.length === 0) return null
  return (
    <ul class="jobs" aria-label={t().share.links}>
      {links.map(({ id, turns, createdAt, expiresAt }) => (
        <li key={id} class="job">
          <p class="job-head">
            <span>
              {t().share.turns(turns)}
              <br />
              <small class="quiet">
                {t().share.times(formatTime(createdAt), formatTime(expiresAt))}
              </small>
            </span>
            <button type="button" class="secondary" onClick={() => void revoke(id)}>
              {t().keys.revoke}
            </button>
          </p>
        </li>
      ))}
    </ul>
  )
}
