import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { t } from '../preferences.ts'
import { AddPageDialog } from './add-page.tsx'
import { addFiles, collectFiles } from './uploads.ts'

/** Attributes of the inputs that the visible buttons click. */
const HIDDEN_INPUT = {
  class: 'unseen',
  type: 'file',
  tabIndex: -1,
  'aria-hidden': true,
} as const

export function DropZone({
  collection,
  isSmall = false,
}: {
  readonly collection: string
  readonly isSmall?: boolean
}) {
  const isOver = useDrop(files => addFiles(collection, files))
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const isAddingPage = useSignal(false)
  const add = (event: TargetedEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    addFiles(collection, [...(input.files ?? [])])
    input.value = ''
  }
  return (
    <div class={`drop${isOver ? ' over' : ''}${isSmall ? ' small' : ''}`}>
      <Icon name="upload" />
      <p class="drop-title">{isOver ? t().documents.dropNow : t().documents.drop}</p>
      {!isSmall && <p class="quiet">{t().documents.formats}</p>}
      <p class="drop-buttons">
        <button
          type="button"
          class={isSmall ? 'secondary' : 'primary'}
          onClick={() => files.current?.click()}
        >
          {t().documents.choose}
        </button>
        <button type="button" class="secondary" onClick={() => folder.current?.click()}>
          {t().documents.chooseFolder}
        </button>
        <button
          type="button"
          class="secondary"
          onClick={() => {
            isAddingPage.value = true
          }}
        >
          {t().documents.addPage}
        </button>
      </p>
      {isAddingPage.value && (
        <AddPageDialog
          collection={collection}
          close={() => {
            isAddingPage.value = false
          }}
        />
      )}
      <input ref={files} {...HIDDEN_INPUT} multiple onChange={add} />
      <input ref={folder} {...HIDDEN_INPUT} {...{ webkitdirectory: true }} onChange={add} />
    </div>
  )
}

function useDrop(dropped: (files: readonly File[]) => void): boolean {
  const isOver = useSignal(false)
  const take = useRef(dropped)
  take.current = dropped
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const acceptDrag = (event: DragEvent) => {
      if (!isFiles(event)) return
      event.preventDefault()
      isOver.value = true
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false
    }
    const drop = async (event: DragEvent) => {
      isOver.value = false
      if (!isFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      take.current(await collectFiles(event.dataTransfer))
    }
    addEventListener('dragover', acceptDrag, { signal })
    addEventListener('dragleave', leave, { signal })
    addEventListener('drop', drop, { signal })
    return () => controller.abort()
  }, [])
  return isOver.value
}
