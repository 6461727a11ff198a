import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import type { KeyJson, KeyListJson, NewKeyJson } from '../wire/key.ts'
import { ConfirmDialog, Dialog } from './confirm-dialog.tsx'
import { fetchJson, signIn } from './connection.ts'
import { copyText } from './copy.ts'
import { Icon } from './icons.tsx'
import { useLoaded } from './loaded.ts'
import { type Notice, NoticeText, Problem, toNotice } from './notice.tsx'
import { formatDate, formatTime, t } from './preferences.ts'

const SCOPES: readonly KeyJson['scope'][] = ['read', 'write', 'admin']

/**
 * Scopes of the first key: the service accepts no other, because it could not create further
 * keys.
 */
const FIRST_SCOPES: readonly KeyJson['scope'][] = ['admin']

export function Keys() {
  const reloads = useSignal(0)
  const loaded = useLoaded(
    signal => fetchJson<KeyListJson>('/api/keys', { signal }),
    [reloads.value],
  )
  const isMaking = useSignal(false)
  const { value, problem } = loaded.value
  return (
    <section class="page">
      <header class="page-head">
        <div>
          <h1>{t().keys.title}</h1>
          <p class="quiet">{t().keys.intro}</p>
        </div>
        {value && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              isMaking.value = true
            }}
          >
            <Icon name="plus" />
            {t().keys.create}
          </button>
        )}
      </header>
      {problem && (
        <p class="note">
          {problem.code === 'forbidden' ? t().keys.forbidden : <NoticeText notice={problem} />}
        </p>
      )}
      {!value && !problem && <p class="quiet working">{t().loading}</p>}
      {value?.keys.length === 0 && <p class="quiet empty">{t().keys.none}</p>}
      <ul class="jobs">
        {value?.keys.map(key => (
          <KeyRow
            key={key.id}
            entry={key}
            changed={() => {
              reloads.value++
            }}
          />
        ))}
      </ul>
      {isMaking.value && (
        <CreateDialog
          isFirst={value?.keys.length === 0}
          close={() => {
            isMaking.value = false
            reloads.value++
          }}
        />
      )}
    </section>
  )
}

function KeyRow({ entry, changed }: { readonly entry: KeyJson; readonly changed: () => void }) {
  const isConfirming = useSignal(false)
  const { id, name, tenant, scope, createdAt, lastUsedAt, revokedAt } = entry
  const revoke = async () => {
    await fetchJson(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
    changed()
  }
  return (
    <li class="job">
      <p class="job-head">
        <strong dir="auto">{name}</strong>
        <span class="badge">{t().keys.scopes[scope]}</span>
        <span class="quiet">
          {t().keys.tenant}: {tenant} · {t().keys.created(formatDate(createdAt))} ·{' '}
          {lastUsedAt === undefined ? t().keys.unused : t().keys.used(formatTime(lastUsedAt))}
        </span>
        {revokedAt === undefined ? (
          <button
            type="button"
            class="quiet-button"
            onClick={() => {
              isConfirming.value = true
            }}
          >
            {t().keys.revoke}
          </button>
        ) : (
          <span class="badge failed">{t().keys.revoked}</span>
        )}
      </p>
      {isConfirming.value && (
        <ConfirmDialog
          text={t().keys.confirm(name)}
          verb={t().keys.revoke}
          action={revoke}
          close={() => {
            isConfirming.value = false
          }}
        />
      )}
    </li>
  )
}

function CreateDialog({
  isFirst,
  close,
}: {
  readonly isFirst: boolean
  readonly close: () => void
}) {
  const token = useSignal('')
  const problem = useSignal<Notice | undefined>(undefined)
  const create = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = Object.fromEntries(new FormData(event.currentTarget))
    try {
      token.value = (await fetchJson<NewKeyJson>('/api/keys', { method: 'POST', body })).token
      if (isFirst) signIn(token.value)
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  return (
    <Dialog label={t().keys.create} close={close}>
      <form class="stack" onSubmit={create}>
        <h2>{t().keys.create}</h2>
        {isFirst && <p class="note">{t().keys.first}</p>}
        {token.value ? (
          <Token token={token.value} close={close} />
        ) : (
          <KeyFields isFirst={isFirst} />
        )}
        <Problem notice={problem.value} />
        {!token.value && (
          <p class="dialog-buttons">
            <button type="button" class="secondary" onClick={close}>
              {t().cancel}
            </button>
            <button type="submit" class="primary">
              {t().keys.create}
            </button>
          </p>
        )}
      </form>
    </Dialog>
  )
}

function KeyFields({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <>
      <label class="field">
        <span>{t().keys.name}</span>
        <input name="name" maxLength={100} required />
      </label>
      <label class="field">
        <span>{t().keys.tenant}</span>
        <input
          name="tenant"
          defaultValue="default"
          pattern="[a-z0-9][a-z0-9\-]*"
          maxLength={63}
          required
        />
      </label>
      <label class="field">
        <span>{t().keys.scope}</span>
        <select name="scope">
          {(isFirst ? FIRST_SCOPES : SCOPES).map(scope => (
            <option key={scope} value={scope}>
              {t().keys.scopes[scope]}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

function Token({ token, close }: { readonly token: string; readonly close: () => void }) {
  return (
    <>
      <p>{t().keys.shown}</p>
      <p class="token">
        <code>{token}</code>
      </p>
      <p class="dialog-buttons">
        <button type="button" class="secondary" onClick={() => void copyText(token)}>
          <Icon name="copy" />
          {t().keys.copy}
        </button>
        <button type="button" class="primary" onClick={close}>
          {t().close}
        </button>
      </p>
    </>
  )
}
