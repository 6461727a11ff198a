import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { BoxJson, ReadPageJson } from '../../wire/document.ts'
import { call } from '../connection.ts'
import { t } from '../preferences.ts'
import type { TextSpan } from './highlight.ts'
import { findHighlightBoxes } from './highlight.ts'

type PictureProps = {
  readonly page: ReadPageJson
  readonly name: string
  readonly span?: TextSpan
  readonly scrolls?: boolean
  readonly failed: () => void
}

/** Reserves the picture's space while it loads. */
export function PagePicture({ page, name, span, scrolls = false, failed }: PictureProps) {
  const { size, picture } = page
  const frame = useRef<HTMLElement>(null)
  const url = useSignal('')
  useEffect(
    () =>
      loadPicture(
        picture,
        frame.current,
        shown => {
          url.value = shown
        },
        failed,
      ),
    [picture],
  )
  const lit = span ? findHighlightBoxes(page.blocks, span) : []
  useLayoutEffect(() => {
    if (scrolls) frame.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [picture, span?.charStart, scrolls])
  if (!size) return null
  return (
    <figure
      class="page-picture"
      ref={frame}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
    >
      {url.value && <img src={url.value} alt={t().source.picture(page.page, name)} />}
      {lit.map((box, index) => (
        <mark key={index} style={toPercentBox(box, size)} aria-hidden="true" />
      ))}
    </figure>
  )
}

/** Uses percentages, so that boxes fit at every width. */
function toPercentBox(
  [x0, y0, x1, y1]: BoxJson,
  { width, height }: NonNullable<ReadPageJson['size']>,
) {
  const share = (length: number, total: number) => `${(100 * length) / total}%`
  return {
    left: share(x0, width),
    top: share(y0, height),
    width: share(x1 - x0, width),
    height: share(y1 - y0, height),
  }
}

function loadPicture(
  picture: string | undefined,
  frame: HTMLElement | null,
  show: (url: string) => void,
  failed: () => void,
): () => void {
  const controller = new AbortController()
  let url = ''
  if (!picture) return () => {}
  const width = Math.min(
    2_400,
    Math.max(400, Math.round((frame?.clientWidth ?? 800) * devicePixelRatio)),
  )
  call(`${picture}?width=${width}`, { signal: controller.signal })
    .then(answer => answer.blob())
    .then(blob => {
      if (controller.signal.aborted) return
      url = URL.createObjectURL(blob)
      show(url)
    })
    .catch(() => controller.signal.aborted || failed())
  return () => {
    controller.abort()
    if (url) URL.revokeObjectURL(url)
  }
}
