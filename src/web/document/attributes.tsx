import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import { canWrite } from '../connection.ts'
import { setAttributes } from '../documents/stored-document.ts'
import { Icon, type IconName } from '../icons.tsx'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'

type Attributes = ReportedDocumentJson['attributes']
type AttributesProps = { readonly document: ReportedDocumentJson; readonly changed: () => void }

/** Maximum that the service accepts. */
const MAX_ATTRIBUTES = 16

/** No attribute has this name. */
const NEW = ''

export function DocumentAttributes({ document, changed }: AttributesProps) {
  const list = useRef<HTMLUListElement>(null)
  const edited = useSignal<string | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const lastEdited = useRef<string | undefined>(undefined)
  const name = edited.value
  useLayoutEffect(() => {
    if (name === undefined && lastEdited.current !== undefined)
      moveFocusToChip(list.current, lastEdited.current)
    lastEdited.current = name
  }, [name])
  const { attributes } = document
  const names = Object.keys(attributes)
  const close = () => {
    problem.value = undefined
    edited.value = undefined
  }
  const save = async (next: Attributes) => {
    try {
      await setAttributes(document, next)
      changed()
      close()
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  if (!canWrite.value && names.length === 0) return null
  return (
    <>
      <ul class="attributes" ref={list} aria-label={t().document.attributes}>
        {(canWrite.value ? [...names, NEW] : names).map(key => (
          <li key={key}>
            {key === name ? (
              <Fields name={key} attributes={attributes} save={save} close={close} />
            ) : (
              <Chip
                name={key}
                value={attributes[key]}
                isDisabled={key === NEW && names.length >= MAX_ATTRIBUTES}
                edit={() => {
                  edited.value = key
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <Problem notice={problem.value} />
    </>
  )
}

function moveFocusToChip(list: HTMLElement | null, name: string): void {
  const chips = [...(list?.querySelectorAll('button') ?? [])]
  const chip = chips.find(({ dataset }) => dataset.name === name) ?? chips.at(-1)
  chip?.focus()
}

type ChipProps = {
  readonly name: string
  readonly value: Attributes[string] | undefined
  readonly isDisabled: boolean
  readonly edit: () => void
}

function Chip({ name, value, isDisabled, edit }: ChipProps) {
  const isNew = name === NEW
  const text = (
    <>
      <span class="quiet">{name}</span> <span dir="auto">{String(value)}</span>
    </>
  )
  if (!canWrite.value) return <span class="chip">{text}</span>
  return (
    <button
      type="button"
      class={isNew ? 'chip add' : 'chip'}
      data-name={name}
      aria-label={isNew ? undefined : `${t().document.edit}: ${name} ${value}`}
      title={isNew ? t().document.attributesHint : undefined}
      disabled={isDisabled}
      onClick={edit}
    >
      {isNew && <Icon name="plus" />}
      {isNew ? t().document.add : text}
    </button>
  )
}

type FieldsProps = {
  readonly name: string
  readonly attributes: Attributes
  readonly save: (next: Attributes) => Promise<void>
  readonly close: () => void
}

function Fields({ name, attributes, save, close }: FieldsProps) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const field = form.current?.querySelectorAll('input')[name === NEW ? 0 : 1]
    field?.focus()
    field?.select()
  }, [])
  const { [name]: value, ...others } = attributes
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const text = String(entered.get('value'))
    const next = value !== undefined && text === String(value) ? value : parseValue(text)
    void save({ ...others, [String(entered.get('name')).trim()]: next })
  }
  return (
    <form
      ref={form}
      class="attribute"
      onSubmit={submit}
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <input
        name="name"
        required
        pattern=".*\S.*"
        maxLength={64}
        defaultValue={name}
        aria-label={t().document.name}
        placeholder={t().document.name}
        onInput={({ currentTarget: field }) => {
          const entered = field.value.trim()
          const isTaken = entered !== name && Object.hasOwn(attributes, entered)
          field.setCustomValidity(isTaken ? t().document.nameTaken : '')
        }}
      />
      <input
        name="value"
        required
        maxLength={512}
        defaultValue={value === undefined ? '' : String(value)}
        aria-label={t().document.value}
        placeholder={t().document.value}
      />
      <button type="submit" class="primary">
        {t().save}
      </button>
      <FieldsButton icon="close" label={t().cancel} act={close} />
      {name !== NEW && (
        <FieldsButton
          icon="remove"
          label={`${t().remove}: ${name}`}
          act={() => void save(others)}
        />
      )}
    </form>
  )
}

type FieldsButtonProps = {
  readonly icon: IconName
  readonly label: string
  readonly act: () => void
}

function FieldsButton({ icon, label, act }: FieldsButtonProps) {
  return (
    <button type="button" class="plain" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  )
}

/** Filters compare by type. Text such as `007` stays text. */
function parseValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const isNumber = Number.isFinite(Number(text)) && String(Number(text)) === text
  return isNumber ? Number(text) : text
}
