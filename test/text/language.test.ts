import { describe, expect, test } from 'vitest'
import { toEmbeddedText } from '../../src/ingest/embed/embedded-text.ts'
import { detectLanguage, detectVectorLanguage } from '../../src/text/language.ts'

describe('the language of a text', () => {
  test.each([
    '请先阅读说明。',
    '使用 kubectl-apply(1)、kubectl-rollout(1) 和 kubectl-annotate(1) 更新部署。',
    'deploy/values.production.yaml（模板文件）：',
    '𠮷𠮷𠮷 name',
  ])('%s is Chinese, whatever it names', text => expect(detectLanguage(text)).toBe('zh'))

  test.each([
    'Read the notes first.',
    'kubectl rollout status deployment/api',
    'The Standing Committee (常务委员会) decides on the budget of the coming year.',
    'Mail to the office in Beijing (北京)',
  ])('%s is not', text => expect(detectLanguage(text)).toBe('en'))
})

describe('the language that the vector of a chunk lies in', () => {
  const check = (context: string, text: string, expected: string) =>
    expect(detectVectorLanguage(toEmbeddedText({ context, text }))).toBe(expected)

  test('Chinese and English are told apart', () => {
    check('安装', '先安装依赖。', 'zh')
    check('Setup', 'Install what it needs first.', 'en')
  })
  test('code under a Chinese heading lies among the Chinese texts', () =>
    check(
      '部署',
      'docker run --rm -it --publish 8080:80 registry.example.org/shop/api:latest',
      'zh',
    ))
  test('English that names something in Chinese once stays among the English ones', () =>
    check('', `${'some words '.repeat(100)}王`, 'en'))
})
