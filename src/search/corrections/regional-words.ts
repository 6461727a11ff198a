import { createRequire } from 'node:module'
import type * as OpenCC from 'opencc-js/t2cn'
import { toSimplified } from '../../text/simplified.ts'

type Convert = (text: string) => string
type Pair = readonly [string, string]

let converters: readonly Convert[] | undefined

/** Rewrites words of Taiwan in those of the mainland, or the reverse, in Simplified characters. */
export function listRegionalForms(text: string): readonly string[] {
  converters ??= openConverters()
  const plain = toSimplified(text)
  const forms = converters.map(convert => convert(plain))
  return [...new Set(forms)].filter(form => form !== plain)
}

/** Loads only the words that differ; all of Traditional takes 60 MB of memory. */
function openConverters(): readonly Convert[] {
  const { CustomConverter, Locale } = createRequire(import.meta.url)(
    'opencc-js/t2cn',
  ) as typeof OpenCC
  const entries: string = Locale.from.twp?.[0]?.[0] ?? ''
  const toMainland = entries.split('|').map(readEntry)
  const toTaiwan = toMainland.flatMap(([taiwan, mainland]): readonly Pair[] =>
    taiwan === mainland ? [] : [[mainland, taiwan]],
  )
  return [CustomConverter(toMainland), CustomConverter(toTaiwan.toReversed())]
}

function readEntry(entry: string): Pair {
  const [from = '', to = ''] = entry.split(' ')
  return [toSimplified(from), toSimplified(to)]
}
