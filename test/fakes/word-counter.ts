import type { TokenCounter } from '../../src/ingest/chunk/tokens.ts'

/** A TokenCounter one can check by eye: words between white space, and every Han character. */
export const wordCounter: TokenCounter = {
  id: 'words@1',
  count: text => text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)?.length ?? 0,
}
