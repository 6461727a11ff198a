import { describe, expect, test } from 'vitest'
import { Robots } from '../../../../src/ingest/sources/web/robots.ts'

const allows = (text: string, path: string) =>
  new Robots(text).allows(new URL(path, 'https://example.org'))

describe('robots.txt', () => {
  test('without rules allows all', () => expect(allows('', '/a')).toBe(true))
  test('forbids what begins so', () =>
    expect(allows('User-agent: *\nDisallow: /private', '/private/a')).toBe(false))
  test('the longest rule decides', () =>
    expect(allows('User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c')).toBe(true))
  test('of two as long the one that allows', () =>
    expect(allows('User-agent: *\nDisallow: /a\nAllow: /a', '/a')).toBe(true))
  test('an empty rule forbids nothing', () =>
    expect(allows('User-agent: *\nDisallow:', '/a')).toBe(true))
  test('our own group counts, and no other', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Passim\nDisallow: /b'
    expect([allows(text, '/a'), allows(text, '/b')]).toEqual([true, false])
  })
  test('a group of others is none of ours', () =>
    expect(allows('User-agent: other\nDisallow: /', '/a')).toBe(true))
  test('rules and addresses are the same however they are escaped', () => {
    const text =
      'User-agent: *\nDisallow: /新闻\nDisallow: /%e6%96%87\nDisallow: /%7Eann\nDisallow: /a%2fb'
    expect(
      ['/新闻/1', '/文', '/~ann', '/%7eann', '/a%2Fb'].map(path => allows(text, path)),
    ).toEqual(Array(5).fill(false))
    expect(['/a/b', '/新'].map(path => allows(text, path))).toEqual([true, true])
  })
  test('stars and an end', () => {
    const text = 'User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?session='
    expect(['/a.pdf', '/a.pdf?x', '/b?session=1', '/b'].map(path => allows(text, path))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
  test('a rule full of stars is no trap', () => {
    const rule = `/${'*a'.repeat(1_000)}*b$`
    expect(allows(`User-agent: *\nDisallow: ${rule}`, `/${'a'.repeat(2_000)}`)).toBe(true)
  })
  test('the delay asked for is kept, within reason', () => {
    expect(new Robots('User-agent: *\nCrawl-delay: 2').delayMs).toBe(2_000)
    expect(new Robots('User-agent: *\nCrawl-delay: 86400').delayMs).toBe(30_000)
  })
  test('names its sitemaps', () =>
    expect(new Robots('Sitemap: https://example.org/s.xml').sitemaps).toEqual([
      'https://example.org/s.xml',
    ]))
})
