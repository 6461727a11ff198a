import { useSignal } from '@preact/signals'
import type { ModelSettingJson } from '../wire/model.ts'
import { fetchJson } from './connection.ts'
import { useLoaded } from './loaded.ts'
import { type Notice, Problem, toNotice } from './notice.tsx'
import { t } from './preferences.ts'

/** Default of `model.maxInputTokens`. */
const DEFAULT_TOKENS = 58_000

const ABILITIES = ['callsTools', 'thinks', 'reportsUsage'] as const

export function ChatModelSetting({ changed }: { readonly changed: () => void }) {
  const loaded = useLoaded(signal => fetchJson<ModelSettingJson>('/api/model', { signal }), [])
  const saved = useSignal<ModelSettingJson | undefined>(undefined)
  const setting = saved.value ?? loaded.value.value
  if (!setting) return null // the service offers no such setting, which its checks still show
  const save = (next: ModelSettingJson) => {
    saved.value = next
    changed()
  }
  return (
    <section class="stack chat-model">
      <h2>{t().settings.chatModel}</h2>
      {setting.isFixed ? (
        <FixedModel setting={setting} />
      ) : (
        <ModelForm key={setting.url} setting={setting} save={save} />
      )}
      {setting.abilities && (
        <p role="status" class="abilities">
          {t().settings.modelSaved}
          {ABILITIES.map(ability => (
            <span key={ability} class={`badge ${setting.abilities?.[ability] ? 'completed' : ''}`}>
              {t().settings.abilities[ability][setting.abilities?.[ability] ? 0 : 1]}
            </span>
          ))}
        </p>
      )}
    </section>
  )
}

function FixedModel({ setting }: { readonly setting: ModelSettingJson }) {
  const { url, name, hasKey, isShared, maxInputTokens } = setting
  return (
    <>
      {name !== undefined && (
        <p dir="auto">
          <strong>{name}</strong> · {url}
          {hasKey && ` · ${t().settings.withKey}`}
          {maxInputTokens !== undefined && ` · ${t().settings.inputTokens(maxInputTokens)}`}
        </p>
      )}
      <p class="note">{isShared ? t().settings.modelShared : t().settings.modelFixed}</p>
    </>
  )
}

type FormProps = {
  readonly setting: ModelSettingJson
  readonly save: (setting: ModelSettingJson) => void
}

function ModelForm({ setting, save }: FormProps) {
  const url = useSignal(setting.url ?? '')
  const name = useSignal(setting.name ?? '')
  const tokens = useSignal(String(setting.maxInputTokens ?? DEFAULT_TOKENS))
  const secret = useSignal('')
  const isBusy = useSignal(false)
  const problem = useSignal<Notice | undefined>(undefined)
  const send = async (method: 'PUT' | 'DELETE') => {
    isBusy.value = true
    problem.value = undefined
    const key = secret.value.trim()
    const body = {
      url: url.value.trim(),
      name: name.value.trim(),
      maxInputTokens: Number(tokens.value),
      ...(key && { key }),
    }
    try {
      save(await fetchJson('/api/model', { method, ...(method === 'PUT' && { body }) }))
      secret.value = ''
    } catch (error) {
      problem.value = toNotice(error)
    } finally {
      isBusy.value = false
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void send('PUT')
  }
  return (
    <form class="stack" onSubmit={submit}>
      <p class="quiet">{t().settings.modelHint}</p>
      <Field label={t().settings.modelUrl} value={url} placeholder="http://127.0.0.1:11434/v1" />
      <div class="field-pair">
        <Field label={t().settings.modelName} value={name} placeholder="qwen3:8b" />
        <Field
          label={t().settings.modelKey}
          value={secret}
          placeholder={setting.hasKey ? t().settings.keyKept : ''}
          isSecret
        />
      </div>
      <TokensField value={tokens} />
      <ModelButtons
        isBusy={isBusy.value}
        remove={setting.name === undefined ? undefined : () => void send('DELETE')}
      />
      <Problem notice={problem.value} />
    </form>
  )
}

type FieldProps = {
  readonly label: string
  readonly value: { value: string }
  readonly placeholder: string
  /** Optional, and never shown. */
  readonly isSecret?: boolean
}

function Field({ label, value, placeholder, isSecret = false }: FieldProps) {
  return (
    <label class="field">
      {label}
      <input
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        required={!isSecret}
        spellcheck={false}
        value={value.value}
        placeholder={placeholder}
        onInput={event => {
          value.value = event.currentTarget.value
        }}
      />
    </label>
  )
}

function TokensField({ value }: { readonly value: { value: string } }) {
  return (
    <label class="field">
      {t().settings.modelTokens}
      <input
        type="number"
        min={0}
        max={100_000_000}
        required
        value={value.value}
        onInput={event => {
          value.value = event.currentTarget.value
        }}
      />
    </label>
  )
}

type ButtonsProps = { readonly isBusy: boolean; readonly remove: (() => void) | undefined }

function ModelButtons({ isBusy, remove }: ButtonsProps) {
  return (
    <p class="attribute-buttons">
      <button type="submit" class="primary" disabled={isBusy}>
        {isBusy ? t().settings.testing : t().settings.modelSave}
      </button>
      {remove && (
        <button type="button" class="secondary" disabled={isBusy} onClick={remove}>
          {t().settings.modelNone}
        </button>
      )}
    </p>
  )
}
