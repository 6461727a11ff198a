import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type WindowedProps<Item> = {
  readonly items: readonly Item[]
  /** Pixels, the same for every row. */
  readonly rowHeight: number
  readonly label: string
  readonly row: (item: Item, index: number) => ComponentChildren
}

/** Rows drawn beyond either edge, so that scrolling shows no gap. */
const MARGIN = 12

export function WindowedList<Item>({ items, rowHeight, label, row }: WindowedProps<Item>) {
  const list = useRef<HTMLElement>(null)
  const first = useSignal(0)
  const count = useSignal(40)
  useEffect(() => {
    const scroller = list.current
    if (!scroller) return
    const updateWindow = () => {
      first.value = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - MARGIN)
      count.value = Math.ceil(scroller.clientHeight / rowHeight) + 2 * MARGIN
    }
    const observer = new ResizeObserver(updateWindow)
    observer.observe(scroller)
    scroller.addEventListener('scroll', updateWindow, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', updateWindow)
    }
  }, [rowHeight])
  const visibleItems = items.slice(first.value, first.value + count.value)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="windowed" ref={list} tabIndex={0} aria-label={label}>
      <div class="windowed-all" style={{ height: `${items.length * rowHeight}px` }}>
        <ul
          class="windowed-shown"
          style={{ transform: `translateY(${first.value * rowHeight}px)` }}
        >
          {visibleItems.map((item, index) => row(item, first.value + index))}
        </ul>
      </div>
    </section>
  )
}
