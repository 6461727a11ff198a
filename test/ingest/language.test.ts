import { describe, expect, test } from 'vitest'
import { languageOf } from '../../src/ingest/language.ts'

describe('the language of a text', () => {
  test.each([
    '请先阅读说明。',
    '使用 kubectl-apply(1)、kubectl-rollout(1) 和 kubectl-annotate(1) 更新部署。',
    'deploy/values.production.yaml（模板文件）：',
  ])('%s is Chinese, whatever it names', text => expect(languageOf(text)).toBe('zh'))

  test.each([
    'Read the notes first.',
    'kubectl rollout status deployment/api',
    'The Standing Committee (常务委员会) decides on the budget of the coming year.',
    'Mail to the office in Beijing (北京)',
  ])('%s is not', text => expect(languageOf(text)).toBe('en'))
})
