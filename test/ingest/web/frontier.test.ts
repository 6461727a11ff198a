import { expect, test } from 'vitest'
import { Frontier } from '../../../src/ingest/sources/web/frontier.ts'

const start = new URL('https://example.org/')
const taken = (links: readonly string[], include?: readonly string[]) => {
  const frontier = new Frontier({ start, maxDepth: 1, maxPages: 10, include })
  frontier.add(
    links.map(link => new URL(link, start)),
    1,
  )
  return links.map(() => frontier.take()?.url.pathname).filter(Boolean)
}

test('a link whose path begins with several slashes is a page like any other', () => {
  expect(taken(['.//a', '/b', './//']).at(-1)).toBe('///')
  expect(taken(['.//a/x.md', '/a/y.html'], ['a/*.md'])).toEqual(['//a/x.md'])
})
