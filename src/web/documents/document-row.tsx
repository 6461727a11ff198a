import { type Signal, useSignal } from '@preact/signals'
import type { DocumentJson } from '../../wire/document.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { canWrite } from '../connection.ts'
import { Icon, type IconName } from '../icons.tsx'
import { NoticeText } from '../notice.tsx'
import { formatBytes, formatDate, formatNumber, t } from '../preferences.ts'
import { linkTo } from '../route.ts'
import { deleteDocuments } from './deleted.tsx'
import { download, indexAgain } from './stored-document.ts'

/** Pixels; the same as `.row` in the style sheet. */
export const ROW_HEIGHT = 52

type RowProps = {
  readonly document: DocumentJson
  readonly selected: Signal<ReadonlySet<string>>
  readonly changed: () => void
  readonly failed: (error: unknown) => void
}

export function DocumentRow({ document, selected, changed, failed }: RowProps) {
  const { id, name, title, pages, bytes, createdAt, error } = document
  const isSelected = selected.value.has(id)
  const toggle = () => {
    const chosen = new Set(selected.value)
    if (!chosen.delete(id)) chosen.add(id)
    selected.value = chosen
  }
  return (
    <li class={`row${isSelected ? ' selected' : ''}`}>
      <span class="cell check">
        {canWrite.value && (
          <input
            type="checkbox"
            aria-label={t().documents.select(name)}
            checked={isSelected}
            onChange={toggle}
          />
        )}
      </span>
      <span class="cell name">
        <a href={linkTo('documents', id)} title={name} dir="auto">
          {name}
        </a>
        {error ? (
          <span class="row-title problem" title={error.message}>
            <NoticeText notice={{ ...error, message: error.message.replaceAll(name, '…') }} />
          </span>
        ) : (
          title &&
          title !== name && (
            <span class="row-title" dir="auto">
              {title}
            </span>
          )
        )}
      </span>
      <span class="cell status">
        <StatusBadge document={document} />
      </span>
      <span class="cell pages">{pages === undefined ? '' : formatNumber(pages)}</span>
      <span class="cell bytes">{formatBytes(bytes)}</span>
      <span class="cell added">{formatDate(createdAt)}</span>
      <span class="cell actions">
        <RowActions document={document} changed={changed} failed={failed} />
      </span>
    </li>
  )
}

export function StatusBadge({
  document: { status, error, warnings, searchable },
}: {
  readonly document: DocumentJson
}) {
  return (
    <>
      <span class={`badge ${status}`} title={error?.message}>
        {t().documents.state[status]}
      </span>
      {status === 'in_progress' && searchable !== undefined && (
        <span class="badge" title={t().documents.foundByWordsHint}>
          {t().documents.foundByWords}
        </span>
      )}
      {warnings.length > 0 && status === 'completed' && (
        <span class="badge warned" title={warnings.map(({ message }) => message).join('\n')}>
          {t().documents.warnings(warnings.length)}
        </span>
      )}
    </>
  )
}

function RowActions({ document, changed, failed }: Omit<RowProps, 'selected'>) {
  const isConfirming = useSignal(false)
  const { name, status } = document
  const isFailed = status === 'failed' || status === 'cancelled'
  const remove = async () => {
    await deleteDocuments([document])
    changed()
  }
  return (
    <>
      {canWrite.value && isFailed && (
        <Action
          icon="again"
          label={t().documents.retry}
          name={name}
          act={() => indexAgain(document).then(changed, failed)}
        />
      )}
      <Action
        icon="download"
        label={t().documents.download}
        name={name}
        act={() => download(document).catch(failed)}
      />
      {canWrite.value && (
        <Action
          icon="remove"
          label={t().remove}
          name={name}
          act={() => {
            isConfirming.value = true
          }}
        />
      )}
      {isConfirming.value && (
        <ConfirmDialog
          text={t().documents.confirm(name)}
          action={remove}
          close={() => {
            isConfirming.value = false
          }}
        />
      )}
    </>
  )
}

type ActionProps = {
  readonly icon: IconName
  readonly label: string
  readonly name: string
  readonly act: () => unknown
}

function Action({ icon, label, name, act }: ActionProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={`${label}: ${name}`}
      title={label}
      onClick={() => void act()}
    >
      <Icon name={icon} />
    </button>
  )
}
