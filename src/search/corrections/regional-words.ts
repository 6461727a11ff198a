import { createRequire } from 'node:module'
import type * as OpenCC from 'opencc-js/t2cn'
import { toSimplified } from '../../text/simplified.ts'

type Convert = (text: string) => string

let converters: readonly Convert[] | undefined

/** Rewrites words of Taiwan in those of the mainland, or the reverse, in Simplified characters. */
export function listRegionalForms(text: string): readonly string[] {
  converters ??= openConverters()
  const plain = toSimplified(text)
  const forms = converters.map(convert => toSimplified(convert(text)))
  return [...new Set(forms)].filter(form => form !== plain)
}

function openConverters(): readonly Convert[] {
  const require = createRequire(import.meta.url)
  const { Converter: toMainland } = require('opencc-js/t2cn') as typeof OpenCC
  const { Converter: toTaiwan } = require('opencc-js/cn2t') as typeof OpenCC
  const toTraditional = toTaiwan({ from: 'cn', to: 't' })
  const toMainlandWords = toMainland({ from: 'twp', to: 'cn' })
  return [text => toMainlandWords(toTraditional(text)), toTaiwan({ from: 'cn', to: 'twp' })]
}
