import { createRequire } from 'node:module'
import type Iconv from 'iconv-lite'

const require = createRequire(import.meta.url)

/** iconv-lite, loaded with the first text that is decoded: its tables are half a megabyte, and a search decodes none. */
export function loadIconv(): typeof Iconv {
  return require('iconv-lite') // its types
}
