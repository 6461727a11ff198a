import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { BlockJson, ReportedDocumentJson } from '../../wire/document.ts'
import { Unreachable } from '../connection.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { BlockTexts } from '../source/block-text.tsx'
import type { TextSpan } from '../source/highlight.ts'
import { readBlocks } from '../source/pages.ts'

/** Blocks per request, so that scrolling loads in steps. */
const BLOCKS = 150

/** Characters loaded before the selected passage, so that its context is visible. */
const CHARS_BEFORE = 3_000

export function DocumentText({ document, span }: TextProps) {
  const blocks = useSignal<readonly BlockJson[]>([])
  const next = useSignal<number | undefined>(span ? Math.max(0, span.charStart - CHARS_BEFORE) : 0)
  const problem = useSignal<Notice | undefined>(undefined)
  const isReading = useSignal(false)
  const text = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLButtonElement>(null)
  const read = async () => {
    if (next.value === undefined || isReading.value) return
    isReading.value = true
    try {
      const found = await readBlocks(document.id, next.value, BLOCKS)
      blocks.value = [...blocks.value, ...found.blocks]
      next.value = found.last
    } catch (error) {
      if (!(error instanceof Unreachable)) problem.value = toNotice(error)
    } finally {
      isReading.value = false
    }
  }
  const isFirst = blocks.value.length > 0
  useEffect(() => void read(), [])
  useEffect(() => {
    if (isFirst) text.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [isFirst])
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void read())
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isFirst])
  return (
    <div class="document-text" ref={text}>
      <BlockTexts blocks={blocks.value} span={span} />
      <Problem notice={problem.value} />
      {next.value !== undefined && (
        <button type="button" class="quiet-button" ref={end} onClick={() => void read()}>
          {isReading.value ? t().loading : t().more}
        </button>
      )}
    </div>
  )
}

type TextProps = { readonly document: ReportedDocumentJson; readonly span: TextSpan | undefined }
